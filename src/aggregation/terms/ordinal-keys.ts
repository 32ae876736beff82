import type { Leaf } from '../../segment/leaf.ts'
import { compareBytes } from '../../util/bytes.ts'
import { BucketTable } from '../bucket-table.ts'
import { GlobalOrdinals } from '../global-ordinals.ts'
import type { ConstantSource, TermSource } from '../value-source.ts'
import { NO_LEAF, type OrdinalTermsPartial } from './ordinal-terms.ts'
import type { TermKey, ValueKeys } from './term-keys.ts'

/** Buckets by term: keys are ords of the shard's terms in their order, or the missing value. */
export class OrdinalKeys implements ValueKeys {
  readonly #accepted: readonly (Uint32Array | null)[]
  readonly #missing: Uint8Array
  /** Whether all documents have the same value. */
  readonly #isConstant: boolean
  readonly #ordinals: GlobalOrdinals
  readonly #table = new BucketTable()
  /** Bucket + 1 by ord, for owning bucket 0. */
  #byOrd = new Int32Array(0)
  /** The ord of the missing value's own term; −1: no document has it. */
  readonly #missingOrd: number

  /** @param keepsMaps whether global ordinals are kept for other searches */
  constructor(
    values: TermSource | ConstantSource,
    accepted: readonly (Uint32Array | null)[],
    leaves: readonly Leaf[],
    keepsMaps: boolean,
  ) {
    this.#accepted = accepted
    this.#isConstant = values.kind === 'constant'
    this.#missing =
      (values.kind === 'constant' ? values.value : values.missing) ?? new Uint8Array(0)
    this.#ordinals =
      values.kind === 'constant'
        ? new GlobalOrdinals('', [], false)
        : new GlobalOrdinals(values.field, leaves, keepsMaps)
    this.#missingOrd =
      values.kind === 'terms' && values.missing !== null ? this.#ordinals.ordOf(values.missing) : -1
  }

  get size(): number {
    return this.#table.size
  }

  add(partial: unknown, owners: Int32Array): Int32Array {
    const { highs, lows, owners: from } = partial as OrdinalTermsPartial
    const buckets = new Int32Array(from.length)
    for (let i = 0; i < from.length; i++) {
      const leafOrd = highs[i]!
      const ord =
        leafOrd === NO_LEAF ? this.#missingOrd : this.#ordinals.globalOf(leafOrd, lows[i]!)
      buckets[i] = this.#bucketOf(owners[from[i]!]!, ord)
    }
    return buckets
  }

  #bucketOf(owner: number, ord: number): number {
    // Buckets of a node at the top are found by their ord.
    if (owner !== 0 || ord < 0) return this.#table.bucketOf(owner, 0, ord)
    if (ord >= this.#byOrd.length) this.#growTo(ord + 1)
    const known = this.#byOrd[ord]!
    if (known !== 0) return known - 1
    const bucket = this.#table.append(0, 0, ord)
    this.#byOrd[ord] = bucket + 1
    return bucket
  }

  #growTo(count: number): void {
    const next = new Int32Array(Math.max(count, 2 * this.#byOrd.length))
    next.set(this.#byOrd)
    this.#byOrd = next
  }

  addAll(owner: number): void {
    if (this.#isConstant) this.#bucketOf(owner, this.#missingOrd)
    this.#ordinals.forEach((leafOrd, ord, global) => {
      const bits = this.#accepted[leafOrd] ?? null
      if (bits === null || ((bits[ord >>> 5]! >>> (ord & 31)) & 1) === 1)
        this.#bucketOf(owner, global)
    })
  }

  owner(bucket: number): number {
    return this.#table.owner(bucket)
  }

  high(bucket: number): number {
    return this.#table.high(bucket)
  }

  low(bucket: number): number {
    return this.#table.low(bucket)
  }

  compare(a: number, b: number): number {
    const left = this.#table.low(a) | 0
    const right = this.#table.low(b) | 0
    // The missing value that is no term of the shard has no ord among them.
    return left < 0 || right < 0 ? compareBytes(this.#term(left), this.#term(right)) : left - right
  }

  key(bucket: number): TermKey {
    return this.#term(this.#table.low(bucket) | 0)
  }

  #term(ord: number): Uint8Array {
    return ord < 0 ? this.#missing : this.#ordinals.term(ord)
  }
}
