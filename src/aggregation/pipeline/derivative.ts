/** derivative: the difference of each bucket's value and the one before. */

import { printNumber } from '../metric/moments.ts'
import type { MetricResult } from '../result.ts'
import type { ValueFormat } from '../value-source.ts'
import { type BucketsPath, valueAt } from './buckets-path.ts'
import type { ParentType, PipelineBase } from './pipeline-type.ts'
import { simpleValue } from './simple-value.ts'

/** The difference of each bucket's value and the one before. */
export interface Derivative extends PipelineBase {
  readonly kind: 'derivative'
  readonly path: BucketsPath
  readonly format: ValueFormat
  /** Milliseconds that a normalised difference is for; null: none is given. */
  readonly unitInMillis: number | null
}

/** Differences where both buckets have a value, or a gap. */
export const derivative: ParentType<Derivative> = {
  place: 'parent',
  parent: 'histogram',
  paths: ({ path }) => [path],
  apply({ name, path, format, gapPolicy, unitInMillis }, { buckets }) {
    let last: { readonly value: number | null; readonly key: number } | null = null
    for (const bucket of buckets) {
      const value = valueAt(bucket, path, gapPolicy, name)
      if (value !== null && last !== null && last.value !== null) {
        const difference = value - last.value
        const result = simpleValue(difference, format, 'derivative')
        bucket.children.set(
          name,
          unitInMillis === null
            ? result
            : normalised(result, difference / ((bucket.key - last.key) / unitInMillis)),
        )
      }
      last = { value, key: bucket.key }
    }
  },
}

function normalised(result: MetricResult, value: number): MetricResult {
  return {
    ...result,
    value: metric => (metric === 'normalized_value' ? value : result.value(metric)),
    print: () => ({ ...result.print(), normalized_value: printNumber(value) }),
  }
}
