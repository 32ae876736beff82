/** The weight of queries for numbers in intervals, and how those queries name themselves. */
import type { PointInterval, PointWeight } from '../weight/weight.ts'
import { highHalf, lowHalf } from './point-value.ts'
import type { WeightBuilder } from './query-type.ts'

/** The structures that a field of numbers has; at least one. */
interface PointField {
  readonly field: string
  readonly indexed: boolean
  readonly docValues: boolean
}

/** @param intervals ascending and disjoint */
export function pointWeight(
  builder: WeightBuilder,
  { field, indexed, docValues }: PointField,
  id: number,
  score: number,
  intervals: readonly PointInterval[],
): PointWeight {
  const { leaves, terms } = builder
  if (indexed) terms.use(field, 'points')
  if (docValues) terms.use(field, 'numericValues')
  for (const leaf of leaves) builder.cost += leaf.fieldInfo(field)?.docCount ?? 0
  return { kind: 'point', id, field, score, intervals, indexed, docValues }
}

/** A closed interval of sortable integers, as halves. */
export function interval(lower: bigint, upper: bigint): PointInterval {
  return {
    lowerHi: highHalf(lower),
    lowerLo: lowHalf(lower),
    upperHi: highHalf(upper),
    upperLo: lowHalf(upper),
  }
}

/** The text of a query that has one form over points and one over doc values. */
export function eitherText({ indexed, docValues }: PointField, text: string): string {
  if (!indexed || !docValues) return text
  return `IndexOrDocValuesQuery(indexQuery=${text}, dvQuery=${text})`
}
