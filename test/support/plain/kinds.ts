/** The table of kinds that trees draw from: a new kind is a line here and a file beside the others. */
import { autoDateHistogram } from './bucket/auto-date-histogram.ts'
import { composite } from './bucket/composite.ts'
import { adjacencyMatrix, filter, filters, missing } from './bucket/filters.ts'
import { geohashGrid, geohexGrid, geotileGrid } from './bucket/grids.ts'
import { dateHistogram, histogram } from './bucket/histograms.ts'
import { dateRange, geoDistance, ipRange, range } from './bucket/ranges.ts'
import { diversifiedSampler, sampler } from './bucket/samplers.ts'
import { global, nested, reverseNested } from './bucket/scopes.ts'
import { multiTerms, rareTerms, terms } from './bucket/terms.ts'
import type { PlainKind, PlainPipeline } from './kind.ts'
import { cardinality, valueCount } from './metric/counts.ts'
import { geoBounds, geoCentroid } from './metric/geo-metrics.ts'
import { matrixStats } from './metric/matrix-stats.ts'
import { NUMBER_METRICS } from './metric/number-metrics.ts'
import { medianAbsoluteDeviation, percentileRanks, percentiles } from './metric/quantiles.ts'
import { topHits } from './metric/top-hits.ts'
import { weightedAvg } from './metric/weighted-avg.ts'
import { PARENTS } from './pipeline/parents.ts'
import { SIBLINGS } from './pipeline/siblings.ts'

/** Kinds that see documents, by the names of requests. */
export const KINDS: Readonly<Record<string, PlainKind>> = {
  ...NUMBER_METRICS,
  value_count: valueCount,
  cardinality,
  percentiles,
  percentile_ranks: percentileRanks,
  median_absolute_deviation: medianAbsoluteDeviation,
  weighted_avg: weightedAvg,
  top_hits: topHits,
  geo_bounds: geoBounds,
  geo_centroid: geoCentroid,
  matrix_stats: matrixStats,
  terms,
  rare_terms: rareTerms,
  multi_terms: multiTerms,
  histogram,
  date_histogram: dateHistogram,
  auto_date_histogram: autoDateHistogram,
  range,
  date_range: dateRange,
  ip_range: ipRange,
  geo_distance: geoDistance,
  geohash_grid: geohashGrid,
  geotile_grid: geotileGrid,
  geohex_grid: geohexGrid,
  filter,
  filters,
  adjacency_matrix: adjacencyMatrix,
  missing,
  global,
  nested,
  reverse_nested: reverseNested,
  sampler,
  diversified_sampler: diversifiedSampler,
  composite,
}

/** Pipelines, by the names of requests. */
export const PIPELINES: Readonly<Record<string, PlainPipeline>> = { ...SIBLINGS, ...PARENTS }
