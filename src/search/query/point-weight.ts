/** The weight of numeric queries over intervals, and the text of those queries. */
import type { PointInterval, PointWeight } from '../weight/weight-node.ts'
import { highHalf, lowHalf } from './point-value.ts'
import type { WeightBuilder } from './query-type.ts'

/** The structures of a numeric field; at least one is true. */
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

/**
 * The text of a query on the structures that its field has.
 * @param points over points
 * @param values over doc values
 */
export function eitherText(
  { indexed, docValues }: PointField,
  points: string,
  values: string = points,
): string {
  if (!docValues) return points
  return indexed ? `IndexOrDocValuesQuery(indexQuery=${points}, dvQuery=${values})` : values
}
