/** serial_diff: the difference of each bucket's value and one some buckets before. */
import type { ValueFormat } from '../value-source.ts'
import { type BucketsPath, valueAt } from './buckets-path.ts'
import type { ParentType, PipelineBase } from './pipeline-type.ts'
import { simpleValue } from './simple-value.ts'

/** The difference of each bucket's value and one some buckets before. */
export interface SerialDifference extends PipelineBase {
  readonly kind: 'serialDifference'
  readonly path: BucketsPath
  readonly format: ValueFormat
  /** Buckets between them, at least 1. */
  readonly lag: number
}

/** Differences where both values are there. */
export const serialDifference: ParentType<SerialDifference> = {
  place: 'parent',
  parent: 'histogram',
  paths: ({ path }) => [path],
  apply({ name, path, format, gapPolicy, lag }, { buckets }) {
    const values = buckets.map(bucket => valueAt(bucket, path, gapPolicy, name) ?? Number.NaN)
    for (const [i, bucket] of buckets.entries()) {
      const difference = values[i]! - (values[i - lag] ?? Number.NaN)
      if (!Number.isNaN(difference)) bucket.children.set(name, simpleValue(difference, format))
    }
  },
}
