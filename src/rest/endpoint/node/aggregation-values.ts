/** The categories of values that aggregations read, as `_nodes` prints them. */
import { AGGREGATION_TYPE_NAMES } from '../../../engine/dsl/aggregation/aggregation-parsers.ts'
import type { JsonMap } from '../../../util/json/json-value.ts'

const NUMBERS = ['boolean', 'date', 'numeric']
const KEYS = ['boolean', 'bytes', 'date', 'ip', 'numeric']
const ANY = ['boolean', 'bytes', 'date', 'geopoint', 'ip', 'numeric', 'range']
const PLACES = ['geopoint']
/** Values of no field, or of several. */
const OTHER = ['other']

/** By the type of the aggregation; a line for each that searches may ask for. */
export const AGGREGATION_VALUES: Readonly<Record<string, readonly string[]>> = {
  adjacency_matrix: OTHER,
  auto_date_histogram: NUMBERS,
  avg: NUMBERS,
  cardinality: ANY,
  children: OTHER,
  composite: OTHER,
  date_histogram: [...NUMBERS, 'range'],
  date_range: NUMBERS,
  diversified_sampler: ['boolean', 'bytes', 'date', 'numeric'],
  extended_stats: NUMBERS,
  filter: OTHER,
  filters: OTHER,
  geo_bounds: PLACES,
  geo_centroid: PLACES,
  geo_distance: PLACES,
  geohash_grid: PLACES,
  geohex_grid: PLACES,
  geotile_grid: PLACES,
  global: OTHER,
  histogram: [...NUMBERS, 'range'],
  ip_range: ['ip'],
  matrix_stats: OTHER,
  max: NUMBERS,
  median_absolute_deviation: NUMBERS,
  min: NUMBERS,
  missing: ANY,
  multi_terms: KEYS,
  nested: OTHER,
  parent: OTHER,
  percentile_ranks: NUMBERS,
  percentiles: NUMBERS,
  range: NUMBERS,
  rare_terms: KEYS,
  reverse_nested: OTHER,
  sampler: OTHER,
  scripted_metric: OTHER,
  significant_terms: KEYS,
  significant_text: OTHER,
  stats: NUMBERS,
  sum: NUMBERS,
  terms: KEYS,
  top_hits: OTHER,
  value_count: ANY,
  variable_width_histogram: NUMBERS,
  weighted_avg: OTHER,
}

/** `aggregations` of `_nodes`: those that searches may ask for. */
export function printAggregationValues(): JsonMap {
  return new Map(
    [...AGGREGATION_TYPE_NAMES]
      .sort()
      .map(name => [name, { types: [...(AGGREGATION_VALUES[name] ?? OTHER)] }]),
  )
}
