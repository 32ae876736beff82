/** The table of aggregations by name: it stops compiling when one is missing. */

import { adjacencyMatrix } from './adjacency-matrix.ts'
import type { AggregationParser, AggregationTypeName } from './aggregation-parser.ts'
import { autoDateHistogram } from './auto-date-histogram.ts'
import { cardinality } from './cardinality.ts'
import { composite } from './composite.ts'
import { dateHistogram } from './date-histogram.ts'
import { dateRange } from './date-range.ts'
import { diversifiedSampler } from './diversified-sampler.ts'
import { filter } from './filter.ts'
import { filters } from './filters.ts'
import { geoBounds } from './geo-bounds.ts'
import { geoCentroid } from './geo-centroid.ts'
import { geoDistance } from './geo-distance.ts'
import { geohashGrid, geohexGrid, geotileGrid } from './geo-grids.ts'
import { global } from './global.ts'
import { histogram } from './histogram.ts'
import { ipRange } from './ip-range.ts'
import { children, parent } from './joined.ts'
import { matrixStats } from './matrix-stats.ts'
import { medianAbsoluteDeviation } from './median-absolute-deviation.ts'
import { missing } from './missing.ts'
import { multiTerms } from './multi-terms.ts'
import { nested } from './nested.ts'
import { numberMetric } from './number-metric.ts'
import { quantiles } from './quantiles.ts'
import { range } from './range.ts'
import { rareTerms } from './rare-terms.ts'
import { reverseNested } from './reverse-nested.ts'
import { sampler } from './sampler.ts'
import { scriptedMetric } from './scripted-metric.ts'
import { significantTerms } from './significant-terms.ts'
import { significantText } from './significant-text.ts'
import { terms } from './terms.ts'
import { topHits } from './top-hits.ts'
import { valueCount } from './value-count.ts'
import { variableWidthHistogram } from './variable-width-histogram.ts'
import { weightedAvg } from './weighted-avg.ts'

const AGGREGATION_PARSERS: { readonly [N in AggregationTypeName]: AggregationParser } = {
  avg: numberMetric('avg'),
  sum: numberMetric('sum'),
  min: numberMetric('min'),
  max: numberMetric('max'),
  stats: numberMetric('stats'),
  extended_stats: numberMetric('extended_stats'),
  value_count: valueCount,
  cardinality,
  percentiles: quantiles('percentiles'),
  percentile_ranks: quantiles('percentile_ranks'),
  median_absolute_deviation: medianAbsoluteDeviation,
  weighted_avg: weightedAvg,
  scripted_metric: scriptedMetric,
  top_hits: topHits,
  geo_bounds: geoBounds,
  geo_centroid: geoCentroid,
  matrix_stats: matrixStats,
  terms,
  histogram,
  date_histogram: dateHistogram,
  range,
  date_range: dateRange,
  filter,
  filters,
  missing,
  nested,
  reverse_nested: reverseNested,
  multi_terms: multiTerms,
  rare_terms: rareTerms,
  ip_range: ipRange,
  adjacency_matrix: adjacencyMatrix,
  composite,
  auto_date_histogram: autoDateHistogram,
  geo_distance: geoDistance,
  significant_terms: significantTerms,
  significant_text: significantText,
  variable_width_histogram: variableWidthHistogram,
  sampler,
  diversified_sampler: diversifiedSampler,
  geohash_grid: geohashGrid,
  geotile_grid: geotileGrid,
  geohex_grid: geohexGrid,
  children,
  parent,
  global,
}

/** The names of the types. */
export const AGGREGATION_TYPE_NAMES: readonly string[] = Object.keys(AGGREGATION_PARSERS)

/** Whether a name is that of an aggregation. */
export function isAggregationType(name: string): name is AggregationTypeName {
  return Object.hasOwn(AGGREGATION_PARSERS, name)
}

/** The parser of a type. */
export function aggregationParser(name: AggregationTypeName): AggregationParser {
  return AGGREGATION_PARSERS[name]
}
