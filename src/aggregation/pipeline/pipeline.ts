/** Pipeline aggregations: functions of the results of others. */
import type { BucketMetric } from './bucket-metric.ts'
import type { BucketScript, BucketSelector } from './bucket-script.ts'
import type { BucketSort } from './bucket-sort.ts'
import type { CumulativeSum } from './cumulative-sum.ts'
import type { Derivative } from './derivative.ts'
import type { MovingAverage } from './moving-average.ts'
import type { MovingFunction } from './moving-function.ts'
import type { PercentilesBucket } from './percentiles-bucket.ts'
import type { SerialDifference } from './serial-difference.ts'

/** A pipeline aggregation of a request. */
export type PipelinePlan =
  | BucketMetric
  | PercentilesBucket
  | CumulativeSum
  | Derivative
  | SerialDifference
  | MovingFunction
  | MovingAverage
  | BucketSort
  | BucketScript
  | BucketSelector
