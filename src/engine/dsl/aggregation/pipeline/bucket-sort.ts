import type { BucketSort } from '../../../../aggregation/pipeline/bucket-sort.ts'
import { type GapPolicy, readPath } from '../../../../aggregation/pipeline/buckets-path.ts'
import { IllegalArgumentError } from '../../../../util/errors.ts'
import { readInteger } from '../../json-scalars.ts'
import { parseSort } from '../../sort.ts'
import { readFields } from '../object-fields.ts'
import type { PipelineParser } from '../pipeline-parser.ts'
import { readGapPolicy } from './pipeline-keys.ts'

/** bucket_sort. */
export const bucketSort: PipelineParser = ({ name, node }) => {
  let sort: BucketSort['sort'] = []
  let from = 0
  let size: number | null = null
  let gapPolicy: GapPolicy = 'skip'
  readFields(node, 'bucket_sort', {
    sort: value => {
      sort = parseSort(value).map(({ field, order }) => ({
        path: readPath(field),
        descending: order === 'desc',
      }))
    },
    from: value => {
      from = readInteger(value)
      if (from < 0)
        throw new IllegalArgumentError(`[from] must be a non-negative integer: [${from}]`)
    },
    size: value => {
      size = readInteger(value)
      if (size <= 0) throw new IllegalArgumentError(`[size] must be a positive integer: [${size}]`)
    },
    gap_policy: value => {
      gapPolicy = readGapPolicy(value)
    },
  })
  return { kind: 'bucketSort', name, gapPolicy, sort, from, size }
}
