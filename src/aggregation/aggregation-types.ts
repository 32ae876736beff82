import type { Aggregation } from './aggregation.ts'
import type { AggregationType } from './aggregation-type.ts'
import { cardinality } from './cardinality/cardinality.ts'
import { adjacencyMatrix } from './filter/adjacency-matrix.ts'
import { filter } from './filter/filter.ts'
import { filters } from './filter/filters.ts'
import { missing } from './filter/missing.ts'
import { geoBounds } from './geo/geo-bounds.ts'
import { geoCentroid } from './geo/geo-centroid.ts'
import { geoGrid } from './geo/geo-grid.ts'
import { global } from './global/global.ts'
import { autoDateHistogram } from './histogram/auto-date-histogram.ts'
import { dateHistogram } from './histogram/date-histogram.ts'
import { histogram } from './histogram/histogram.ts'
import { joined } from './join/joined.ts'
import { tied } from './join/tied.ts'
import { matrixStats } from './matrix/matrix-stats.ts'
import { numberMetric } from './metric/number-metric.ts'
import { valueCount } from './metric/value-count.ts'
import { weightedAvg } from './metric/weighted-avg.ts'
import { nested } from './nested/nested.ts'
import { reverseNested } from './nested/reverse-nested.ts'
import { medianAbsoluteDeviation } from './quantile/median-absolute-deviation.ts'
import { quantiles } from './quantile/quantiles.ts'
import { geoDistance } from './range/geo-distance.ts'
import { ipRange } from './range/ip-range.ts'
import { range } from './range/range.ts'
import { diversifiedSampler } from './sampler/diversified-sampler.ts'
import { sampler } from './sampler/sampler.ts'
import { scriptedMetric } from './scripted/scripted-metric.ts'
import { background } from './significant/background.ts'
import { significantTerms } from './significant/significant-terms.ts'
import { significantText } from './significant/significant-text.ts'
import { keptTerms } from './terms/kept-terms.ts'
import { rareTerms } from './terms/rare-terms.ts'
import { terms } from './terms/terms.ts'
import { topHits } from './top-hits/top-hits.ts'
import { composite } from './tuple/composite.ts'
import { multiTerms } from './tuple/multi-terms.ts'
import { unmapped } from './unmapped/unmapped.ts'
import { variableWidthHistogram } from './variable-width/variable-width-histogram.ts'

type OfKind<K extends Aggregation['kind']> = Extract<Aggregation, { readonly kind: K }>

/** The prepared data that slices read beside a plan is private to its kind. */
type TypeOf<A extends Aggregation> = AggregationType<A, unknown>

const AGGREGATION_TYPES: { readonly [K in Aggregation['kind']]: TypeOf<OfKind<K>> } = {
  numberMetric,
  valueCount,
  cardinality,
  quantiles,
  medianAbsoluteDeviation,
  weightedAvg,
  topHits,
  geoBounds,
  geoCentroid,
  matrixStats,
  terms,
  histogram,
  dateHistogram,
  autoDateHistogram,
  variableWidthHistogram,
  range,
  filter,
  filters,
  missing,
  multiTerms,
  rareTerms,
  ipRange,
  geoDistance,
  geoGrid,
  adjacencyMatrix,
  composite,
  nested,
  reverseNested,
  significantTerms,
  significantText,
  background,
  sampler,
  diversifiedSampler,
  joined,
  tied,
  keptTerms,
  global,
  scriptedMetric,
  unmapped,
}

/** The type of a plan, for plans of that kind alone. */
export function typeOf(plan: Aggregation): TypeOf<Aggregation> {
  return AGGREGATION_TYPES[plan.kind]
}
