import type { JsonValue } from '../../util/json/json-value.ts'
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
  readonly key: JsonValue
  /** The text that stands beside it; undefined: none does. */
  readonly text: string | undefined
  /** The key as paths name it. */
  readonly name: string
  /** NaN: it is no number. */
  readonly number: number
}

/** Buckets of one owning bucket. */
interface OwnedBuckets {
  /** In order of first sight. */
  readonly buckets: number[]
  /** Null: one shard is merged, whose keys differ. */
  readonly byKey: Map<string | bigint | number, number> | null
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
    const [key] = closed.keys
    // Owning buckets may be merged, as those of units of time are; doubles may be equal though the numbers that
    // the index keeps for them are not.
    const isAlone = this.#shards.count === 1 && owners.length === 1
    const keysDiffer = isAlone && (typeof key === 'bigint' || key instanceof Uint8Array)
    for (let i = 0; i < owners.length; i++) {
      const owned = this.#owned(owners[i]!, keysDiffer)
      owned.others += closed.others[i]!
      owned.shards++
      owned.error = sumOrUnknown(owned.error, closed.errors[i]!)
    }
    const size = closed.owners.length
    const buckets = new Int32Array(size)
    const counts = this.#counts.ensure(this.#keys.length + size)
    const errors = this.#errors.ensure(this.#keys.length + size)
    for (let i = 0; i < size; i++) {
      const from = closed.owners[i]!
      const owned = this.#byOwner[owners[from]!]!
      const bucket = this.#bucketOf(owned, this.#form.normal(closed.keys[i]!))
      counts[bucket] = counts[bucket]! + closed.counts[i]!
      errors[bucket] = sumOrUnknown(errors[bucket]!, closed.errors[from]!)
      buckets[i] = bucket
    }
    return buckets
  }

  result(owner: number): MultiBucketResult {
    const owned = this.#byOwner[owner]
    const { order, size, minDocCount, maxDocCount } = this.#plan
    const found = this.#counted(owned?.buckets ?? NO_BUCKETS, minDocCount, maxDocCount)
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
    const printed: BucketResult[] = []
    for (let i = 0; i < best.length; i++) printed.push(this.#print(best[i]!, owned!))
    const error = owned === undefined || owned.shards < 2 ? 0 : owned.error
    return {
      kind: 'multi',
      typedName: this.#form.typedName,
      className: this.#form.className,
      buckets: printed,
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

  /** @param keysDiffer whether those of all shards together do */
  #owned(owner: number, keysDiffer: boolean): OwnedBuckets {
    const known = this.#byOwner[owner]
    if (known !== undefined) return known
    const byKey = keysDiffer ? null : new Map<string | bigint | number, number>()
    const made: OwnedBuckets = { buckets: [], byKey, others: 0, error: 0, shards: 0 }
    this.#byOwner[owner] = made
    return made
  }

  #bucketOf({ buckets, byKey }: OwnedBuckets, key: K): number {
    const id = byKey === null ? 0 : this.#form.id(key)
    const known = byKey?.get(id)
    if (known !== undefined) return known
    const bucket = this.#keys.push(key) - 1
    buckets.push(bucket)
    byKey?.set(id, bucket)
    return bucket
  }

  /** Those of a list whose counts lie between two, both in. */
  #counted(list: readonly number[], min: number, max: number): Int32Array {
    const found = new Int32Array(list.length)
    let size = 0
    for (const bucket of list) {
      const count = this.#counts.at(bucket)
      if (count >= min && count <= max) found[size++] = bucket
    }
    return found.subarray(0, size)
  }

  #print(bucket: number, owned: OwnedBuckets): BucketResult {
    const docCount = this.#counts.at(bucket)
    const { key, text, name, number } = this.#form.print(this.#keys[bucket]!)
    const { showsErrors } = this.#plan
    return {
      name,
      key: number,
      docCount,
      head: {
        key,
        key_as_string: text,
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

const NO_BUCKETS: readonly number[] = []

function sumOrUnknown(a: number, b: number): number {
  return a < 0 || b < 0 ? -1 : a + b
}
