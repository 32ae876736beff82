import { compareLongs } from '../../codec/doc-values/long-column.ts'
import { longWords } from '../../codec/points/reader.ts'
import { assert } from '../../util/assert.ts'
import { BitSet } from '../../util/bit-set.ts'
import { BitSetIterator } from '../scorer/doc-set-iterators.ts'
import type { ScorerSupplier } from '../scorer/scorer.ts'
import { MASK_OF_STEPS, STEPS_PER_TERM } from './add-postings.ts'
import { columnOf } from './point-estimates.ts'
import { constantScorer, type ScorerContext, supplier } from './scorer-context.ts'
import type { PointInterval, PointWeight } from './weight-node.ts'

/**
 * Opens the documents of a leaf that have a value in the node's intervals; in a field of terms the
 * values are ordinals.
 */
export function pointSupplier(node: PointWeight, context: ScorerContext): ScorerSupplier | null {
  const { leaf } = context
  const info = leaf.fieldInfo(node.field)
  if (info === null) return null
  const points = node.indexed && info.hasPoints ? leaf.points(node.field) : null
  const values = node.docValues ? columnOf(leaf, node.field) : null
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
