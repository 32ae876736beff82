/** Estimates from a leaf's points and columns before they are read. */
import type { NumericValuesReader } from '../../codec/doc-values/reader.ts'
import { longWords, type PointsReader } from '../../codec/points/reader.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { PointWeight } from './weight-node.ts'

/** The field's points if they have two words; else null. */
export function pointsOf(leaf: Leaf, { field, indexed }: PointWeight): PointsReader | null {
  const points = indexed ? leaf.points(field) : null
  return points?.wordCount === 2 ? points : null
}

/** Estimated number of points in the intervals. */
export function pointsWithin(points: PointsReader, { intervals }: PointWeight): number {
  let count = 0
  for (const { lowerHi, lowerLo, upperHi, upperLo } of intervals)
    count += points.estimate(longWords(lowerHi, lowerLo), longWords(upperHi, upperLo))
  return count
}

/** Whether the field also has a single-valued column. */
export function hasColumn(leaf: Leaf, { field, docValues }: PointWeight): boolean {
  const info = docValues ? leaf.fieldInfo(field) : null
  return info !== null && info.docValues !== 'none' && !info.multiValued
}

/** The numbers of a field by document, ordinals where it holds terms; null without doc values. */
export function columnOf(leaf: Leaf, field: string): NumericValuesReader | null {
  switch (leaf.fieldInfo(field)?.docValues) {
    case 'numeric':
      return leaf.numericValues(field)
    case 'ordinals':
      return leaf.ordinals(field)?.values ?? null
    case 'bytes':
    case 'shapes':
    case 'vectors':
    case 'none':
    case undefined:
      return null
  }
}
