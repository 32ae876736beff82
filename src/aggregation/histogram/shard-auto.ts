import type { ReducedChildren, ReducedShards, ShardReducer } from '../aggregation-type.ts'
import type { BucketResult, MultiBucketResult } from '../result.ts'
import type { ValueFormat } from '../value-source.ts'
import { numberText } from '../value-text.ts'
import type { AutoPartial } from './auto-collector.ts'
import { KeyedBuckets } from './keyed-buckets.ts'
import type { LaidBuckets, UnitLadder } from './unit-ladder.ts'

/** An owning bucket as the columns of all shards have it. */
interface Extent {
  level: number
  first: number
  last: number
  /** Null until it is asked for. */
  laid: LaidBuckets | null
}

/** Merges the buckets of shards into few enough. */
export class ShardAuto implements ShardReducer {
  readonly #format: ValueFormat
  readonly #ladder: UnitLadder
  readonly #children: ReducedChildren
  readonly #shards: ReducedShards
  readonly #extents = new Map<number, Extent>()
  readonly #buckets = new KeyedBuckets()

  constructor(
    format: ValueFormat,
    ladder: UnitLadder,
    children: ReducedChildren,
    shards: ReducedShards,
  ) {
    this.#format = format
    this.#ladder = ladder
    this.#children = children
    this.#shards = shards
  }

  survey(own: unknown, owners: Int32Array): void {
    const { owners: from, keys, levels } = own as AutoPartial
    for (const [i, there] of from.entries()) {
      const owner = owners[there]!
      const key = keys[i]!
      const known = this.#extents.get(owner)
      const extent = known ?? { level: 0, first: key, last: key, laid: null }
      if (known === undefined) this.#extents.set(owner, extent)
      extent.level = Math.max(extent.level, levels[there]!)
      extent.first = Math.min(extent.first, key)
      extent.last = Math.max(extent.last, key)
    }
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const { owners: from, keys, counts } = own as AutoPartial
    const starts = keys.map((key, i) => this.#startOf(owners[from[i]!]!, key))
    return this.#buckets.add({ owners: from, keys: starts, counts }, owners)
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  result(owner: number): MultiBucketResult {
    const laid = this.#laidOf(owner)
    const starts = laid?.starts ?? []
    this.#shards.budget.take(starts.length)
    const byStart = new Map(
      this.#buckets.of(owner).map(bucket => [this.#buckets.key(bucket), bucket]),
    )
    return {
      kind: 'multi',
      typedName: 'auto_date_histogram',
      className: 'InternalAutoDateHistogram',
      keyed: false,
      head: {},
      tail: { interval: laid?.interval ?? this.#ladder.finestInterval },
      buckets: starts.map(start => this.#print(start, byStart.get(start) ?? -1)),
    }
  }

  #laidOf(owner: number): LaidBuckets | null {
    const extent = this.#extents.get(owner)
    if (extent === undefined) return null
    extent.laid ??= this.#ladder.layOut(extent.level, extent.first, extent.last)
    return extent.laid
  }

  /** The start of the bucket that takes a finer one in. */
  #startOf(owner: number, key: number): number {
    const { starts } = this.#laidOf(owner)!
    let from = 0
    let to = starts.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if (starts[middle]! <= key) from = middle + 1
      else to = middle
    }
    return starts[from - 1]!
  }

  #print(start: number, bucket: number): BucketResult {
    const text = numberText(this.#format)
    const docCount = bucket < 0 ? 0 : this.#buckets.count(bucket)
    return {
      name: text.of(start),
      key: start,
      docCount,
      head: {
        key_as_string: text.isShown ? text.of(start) : undefined,
        key: start,
        doc_count: docCount,
      },
      children: this.#children.results(bucket),
    }
  }
}
