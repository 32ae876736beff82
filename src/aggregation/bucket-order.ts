/** Orders of buckets, by count, key or the metrics of the nodes below them. */
import type { ReducedChild } from './aggregation-type.ts'

/** One criterion of an order: plain data. */
export type BucketOrder =
  | { readonly by: 'count'; readonly descending: boolean }
  | { readonly by: 'key'; readonly descending: boolean }
  | {
      readonly by: 'path'
      /** Names of nodes, outermost first. */
      readonly path: readonly string[]
      /** Null: the node's only value, or its document count. */
      readonly metric: string | null
      readonly descending: boolean
    }

/** The buckets that an order compares. */
export interface OrderedBuckets {
  count(bucket: number): number
  compareKeys(a: number, b: number): number
}

type Compare = (a: number, b: number) => number

/** Compares buckets: below 0 where the first stands ahead. */
export function compareBuckets(
  orders: readonly BucketOrder[],
  buckets: OrderedBuckets,
  children: readonly ReducedChild[],
): Compare {
  const compares = orders.map(order => compareBy(order, buckets, children))
  if (compares.length === 1) return compares[0]!
  return (a, b) => {
    for (const compare of compares) {
      const order = compare(a, b)
      if (order !== 0) return order
    }
    return 0
  }
}

/** Whether the values of all paths are known: those below samplers and joins are not before a second pass. */
export function areReached(
  orders: readonly BucketOrder[],
  children: readonly ReducedChild[],
): boolean {
  return orders.every(order => {
    if (order.by !== 'path') return true
    const last = nodesAt(order.path, children)?.at(-1)
    return last !== undefined && last.isLate !== true
  })
}

function compareBy(
  order: BucketOrder,
  buckets: OrderedBuckets,
  children: readonly ReducedChild[],
): Compare {
  const sign = order.descending ? -1 : 1
  switch (order.by) {
    case 'count':
      return (a, b) => sign * (buckets.count(a) - buckets.count(b))
    case 'key':
      return (a, b) => sign * buckets.compareKeys(a, b)
    case 'path': {
      const value = valueAt(order.path, order.metric, children)
      return (a, b) => compareValues(value(a), value(b), sign)
    }
  }
}

/** NaN, and the infinities of a min or max of no values, stand behind all values in either direction. */
function compareValues(a: number, b: number, sign: number): number {
  if (!Number.isFinite(a)) return Number.isFinite(b) ? 1 : 0
  if (!Number.isFinite(b)) return -1
  return a < b ? -sign : a > b ? sign : 0
}

function valueAt(
  path: readonly string[],
  metric: string | null,
  children: readonly ReducedChild[],
): (bucket: number) => number {
  const nodes = nodesAt(path, children)
  const last = nodes?.pop()
  if (nodes === null || last === undefined) return () => Number.NaN
  return bucket => {
    let at = bucket
    // Of a bucket that nothing fell into, −1, a node tells the value of no documents.
    for (const node of nodes) at = at < 0 ? -1 : node.bucketOf(at)
    return last.value(at, metric)
  }
}

function nodesAt(
  path: readonly string[],
  children: readonly ReducedChild[],
): ReducedChild[] | null {
  const nodes: ReducedChild[] = []
  let siblings = children
  for (const name of path) {
    const node = siblings.find(each => each.name === name)
    if (node === undefined) return null
    nodes.push(node)
    siblings = node.children
  }
  return nodes
}

/** Whether buckets of more documents stand first. */
export function isByCount([first]: readonly BucketOrder[]): boolean {
  return first?.by === 'count' && first.descending
}

/** Whether of buckets of equally many documents the one with the lower key stands first. */
function isThenByKey([, second]: readonly BucketOrder[]): boolean {
  return second?.by === 'key' && !second.descending
}

/**
 * The first `count` of buckets in their order; the others are not sorted.
 * @param counts by bucket, where more of them stand first: most buckets are passed over by it alone
 */
