/** Suppliers of queries that are sets of documents with one score: runs of terms, numbers, ids. */
import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { compareLongs } from '../../codec/doc-values/long-column.ts'
import { longWords } from '../../codec/points/reader.ts'
import type { TermState } from '../../codec/terms/format.ts'
import { assert } from '../../util/assert.ts'
import { BitSet } from '../../util/bit-set.ts'
import type {
  ExistsWeight,
  IdsWeight,
  MultiTermWeight,
  PointInterval,
  PointWeight,
} from '../weight/weight.ts'
import { BitSetIterator, DocListIterator, PresenceIterator } from './doc-set-iterators.ts'
import type { ScorerSupplier } from './scorer.ts'
import { constantScorer, openPostings, type ScorerContext, supplier } from './scorer-context.ts'

/** Documents that have any term of some runs. */
export function multiTermSupplier(
  node: MultiTermWeight,
  context: ScorerContext,
): ScorerSupplier | null {
  const info = context.leaf.fieldInfo(node.field)
  if (info === null) return null
  if (info.indexOptions === 'none') return ordinalSupplier(node, context)
  const expansion = context.states.expansions[node.expansionId]
  const cost = Math.min(expansion?.postings ?? info.docCount, context.leaf.maxDoc)
  const states = expansion?.states ?? null
  if (states === null) return runSupplier(node, cost, context)
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

/** Too many terms to list: the worker walks the dictionary itself. */
function runSupplier(node: MultiTermWeight, cost: number, context: ScorerContext): ScorerSupplier {
  return supplier(cost, () => {
    const bits = new BitSet(context.leaf.maxDoc)
    const iterator = context.leaf.terms(node.field)?.iterator()
    for (const { lower, upper } of node.runs) {
      for (let has = iterator?.seekCeil(lower) === true; has; has = iterator?.next() === true) {
        if (iterator === undefined) break
        if (upper !== null && !iterator.isBelow(upper)) break
        addPostings(bits, node.field, iterator.state(), context)
      }
    }
    return constantScorer(context, node.score, new BitSetIterator(bits, bits.count()))
  })
}

/** A keyword that is not indexed: its ordinals are held against the runs' places. */
function ordinalSupplier(node: MultiTermWeight, context: ScorerContext): ScorerSupplier | null {
  const { leaf } = context
  const ordinals = leaf.ordinals(node.field)
  const iterator = leaf.terms(node.field)?.iterator()
  if (ordinals === null || iterator === undefined) return null
  const ends: number[] = []
  for (const { lower, upper } of node.runs) {
    iterator.seekCeil(lower)
    const from = iterator.ord()
    if (upper !== null) iterator.seekCeil(upper)
    const to = upper === null ? Number.POSITIVE_INFINITY : iterator.ord()
    if (from < to) ends.push(from, to)
  }
  if (ends.length === 0) return null
  return supplier(leaf.maxDoc, () => {
    const approximation = ordinals.values.docs()
    return constantScorer(context, node.score, approximation, {
      approximation,
      matches: () => {
        if (!ordinals.advanceExact(approximation.docId())) return false
        for (let i = 0; i < ordinals.valueCount(); i++) {
          const ord = ordinals.ord(i)
          // Runs are many where many terms were given: halve.
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

/** Documents that have a number in one of some intervals. */
export function pointSupplier(node: PointWeight, context: ScorerContext): ScorerSupplier | null {
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
    // Few candidates from elsewhere: asking each for its values beats collecting the whole range.
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
  // The first interval that does not end below the value.
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

/** Documents that have a field, by its doc values, its norms or the list of fields' names. */
export function existsSupplier(node: ExistsWeight, context: ScorerContext): ScorerSupplier | null {
  const name = node.nameId === null ? null : (context.states.terms[node.nameId] ?? null)
  const own = ownPresence(node.field, context)
  if (name === null) {
    if (own === null) return null
    return supplier(own.cost(), () => constantScorer(context, node.score, own))
  }
  if (own === null)
    return supplier(name.docFreq, () =>
      constantScorer(context, node.score, openPostings('_field_names', name, context)),
    )
  // Norms were turned off on the way: some documents have one, the later ones are listed.
  const { maxDoc } = context.leaf
  return supplier(Math.min(name.docFreq + own.cost(), maxDoc), () => {
    const bits = new BitSet(maxDoc)
    addPostings(bits, '_field_names', name, context)
    for (let doc = own.nextDoc(); doc !== NO_MORE_DOCS; doc = own.nextDoc()) {
      bits.add(doc)
      context.watch.spend(1)
    }
    return constantScorer(context, node.score, new BitSetIterator(bits, bits.count()))
  })
}

/** Documents with the field's doc value or norm; null where the leaf keeps neither. */
function ownPresence(field: string, context: ScorerContext): DocIdIterator | null {
  const { leaf, watch } = context
  const info = leaf.fieldInfo(field)
  if (info?.docValues === 'numeric') return leaf.numericValues(field)?.docs() ?? null
  if (info?.docValues === 'ordinals') return leaf.ordinals(field)?.values.docs() ?? null
  const norms = info?.hasNorms === true ? leaf.norms(field) : null
  if (norms === null) return null
  return new PresenceIterator(leaf.maxDoc, norms.docCount, doc => norms.has(doc), watch)
}

/** Live documents by `_id`. */
export function idsSupplier(node: IdsWeight, context: ScorerContext): ScorerSupplier | null {
  const { leaf } = context
  const reader = leaf.ids()
  const docs: number[] = []
  for (const id of node.ids) {
    const doc = reader.lookup(id, each => leaf.liveDocs === null || leaf.liveDocs.has(each))
    if (doc >= 0) docs.push(doc)
  }
  if (docs.length === 0) return null
  const list = Int32Array.from(docs).sort()
  return supplier(list.length, () => constantScorer(context, node.score, new DocListIterator(list)))
}

/** Opening a term's postings counts as so many steps. */
const STEPS_PER_TERM = 8
const MASK_OF_STEPS = 1023

function addPostings(bits: BitSet, field: string, state: TermState, context: ScorerContext): void {
  // The iterator is done with when this returns, and so is its scratch.
  const { scratch } = context.leaf
  const mark = scratch.mark()
  const postings = context.leaf.postings(field, state)
  let steps = 0
  for (let doc = postings.nextDoc(); doc !== NO_MORE_DOCS; doc = postings.nextDoc()) {
    bits.add(doc)
    if ((++steps & MASK_OF_STEPS) === 0) context.watch.spend(MASK_OF_STEPS)
  }
  context.watch.spend(STEPS_PER_TERM + (steps & MASK_OF_STEPS))
  scratch.release(mark)
}
