/** The union of aggregations; `aggregation-types.ts` has the table of their kinds. */
import type { Cardinality } from './cardinality/cardinality.ts'
import type { AdjacencyMatrix } from './filter/adjacency-matrix.ts'
import type { Filter } from './filter/filter.ts'
import type { Filters } from './filter/filters.ts'
import type { Missing } from './filter/missing.ts'
import type { GeoBounds } from './geo/geo-bounds.ts'
import type { GeoCentroid } from './geo/geo-centroid.ts'
import type { GeoGrid } from './geo/geo-grid.ts'
import type { Global } from './global/global.ts'
import type { AutoDateHistogram } from './histogram/auto-date-histogram.ts'
import type { DateHistogram } from './histogram/date-histogram.ts'
import type { Histogram } from './histogram/histogram.ts'
import type { Joined } from './join/joined.ts'
import type { Tied } from './join/tied.ts'
import type { MatrixStats } from './matrix/matrix-stats.ts'
import type { NumberMetric } from './metric/number-metric.ts'
import type { ValueCount } from './metric/value-count.ts'
import type { WeightedAvg } from './metric/weighted-avg.ts'
import type { Nested } from './nested/nested.ts'
import type { ReverseNested } from './nested/reverse-nested.ts'
import type { MedianAbsoluteDeviation } from './quantile/median-absolute-deviation.ts'
import type { Quantiles } from './quantile/quantiles.ts'
import type { GeoDistance } from './range/geo-distance.ts'
import type { IpRange } from './range/ip-range.ts'
import type { Range } from './range/range.ts'
import type { DiversifiedSampler } from './sampler/diversified-sampler.ts'
import type { Sampler } from './sampler/sampler.ts'
import type { ScriptedMetricPlan } from './scripted/scripted-metric.ts'
import type { Background } from './significant/background.ts'
import type { SignificantTerms } from './significant/significant-terms.ts'
import type { SignificantText } from './significant/significant-text.ts'
import type { KeptTerms } from './terms/kept-terms.ts'
import type { RareTerms } from './terms/rare-terms.ts'
import type { Terms } from './terms/terms-plan.ts'
import type { TopHits } from './top-hits/top-hits.ts'
import type { Composite } from './tuple/composite.ts'
import type { MultiTerms } from './tuple/multi-terms.ts'
import type { Unmapped } from './unmapped/unmapped.ts'
import type { VariableWidthHistogram } from './variable-width/variable-width-histogram.ts'

/** Every aggregation, bound to one index. */
export type Aggregation =
  | NumberMetric
  | ValueCount
  | Cardinality
  | Quantiles
  | MedianAbsoluteDeviation
  | WeightedAvg
  | TopHits
  | GeoBounds
  | GeoCentroid
  | MatrixStats
  | Terms
  | Histogram
  | DateHistogram
  | AutoDateHistogram
  | VariableWidthHistogram
  | Range
  | Filter
  | Filters
  | Missing
  | MultiTerms
  | RareTerms
  | IpRange
  | GeoDistance
  | GeoGrid
  | AdjacencyMatrix
  | Composite
  | Nested
  | ReverseNested
  | SignificantTerms
  | SignificantText
  | Background
  | Sampler
  | DiversifiedSampler
  | Joined
  | Tied
  | KeptTerms
  | Global
  | ScriptedMetricPlan
  | Unmapped
