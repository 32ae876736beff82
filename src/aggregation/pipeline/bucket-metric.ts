/** avg_bucket, sum_bucket, min_bucket, max_bucket, stats_bucket, extended_stats_bucket. */
import { ExactSums, roundedSum, sumScale } from '../exact-sum.ts'
import { MOMENT_METRICS, type MomentMetric, type Moments } from '../metric/moments.ts'
import type { BucketResult, MetricResult } from '../result.ts'
import type { ValueFormat } from '../value-source.ts'
import { numberText } from '../value-text.ts'
import { type BucketsPath, valueAt } from './buckets-path.ts'
import type { PipelineBase, SiblingType } from './pipeline-type.ts'
import { simpleValue } from './simple-value.ts'

/** A metric over the values of a sibling's buckets. */
export interface BucketMetric extends PipelineBase {
  readonly kind: 'bucketMetric'
  readonly metric: MomentMetric
  readonly path: BucketsPath
  readonly format: ValueFormat
  /** Width of the bounds of extended_stats_bucket, in standard deviations. */
  readonly sigma: number
}

/** A metric over the values of a sibling's buckets; gaps are passed over. */
export const bucketMetric: SiblingType<BucketMetric> = {
  place: 'sibling',
  path: ({ path }) => path,
  result(plan, buckets, rest) {
    const { metric, gapPolicy, name, format, sigma } = plan
    const values: number[] = []
    const kept: BucketResult[] = []
    for (const bucket of buckets) {
      const value = valueAt(bucket, rest, gapPolicy, name)
      if (value === null || Number.isNaN(value)) continue
      values.push(value)
      kept.push(bucket)
    }
    const moments = momentsOf(values)
    switch (metric) {
      case 'avg':
      case 'sum':
        return simpleValue(MOMENT_METRICS[metric].value(moments, sigma, null)!, format)
      case 'min':
      case 'max': {
        const best = metric === 'min' ? moments.min : moments.max
        const keys = kept.filter((_, i) => values[i] === best).map(bucket => bucket.name)
        return withKeys(simpleValue(best, format, 'bucket_metric_value'), keys)
      }
      case 'stats':
      case 'extended_stats': {
        const type = MOMENT_METRICS[metric]
        return {
          kind: 'metric',
          typedName: `${metric}_bucket`,
          value: key => type.value(moments, sigma, key),
          print: () => type.print(moments, sigma, numberText(format)),
        }
      }
    }
  },
}

function withKeys(result: MetricResult, keys: readonly string[]): MetricResult {
  return { ...result, print: () => ({ ...result.print(), keys }) }
}

function momentsOf(values: readonly number[]): Moments {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const value of values) {
    min = Math.min(min, value)
    max = Math.max(max, value)
  }
  return {
    count: values.length,
    min,
    max,
    sum: sumOf(values),
    squares: sumOf(values.map(value => value * value)),
  }
}

/** The exact sum of doubles, rounded once. */
function sumOf(values: readonly number[]): number {
  const sums = new ExactSums(sumScale(ANY_DOUBLE))
  sums.ensure(1)
  for (const value of values) sums.add(0, value)
  return roundedSum(sums.sum(0))
}

const ANY_DOUBLE = { min: -1074, max: 1023 }
