/** What points and columns of a leaf say of a node before it is read. */
import { longWords, type PointsReader } from '../../codec/points/reader.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { PointWeight } from './weight.ts'

/** The points that a range is looked up in; null where there are none of two words. */
export function pointsOf(leaf: Leaf, { field, indexed }: PointWeight): PointsReader | null {
  const points = indexed ? leaf.points(field) : null
  return points?.wordCount === 2 ? points : null
}

/** About how many points lie within the intervals. */
export function pointsWithin(points: PointsReader, { intervals }: PointWeight): number {
  let count = 0
  for (const { lowerHi, lowerLo, upperHi, upperLo } of intervals)
    count += points.estimate(longWords(lowerHi, lowerLo), longWords(upperHi, upperLo))
  return count
}

/** Whether the field has a column too with one value a document at most. */
export function hasColumn(leaf: Leaf, { field, docValues }: PointWeight): boolean {
  const info = docValues ? leaf.fieldInfo(field) : null
  return info !== null && info.docValues === 'numeric' && !info.multiValued
}
