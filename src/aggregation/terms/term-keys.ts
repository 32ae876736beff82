/** Keys of buckets of terms while the slices of a shard are merged. */

/** A key as shards give it: a term, an integer of 64 bits, a floating-point number. */
export type TermKey = Uint8Array | bigint | number

/** The buckets of one shard by key. */
export interface TermKeys<K> {
  readonly size: number
  /** Adds a slice's buckets. @returns the bucket here by bucket there */
  add(partial: unknown, owners: Int32Array): Int32Array
  /** Adds a bucket for each value of the shard that has buckets, for an owning bucket. */
  addAll(owner: number): void
  owner(bucket: number): number
  compare(a: number, b: number): number
  key(bucket: number): K
}

/** Buckets whose keys are values. */
export interface ValueKeys extends TermKeys<TermKey> {
  /** The key in halves, equal in all searches of the shard: a term's ord, or a sortable integer. */
  high(bucket: number): number
  low(bucket: number): number
}
