/** Bit sets of a leaf's documents by the points or values of a numeric field. */
import type { NumericValuesReader } from '../../codec/doc-values/reader.ts'
import type { PointsReader } from '../../codec/points/reader.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { LeafPart } from '../collector/collect-spec.ts'
import { highHalf, joinHalves, lowHalf } from '../query/point-value.ts'
import { columnOf, hasColumn, pointsOf, pointsWithin } from '../weight/point-estimates.ts'
import type { PointWeight } from '../weight/weight-node.ts'
import { COLUMN, RANGE_BYTES, VALUE_RANGE } from './plan-record.ts'

/** Sign bit: flipped in stored values, so that they compare as unsigned. */
const SIGN = 0x80000000

/**
 * Sets the bits of a part's documents that have a value in the intervals; bits outside are
 * undefined. Few documents are looked up in the column, many in the points, whichever is estimated
 * cheaper.
 * @returns false when the field has no points
 */
export function orPointSet(leaf: Leaf, part: LeafPart, node: PointWeight, bits: number): boolean {
  const points = pointsOf(leaf, node)
  if (points === null) return false
  const docs = (part.maxDoc - part.minDoc) * node.intervals.length
  const isPart = docs < leaf.maxDoc && hasColumn(leaf, node)
  const values = isPart && docs < pointsWithin(points, node) ? columnOf(leaf, node.field) : null
  if (values !== null) orValues(leaf, part, node, values, bits)
  else orAllPoints(leaf, points, node, bits)
  return true
}

function orAllPoints(leaf: Leaf, points: PointsReader, node: PointWeight, bits: number): void {
  for (const { lowerHi, lowerLo, upperHi, upperLo } of node.intervals)
    leaf.kernels.orPoints(
      points.indexAt,
      points.dataAt,
      points.count,
      lowerHi ^ SIGN,
      lowerLo,
      upperHi ^ SIGN,
      upperLo,
      bits,
      leaf.maxDoc,
    )
}

function orValues(
  leaf: Leaf,
  part: LeafPart,
  node: PointWeight,
  values: NumericValuesReader,
  bits: number,
): void {
  const intervals = node.intervals.map(({ lowerHi, lowerLo, upperHi, upperLo }) => ({
    lower: joinHalves(lowerHi, lowerLo),
    upper: joinHalves(upperHi, upperLo),
  }))
  orValuesWithin(leaf, part, values, intervals, bits)
}

/** Sets the bits of a part's documents whose value, of which each has one at most, lies in one of the closed intervals. */
export function orValuesWithin(
  leaf: Leaf,
  part: LeafPart,
  values: NumericValuesReader,
  intervals: readonly { readonly lower: bigint; readonly upper: bigint }[],
  bits: number,
): void {
  const { scratch, kernels } = leaf
  const { i32 } = leaf.views
  const mark = scratch.mark()
  const record = scratch.allocate(RANGE_BYTES)
  const at = record >> 2
  const column = values.addresses()
  i32[at + COLUMN.presence / 4] = column.presence
  i32[at + COLUMN.ranks / 4] = column.ranks
  i32[at + COLUMN.blocks / 4] = column.blocks
  i32[at + COLUMN.data / 4] = column.data
  i32[at + VALUE_RANGE.bits / 4] = bits
  i32[at + VALUE_RANGE.minDoc / 4] = part.minDoc
  i32[at + VALUE_RANGE.maxDoc / 4] = part.maxDoc
  for (const { lower, upper } of intervals) {
    i32[at + VALUE_RANGE.lower / 4] = lowHalf(lower)
    i32[at + VALUE_RANGE.lower / 4 + 1] = highHalf(lower)
    i32[at + VALUE_RANGE.upper / 4] = lowHalf(upper)
    i32[at + VALUE_RANGE.upper / 4 + 1] = highHalf(upper)
    kernels.orValues(record)
  }
  scratch.release(mark)
}
