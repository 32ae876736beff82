/** The keys that say how buckets are sorted and cut: sizes, min counts and the order. */
import type { CutBuckets } from '../../../aggregation/terms/terms-plan.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { readBoolean, readText } from '../json-scalars.ts'
import type { ParsedOrders } from './aggregation-parser.ts'
import { readMinDocCount, readSize } from './counts.ts'
import type { FieldReaders } from './object-fields.ts'
import { BY_COUNT, bucketOrders, readOrders } from './orders.ts'

const COLLECT_MODES = ['depth_first', 'breadth_first'] as const
const MAX_SIZE = 2147483647

/** The keys as a request gives them. */
export interface CutKeys {
  size: number
  /** −1: none is given. */
  shardSize: number
  minDocCount: number
  shardMinDocCount: number
  order: ParsedOrders
  showsErrors: boolean
  /** `collect_mode`: whether children see the documents of buckets that stay, and not those of all; null: left open. */
  isBreadthFirst: boolean | null
}

/** Keys of none. */
export function newCutKeys(): CutKeys {
  return {
    size: 10,
    shardSize: -1,
    minDocCount: 1,
    shardMinDocCount: 0,
    order: BY_COUNT,
    showsErrors: false,
    isBreadthFirst: null,
  }
}

/** Readers of the keys. @param name of the aggregation, for errors */
export function cutReaders(keys: CutKeys, name: string): FieldReaders {
  return {
    size: value => {
      keys.size = readSize(value, 'size', name)
    },
    shard_size: value => {
      keys.shardSize = readSize(value, 'shardSize', name)
    },
    min_doc_count: value => {
      keys.minDocCount = readMinDocCount(value, 'minDocCount', name)
    },
    shard_min_doc_count: value => {
      keys.shardMinDocCount = readMinDocCount(value, 'shardMinDocCount', name)
    },
    order: value => {
      keys.order = readOrders(value)
    },
    show_term_doc_count_error: value => {
      keys.showsErrors = readBoolean(value)
    },
    collect_mode: value => {
      const mode = readText(value)
      keys.isBreadthFirst = mode === 'breadth_first'
      if (!COLLECT_MODES.some(each => each === mode))
        throw new IllegalArgumentError(
          `Unknown \`collect_mode\`: [${mode}], expected any of [${COLLECT_MODES.join(', ')}]`,
        )
    },
  }
}

/** How buckets are sorted and cut. */
export function cutBuckets(keys: CutKeys): CutBuckets {
  const { size, shardSize, minDocCount, shardMinDocCount, order, showsErrors } = keys
  const isByKey = order[0]?.path === '_key'
  const usual = isByKey ? size : Math.min(MAX_SIZE, Math.floor(size * 1.5) + 10)
  return {
    size,
    shardSize: Math.max(size, shardSize < 0 ? usual : shardSize),
    minDocCount,
    shardMinDocCount: Math.min(minDocCount, shardMinDocCount),
    order: bucketOrders(order),
    showsErrors,
    maxDocCount: Number.POSITIVE_INFINITY,
  }
}
