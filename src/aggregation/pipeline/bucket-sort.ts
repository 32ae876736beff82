/** bucket_sort: the parent's buckets sorted and cut. */
import type { BucketResult } from '../result.ts'
import { type BucketsPath, valueAt } from './buckets-path.ts'
import type { ParentType, PipelineBase } from './pipeline-type.ts'

/** The parent's buckets sorted and cut. */
export interface BucketSort extends PipelineBase {
  readonly kind: 'bucketSort'
  readonly sort: readonly { readonly path: BucketsPath; readonly descending: boolean }[]
  readonly from: number
  /** Null: all behind `from`. */
  readonly size: number | null
}

/** A value to sort by; keys of terms are texts. */
type SortValue = number | string | null

/** Sorts buckets, drops those without any value to sort by, and cuts them. */
export const bucketSort: ParentType<BucketSort> = {
  place: 'parent',
  parent: 'any',
  paths: ({ sort }) => sort.map(({ path }) => path),
  apply(plan, parent) {
    const { sort, from, size } = plan
    const end = size === null ? undefined : from + size
    if (sort.length === 0) {
      parent.buckets = parent.buckets.slice(from, end)
      return
    }
    const valued = parent.buckets
      .map(bucket => ({ bucket, values: sort.map(({ path }) => sortValue(bucket, path, plan)) }))
      .filter(({ values }) => values.some(value => value !== null))
    valued.sort((a, b) => {
      for (const [i, { descending }] of sort.entries()) {
        const order = compare(a.values[i]!, b.values[i]!, descending)
        if (order !== 0) return order
      }
      return 0
    })
    parent.buckets = valued.slice(from, end).map(({ bucket }) => bucket)
  },
}

function sortValue(
  bucket: BucketResult,
  path: BucketsPath,
  { gapPolicy, name }: BucketSort,
): SortValue {
  if (path.length === 1 && path[0]!.name === '_key' && Number.isNaN(bucket.key)) return bucket.name
  if (path.length === 1 && path[0]!.name === '_key') return bucket.key
  const value = valueAt(bucket, path, gapPolicy, name)
  return value === null || Number.isNaN(value) ? null : value
}

/** A value that is missing stands last. */
function compare(a: SortValue, b: SortValue, descending: boolean): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
  if (a === b) return 0
  return a < b === descending ? 1 : -1
}
