/** The table of pipeline aggregations by name. */
import { bucketMetric } from './pipeline/bucket-metric.ts'
import { bucketScript, bucketSelector } from './pipeline/bucket-script.ts'
import { bucketSort } from './pipeline/bucket-sort.ts'
import { cumulativeSum } from './pipeline/cumulative-sum.ts'
import { derivative } from './pipeline/derivative.ts'
import { movingAverage } from './pipeline/moving-average.ts'
import { movingFunction } from './pipeline/moving-function.ts'
import { percentilesBucket } from './pipeline/percentiles-bucket.ts'
import { serialDifference } from './pipeline/serial-difference.ts'
import type { PipelineParser } from './pipeline-parser.ts'

const PIPELINE_PARSERS: { readonly [name: string]: PipelineParser } = {
  avg_bucket: bucketMetric('avg'),
  sum_bucket: bucketMetric('sum'),
  min_bucket: bucketMetric('min'),
  max_bucket: bucketMetric('max'),
  stats_bucket: bucketMetric('stats'),
  extended_stats_bucket: bucketMetric('extended_stats'),
  percentiles_bucket: percentilesBucket,
  cumulative_sum: cumulativeSum,
  derivative,
  serial_diff: serialDifference,
  moving_fn: movingFunction,
  bucket_sort: bucketSort,
  bucket_script: bucketScript,
  bucket_selector: bucketSelector,
  moving_avg: movingAverage,
}

/** Old types, each with what is said of it. */
export const OLD_PIPELINE_TYPES: ReadonlyMap<string, string> = new Map([
  [
    'moving_avg',
    'The moving_avg aggregation has been deprecated in favor of the moving_fn aggregation.',
  ],
])

/** The names of the types. */
export const PIPELINE_TYPE_NAMES: readonly string[] = Object.keys(PIPELINE_PARSERS)

/** The parser of a type; null: it is none of pipelines. */
export function pipelineParser(name: string): PipelineParser | null {
  return Object.hasOwn(PIPELINE_PARSERS, name) ? PIPELINE_PARSERS[name]! : null
}
