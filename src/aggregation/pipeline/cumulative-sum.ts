/** cumulative_sum: the sum of the values up to each bucket. */
import type { ValueFormat } from '../value-source.ts'
import { type BucketsPath, valueAt } from './buckets-path.ts'
import type { ParentType, PipelineBase } from './pipeline-type.ts'
import { simpleValue } from './simple-value.ts'

/** The sum of the values up to each bucket. */
export interface CumulativeSum extends PipelineBase {
  readonly kind: 'cumulativeSum'
  readonly path: BucketsPath
  readonly format: ValueFormat
}

/** The sum of the values up to each bucket; gaps are zeros. */
export const cumulativeSum: ParentType<CumulativeSum> = {
  place: 'parent',
  parent: 'histogram',
  paths: ({ path }) => [path],
  apply({ name, path, format }, { buckets }) {
    let sum = 0
    for (const bucket of buckets) {
      sum += valueAt(bucket, path, 'insert_zeros', name) ?? 0
      bucket.children.set(name, simpleValue(sum, format))
    }
  },
}