export function firstBuckets(
  buckets: Int32Array,
  count: number,
  compare: Compare,
  counts: Float64Array | null = null,
): Int32Array {
  if (buckets.length <= count) return buckets.slice().sort(compare)
  // A heap whose root is the last of the best so far.
  const heap = buckets.slice(0, count)
  for (let i = (count >> 1) - 1; i >= 0; i--) sink(heap, i, compare)
  if (count > 0)
    for (let i = count; i < buckets.length; i++) {
      if (counts !== null && counts[buckets[i]!]! < counts[heap[0]!]!) continue
      if (compare(buckets[i]!, heap[0]!) >= 0) continue
      heap[0] = buckets[i]!
      sink(heap, 0, compare)
    }
  return heap.sort(compare)
}

/**
 * The first `size` of all buckets with a min count in their order, and the sum of all counts that have it.
 * @param counts  by bucket
 * @param ascends whether buckets ascend by key
 */
export function firstCounted(
  counts: ArrayLike<number>,
  min: number,
  size: number,
  compareAny: Compare,
  order: readonly BucketOrder[],
  ascends: boolean,
): { readonly best: Int32Array; readonly sum: number } {
  const byCount = isByCount(order)
  // Buckets are met in order of their keys, so that a tie goes to the one that was met first.
  const tiesByMeeting = ascends && isThenByKey(order)
  const compare =
    byCount && tiesByMeeting
      ? (a: number, b: number) => counts[b]! - counts[a]! || a - b
      : compareAny
  const found = new Int32Array(Math.min(size, counts.length))
  let sum = 0
  let taken = 0
  let bucket = 0
  for (; bucket < counts.length && taken < found.length; bucket++) {
    const count = counts[bucket]!
    if (count < min) continue
    found[taken++] = bucket
    sum += count
  }
  const heap = found.subarray(0, taken)
  if (bucket < counts.length && taken > 0) {
    for (let i = (taken >> 1) - 1; i >= 0; i--) sink(heap, i, compare)
    const more = tiesByMeeting ? 1 : 0
    let least = byCount ? counts[heap[0]!]! + more : 0
    while (bucket < counts.length) {
      // Most buckets are passed over by their counts alone, without a call.
      const next = byCount && min <= 1 ? passedBelow(counts, bucket, least) : bucket
      sum += sumBetween(counts, bucket, next)
      bucket = next
      if (bucket === counts.length) break
      const count = counts[bucket]!
      if (count >= min) {
        sum += count
        if (count >= least && compare(bucket, heap[0]!) < 0) {
          heap[0] = bucket
          sink(heap, 0, compare)
          if (byCount) least = counts[heap[0]!]! + more
        }
      }
      bucket++
    }
  }
  return { best: heap.sort(compare), sum }
}

/** Four are added before the sum is, which waits for each addition. */
function sumBetween(counts: ArrayLike<number>, from: number, to: number): number {
  let sum = 0
  let at = from
  for (; at + 4 <= to; at += 4)
    sum += counts[at]! + counts[at + 1]! + (counts[at + 2]! + counts[at + 3]!)
  for (; at < to; at++) sum += counts[at]!
  return sum
}

/** The first of the counts from an index on that is not below a number; their length where there is none. */
function passedBelow(counts: ArrayLike<number>, from: number, least: number): number {
  let at = from
  const last = counts.length - 4
  while (
    at <= last &&
    counts[at]! < least &&
    counts[at + 1]! < least &&
    counts[at + 2]! < least &&
    counts[at + 3]! < least
  )
    at += 4
  while (at < counts.length && counts[at]! < least) at++
  return at
}

function sink(heap: Int32Array, from: number, compare: Compare): void {
  const moved = heap[from]!
  let at = from
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && compare(heap[child + 1]!, heap[child]!) > 0) child++
    if (compare(heap[child]!, moved) <= 0) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = moved
}
