import { compareLongs } from '../../codec/doc-values/long-column.ts'
import { longWords } from '../../codec/points/reader.ts'
import { assert } from '../../util/assert.ts'
import { BitSet } from '../../util/bit-set.ts'
import { BitSetIterator } from '../scorer/doc-set-iterators.ts'
import type { ScorerSupplier } from '../scorer/scorer.ts'
import { MASK_OF_STEPS, STEPS_PER_TERM } from './add-postings.ts'
import { explainConstant } from './explain-constant.ts'
import { keyText, USES_OF_COSTLY } from './key-text.ts'
import { hasColumn, pointsOf, pointsWithin } from './point-estimates.ts'
import { constantScorer, type ScorerContext, supplier } from './scorer-context.ts'
import { STEPS_OF_POINT } from './step-costs.ts'
import type { PointInterval, PointWeight } from './weight.ts'
import type { WeightType } from './weight-type.ts'

/** Documents that have a number in one of several intervals. */
export const pointWeight: WeightType<PointWeight> = {
  supplier: pointSupplier,
  explain: explainConstant,
  count: () => -1,
  steps: (_node, _states, segment) => STEPS_OF_POINT * segment.maxDoc,
  setSteps: (_node, _states, segment) => STEPS_OF_POINT * segment.maxDoc,
  isOfAlternatives: () => true,
  matches(node, _states, leaf) {
    const points = pointsOf(leaf, node)
    return points === null || !hasColumn(leaf, node) ? Number.NaN : pointsWithin(points, node)
  },
  // Its bit set covers the whole leaf.
  isDivisible: () => false,
  scoreEstimate: node => node.score,
  clause: (node, scored) => ({ kind: 'set', node, constant: scored ? node.score : 0 }),
  documentSet: (node, _states, leaf) => ({
    kind: pointsOf(leaf, node) === null ? 'iterators' : 'points',
    node,
  }),
  countScratch(_node, counts) {
    counts.sets++
  },
  cacheKey: node => `p${keyText(node.field)}${node.intervals.map(intervalKey).join('')};`,
  minUsesToCache: () => USES_OF_COSTLY,
  record: {
    write(to, node) {
      to.number(node.id)
      to.text(node.field)
      to.number(node.score)
      to.list(node.intervals, (out, { lowerHi, lowerLo, upperHi, upperLo }) => {
        out.number(lowerHi)
        out.number(lowerLo)
        out.number(upperHi)
        out.number(upperLo)
      })
      to.flag(node.indexed)
      to.flag(node.docValues)
    },
    read: from => ({
      kind: 'point',
      id: from.number(),
      field: from.text(),
      score: from.number(),
      intervals: from.list(input => ({
        lowerHi: input.number(),
        lowerLo: input.number(),
        upperHi: input.number(),
        upperLo: input.number(),
      })),
      indexed: from.flag(),
      docValues: from.flag(),
    }),
  },
}

function intervalKey({ lowerHi, lowerLo, upperHi, upperLo }: PointInterval): string {
  return `${lowerHi},${lowerLo},${upperHi},${upperLo}/`
}

function pointSupplier(node: PointWeight, context: ScorerContext): ScorerSupplier | null {
  const { leaf } = context
  const info = leaf.fieldInfo(node.field)
  if (info === null) return null
  const points = node.indexed && info.hasPoints ? leaf.points(node.field) : null
  const values =
    node.docValues && info.docValues === 'numeric' ? leaf.numericValues(node.field) : null
  if (points === null && values === null) return null
  let cost = leaf.maxDoc
  const ends = node.intervals.map(each => ({
    lower: longWords(each.lowerHi, each.lowerLo),
    upper: longWords(each.upperHi, each.upperLo),
  }))
  if (points !== null) {
    cost = 0
    for (const { lower, upper } of ends) cost += points.estimate(lower, upper)
    if (cost === 0) return null
  }
  return supplier(cost, leadCost => {
    // With few candidates, reading each one's values beats collecting the whole range.
    if (points !== null && (values === null || leadCost * 8 >= cost)) {
      const bits = new BitSet(leaf.maxDoc)
      const { watch } = context
      let steps = 0
      const add = (doc: number): void => {
        bits.add(doc)
        if ((++steps & MASK_OF_STEPS) === 0) watch.spend(MASK_OF_STEPS)
      }
      for (const { lower, upper } of ends) {
        watch.spend(STEPS_PER_TERM)
        points.intersect(lower, upper, add)
      }
      return constantScorer(context, node.score, new BitSetIterator(bits, bits.count()))
    }
    assert(values !== null, 'a range has points or values')
    const approximation = values.docs()
    return constantScorer(context, node.score, approximation, {
      approximation,
      matches: () => {
        if (!values.advanceExact(approximation.docId())) return false
        for (let i = 0; i < values.valueCount(); i++) {
          values.select(i)
          if (liesIn(values.hi(), values.lo(), node.intervals)) return true
        }
        return false
      },
      matchCost: () => 20,
    })
  })
}

function liesIn(hi: number, lo: number, intervals: readonly PointInterval[]): boolean {
  // Binary search for the first interval that does not end below the value.
  let low = 0
  let top = intervals.length
  while (low < top) {
    const middle = (low + top) >>> 1
    const { upperHi, upperLo } = intervals[middle]!
    if (compareLongs(upperHi, upperLo, hi, lo) < 0) low = middle + 1
    else top = middle
  }
  if (low === intervals.length) return false
  const { lowerHi, lowerLo } = intervals[low]!
  return compareLongs(lowerHi, lowerLo, hi, lo) <= 0
}
