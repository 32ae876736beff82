import type { Segment } from '../../segment/segment.ts'
import { BitSet } from '../../util/bit-set.ts'
import { BitSetIterator } from '../scorer/doc-set-iterators.ts'
import type { ScorerSupplier } from '../scorer/scorer.ts'
import { addPostings } from './add-postings.ts'
import { explainConstant } from './explain-constant.ts'
import { missOfConstant } from './explain-miss.ts'
import { keyText, USES_OF_COSTLY } from './key-text.ts'
import { constantScorer, openPostings, type ScorerContext, supplier } from './scorer-context.ts'
import { docCountOf, STEPS_IN_SET } from './step-costs.ts'
import type { LeafStates } from './weight.ts'
import type { MultiTermWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** The documents that have any of many terms. */
export const multiTermWeight: WeightType<MultiTermWeight> = {
  supplier: multiTermSupplier,
  explainMiss: missOfConstant,
  explain: explainConstant,
  count: () => -1,
  steps: setSteps,
  setSteps,
  isOfAlternatives: () => true,
  matches(node, states, leaf) {
    const options = leaf.fieldInfo(node.field)?.indexOptions ?? 'none'
    return options === 'none' ? Number.NaN : (states.expansions[node.expansionId]?.postings ?? 0)
  },
  // Its bit set covers the whole leaf.
  isDivisible: () => false,
  scoreEstimate: node => node.score,
  clause: (node, scored) => ({ kind: 'set', node, constant: scored ? node.score : 0 }),
  documentSet(node, states, leaf) {
    const listed = states.expansions[node.expansionId]?.states ?? null
    if (listed !== null) return { kind: 'terms', field: node.field, states: listed }
    const options = leaf.fieldInfo(node.field)?.indexOptions ?? 'none'
    return { kind: options === 'none' ? 'iterators' : 'ranges', node }
  },
  countScratch(_node, counts) {
    counts.sets++
  },
  cacheKey: node => `m${keyText(node.field)}${keyText(node.key)};`,
  minUsesToCache: () => USES_OF_COSTLY,
  record: {
    write(to, node) {
      to.number(node.id)
      to.text(node.field)
      to.number(node.score)
      to.number(node.expansionId)
      to.text(node.key)
    },
    read: from => ({
      kind: 'multiTerm',
      id: from.number(),
      field: from.text(),
      score: from.number(),
      expansionId: from.number(),
      key: from.text(),
    }),
  },
}

function setSteps(node: MultiTermWeight, states: LeafStates, segment: Segment): number {
  const postings = states.expansions[node.expansionId]?.postings
  return STEPS_IN_SET * (postings ?? docCountOf(segment, node.field))
}

/** Opens the documents that have any of many terms. */
function multiTermSupplier(node: MultiTermWeight, context: ScorerContext): ScorerSupplier | null {
  const info = context.leaf.fieldInfo(node.field)
  if (info === null) return null
  if (info.indexOptions === 'none') return ordinalSupplier(node, context)
  const expansion = context.states.expansions[node.expansionId]
  const cost = Math.min(expansion?.postings ?? info.docCount, context.leaf.maxDoc)
  const states = expansion?.states ?? null
  if (expansion === undefined) return null
  if (states === null) return rangeSupplier(node, expansion.ranges, cost, context)
  const [only] = states
  if (only === undefined) return null
  return supplier(cost, () => {
    if (states.length === 1)
      return constantScorer(context, node.score, openPostings(node.field, only, context))
    const bits = new BitSet(context.leaf.maxDoc)
    for (const state of states) addPostings(bits, node.field, state, context)
    return constantScorer(context, node.score, new BitSetIterator(bits, bits.count()))
  })
}

/** Too many terms to list: the search thread walks the dictionary itself. */
function rangeSupplier(
  node: MultiTermWeight,
  ranges: Int32Array,
  cost: number,
  context: ScorerContext,
): ScorerSupplier {
  return supplier(cost, () => {
    const bits = new BitSet(context.leaf.maxDoc)
    const iterator = context.leaf.terms(node.field)?.iterator()
    for (let i = 0; i < ranges.length; i += 2)
      for (let ord = ranges[i]!; ord < ranges[i + 1]!; ord++) {
        iterator?.seekOrd(ord)
        if (iterator !== undefined) addPostings(bits, node.field, iterator.state(), context)
      }
    return constantScorer(context, node.score, new BitSetIterator(bits, bits.count()))
  })
}

/** A keyword without an index: ordinals are compared with the ranges' ordinals. */
function ordinalSupplier(node: MultiTermWeight, context: ScorerContext): ScorerSupplier | null {
  const { leaf } = context
  const ordinals = leaf.ordinals(node.field)
  if (ordinals === null) return null
  const ends = context.states.expansions[node.expansionId]?.ranges ?? []
  if (ends.length === 0) return null
  return supplier(leaf.maxDoc, () => {
    const approximation = ordinals.values.docs()
    return constantScorer(context, node.score, approximation, {
      approximation,
      matches: () => {
        if (!ordinals.advanceExact(approximation.docId())) return false
        for (let i = 0; i < ordinals.valueCount(); i++) {
          const ord = ordinals.ord(i)
          // There may be many ranges: binary search.
          let low = 0
          let high = ends.length >>> 1
          while (low < high) {
            const middle = (low + high) >>> 1
            if (ord >= ends[2 * middle + 1]!) low = middle + 1
            else high = middle
          }
          if (2 * low < ends.length && ord >= ends[2 * low]!) return true
        }
        return false
      },
      matchCost: () => 20,
    })
  })
}
