import type { Aggregation } from '../../../aggregation/aggregation.ts'
import type { JsonObjectNode } from '../../../util/json/json-tree.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'
import type { ParsedSort } from '../field/sort-level.ts'
import type { ParsedQuery, QueryContext } from '../query-context.ts'
import type { AggregationBody } from './aggregation-body.ts'
import type { ParsedPipeline } from './pipeline-parser.ts'

/** An aggregation that has been read and checked, but not yet made for an index. */
export interface ParsedAggregation {
  readonly name: string
  readonly type: AggregationTypeName
  /** Undefined: none was given. */
  readonly meta: JsonValue | undefined
  /** How paths of orders read it. */
  readonly sortable: Sortability
  readonly below: ParsedAggregations
  readonly body: ParsedBody
}

/** Sibling aggregations, in order of the request. */
export interface ParsedAggregations {
  readonly nodes: readonly ParsedAggregation[]
  readonly pipelines: readonly ParsedPipeline[]
}

/** The parsed body of a type. */
export interface ParsedBody {
  /** Queries of filters, whose lookups run before they are built. */
  readonly queries?: readonly ParsedQuery[]
  /** Orders its buckets are sorted by, checked against the aggregations below it. */
  readonly order?: ParsedOrders
  /** Deprecation notices of old forms in it, those of its order apart; absent: none. */
  readonly warnings?: readonly string[]
  /** Of histograms, which pipelines over neighbouring buckets ask for. */
  readonly minDocCount?: number
  /** Whether documents that the query does not match have a part in it. */
  readonly seesAll?: boolean
  /** Buckets that it may give, where it pages through them. */
  readonly maxBuckets?: number
  /** Whether it samples, so that a profiled search is not cut into slices. */
  readonly samples?: boolean
  /** Documents that it shows; absent: it shows none. */
  readonly shows?: ParsedDocuments
  /** The context of the aggregations below it; absent: its own. */
  contextBelow?(context: QueryContext): QueryContext
  /** Whether an order may name a metric of one that has several. */
  hasMetric?(name: string): boolean
  /**
   * Makes the plan for an index.
   * @throws {EngineError} the index does not fit the request
   */
  bind(context: QueryContext, children: readonly Aggregation[]): Aggregation
}

/** Documents that an aggregation shows. */
export interface ParsedDocuments {
  /** The object with the keys that say what documents carry, among others. */
  readonly node: JsonObjectNode
  /** The other keys. */
  readonly otherKeys: readonly string[]
  readonly from: number
  readonly size: number
  /** Empty: by score. */
  readonly sort: readonly ParsedSort[]
  readonly trackScores: boolean
}

/** A criterion of an order. */
export interface ParsedOrder {
  readonly path: string
  /** The path as it was written. */
  readonly asked: string
  readonly descending: boolean
}

/** The order of an aggregation's buckets. */
export type ParsedOrders = readonly ParsedOrder[]

/** How paths of orders read an aggregation: as a metric or one of several, through it as a single bucket, or not. */
export type Sortability = 'metric' | 'stats' | 'single' | 'no'

/** A type of aggregation in requests; each has a file, and a line in `aggregation-parsers.ts`. */
export interface AggregationParser {
  /** Whether other aggregations may stand below it. */
  readonly takesChildren: boolean
  readonly sortable: Sortability
  /** @throws {EngineError} 400: not such an aggregation */
  parse(body: AggregationBody): ParsedBody
}

/** Names of the types, as requests give them. */
export type AggregationTypeName =
  | 'scripted_metric'
  | 'avg'
  | 'sum'
  | 'min'
  | 'max'
  | 'stats'
  | 'extended_stats'
  | 'value_count'
  | 'cardinality'
  | 'percentiles'
  | 'percentile_ranks'
  | 'median_absolute_deviation'
  | 'weighted_avg'
  | 'top_hits'
  | 'geo_bounds'
  | 'geo_centroid'
  | 'matrix_stats'
  | 'terms'
  | 'histogram'
  | 'date_histogram'
  | 'range'
  | 'date_range'
  | 'filter'
  | 'filters'
  | 'missing'
  | 'nested'
  | 'reverse_nested'
  | 'multi_terms'
  | 'rare_terms'
  | 'ip_range'
  | 'adjacency_matrix'
  | 'composite'
  | 'auto_date_histogram'
  | 'geo_distance'
  | 'significant_terms'
  | 'significant_text'
  | 'variable_width_histogram'
  | 'sampler'
  | 'diversified_sampler'
  | 'geohash_grid'
  | 'geotile_grid'
  | 'geohex_grid'
  | 'children'
  | 'parent'
  | 'global'
