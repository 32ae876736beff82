import type { JsonRecord } from '../../util/json/json-value.ts'
import type { ReducedChildren, ReducedShards, ShardReducer } from '../aggregation-type.ts'
import { compareBuckets, firstBuckets } from '../bucket-order.ts'
import { Doubles } from '../columns.ts'
import type { BucketResult, MultiBucketResult } from '../result.ts'
import type { ClosedTerms } from './slice-terms.ts'
import type { CutBuckets } from './terms-plan.ts'

/** The keys of buckets, and how they stand in answers. */
export interface KeyForm<K> {
  readonly typedName: string
  readonly className: string
  /** Whether errors and the documents of other buckets are told. */
  readonly showsCounters: boolean
  /** A shard's key as all shards give it. */
  normal(key: K): K
  /** The same for equal keys alone. */
  id(key: K): string | number | bigint
  compare(a: K, b: K): number
  print(key: K): PrintedKey
}

/** A printed key. */
export interface PrintedKey {
  readonly head: JsonRecord
  /** The key as paths name it. */
  readonly name: string
  /** NaN: it is no number. */
  readonly number: number
}

/** Buckets of one owning bucket. */
interface OwnedBuckets {
  readonly byKey: Map<string | bigint | number, number>
  others: number
  /** Sum of the shards' errors; −1: unknown. */
  error: number
  shards: number
}

/** Merges the buckets of shards, and cuts them to the request's size. */
export class ShardBuckets<K> implements ShardReducer {
  readonly #plan: CutBuckets
  readonly #form: KeyForm<K>
  readonly #children: ReducedChildren
  readonly #shards: ReducedShards
  readonly #byOwner: (OwnedBuckets | undefined)[] = []
  readonly #keys: K[] = []
  readonly #counts = new Doubles()
  /** Sums of the errors of the shards that gave the bucket. */
  readonly #errors = new Doubles()

  constructor(
    plan: CutBuckets,
    form: KeyForm<K>,
    children: ReducedChildren,
    shards: ReducedShards,
  ) {
    this.#plan = plan
    this.#form = form
    this.#children = children
    this.#shards = shards
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const closed = own as ClosedTerms<K>
    owners.forEach((owner, i) => {
      const owned = this.#owned(owner)
      owned.others += closed.others[i]!
      owned.shards++
      owned.error = sumOrUnknown(owned.error, closed.errors[i]!)
    })
    return Int32Array.from(closed.owners, (from, i) => {
      const owned = this.#owned(owners[from]!)
      const bucket = this.#bucketOf(owned, this.#form.normal(closed.keys[i]!))
      const counts = this.#counts.ensure(bucket + 1)
      counts[bucket] = counts[bucket]! + closed.counts[i]!
      const errors = this.#errors.ensure(bucket + 1)
      errors[bucket] = sumOrUnknown(errors[bucket]!, closed.errors[from]!)
      return bucket
    })
  }

  result(owner: number): MultiBucketResult {
    const owned = this.#byOwner[owner]
    const { order, size, minDocCount, maxDocCount } = this.#plan
    const found = Int32Array.from(owned?.byKey.values() ?? []).filter(
      bucket => this.#counts.at(bucket) >= minDocCount && this.#counts.at(bucket) <= maxDocCount,
    )
    const compare = compareBuckets(
      order,
      {
        count: bucket => this.#counts.at(bucket),
        compareKeys: (a, b) => this.#form.compare(this.#keys[a]!, this.#keys[b]!),
      },
      this.#children.nodes,
    )
    const best = firstBuckets(found, size, compare)
    this.#shards.budget.take(best.length)
    let others = owned?.others ?? 0
    for (const bucket of found) others += this.#counts.at(bucket)
    for (const bucket of best) others -= this.#counts.at(bucket)
    const error = owned === undefined || owned.shards < 2 ? 0 : owned.error
    return {
      kind: 'multi',
      typedName: this.#form.typedName,
      className: this.#form.className,
      buckets: Array.from(best, bucket => this.#print(bucket, owned!)),
      keyed: false,
      head: this.#form.showsCounters
        ? { doc_count_error_upper_bound: error, sum_other_doc_count: others }
        : {},
      tail: {},
    }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  #owned(owner: number): OwnedBuckets {
    const known = this.#byOwner[owner]
    if (known !== undefined) return known
    const made: OwnedBuckets = { byKey: new Map(), others: 0, error: 0, shards: 0 }
    this.#byOwner[owner] = made
    return made
  }

  #bucketOf({ byKey }: OwnedBuckets, key: K): number {
    const id = this.#form.id(key)
    const known = byKey.get(id)
    if (known !== undefined) return known
    const bucket = this.#keys.push(key) - 1
    byKey.set(id, bucket)
    return bucket
  }

  #print(bucket: number, owned: OwnedBuckets): BucketResult {
    const docCount = this.#counts.at(bucket)
    const { head, name, number } = this.#form.print(this.#keys[bucket]!)
    const { showsErrors } = this.#plan
    return {
      name,
      key: number,
      docCount,
      head: {
        ...head,
        doc_count: docCount,
        doc_count_error_upper_bound: showsErrors ? this.#errorOf(bucket, owned) : undefined,
      },
      children: this.#children.results(bucket),
    }
  }

  /** Max count that shards which did not give the bucket may have of it. */
  #errorOf(bucket: number, { error, shards }: OwnedBuckets): number {
    if (shards < 2) return 0
    return error < 0 ? -1 : error - this.#errors.at(bucket)
  }
}

function sumOrUnknown(a: number, b: number): number {
  return a < 0 || b < 0 ? -1 : a + b
}
