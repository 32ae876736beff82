import type { JsonObjectNode } from '../../../util/json/json-tree.ts'

/** The object behind the name of a type. */
export interface AggregationBody {
  /** Name of the aggregation. */
  readonly name: string
  readonly node: JsonObjectNode
}
