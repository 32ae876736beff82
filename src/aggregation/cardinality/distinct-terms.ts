/**
 * Distinct terms: slices note the ords of leaves, as bits where there is one bucket; closing the shard
 * hashes the terms of those that were seen.
 */
import type { TermsReader } from '../../codec/terms/reader.ts'
import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { murmur128First } from '../../util/murmur128.ts'
import { Word64 } from '../../util/word64.ts'
import { type Aggregator, NO_BUCKETS, type SliceReducer } from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { type BucketKeys, BucketTable } from '../bucket-table.ts'
import { OrdKeys, SlotCounts } from '../kernel/slot-counts.ts'
import { MISSING_ORD, OrdinalColumn } from '../ordinal-column.ts'
import type { ConstantSource, TermSource } from '../value-source.ts'
import { CollectorCounts } from './collector-counts.ts'
import { type HashPartial, HashSketches } from './hash-sketches.ts'
import { areAll, termHashes, wholeRegisters } from './term-hashes.ts'

/** The leaf of the missing or constant value. */
const NO_LEAF = -1
const NO_WORDS = new Uint32Array(0)
/** Bytes that a noted ord takes. */
const ORD_BYTES = 32
/** Ords that are charged together. */
const CHARGED = 1024

/** The ords that a slice has seen. */
interface TermsPartial {
  /** Of owning bucket 0: bits by leaf and ord. */
  readonly bits: readonly { readonly leafOrd: number; readonly ords: Uint32Array }[]
  /** Of the others: leaves as upper halves, ords as lower ones. */
  readonly seen: BucketKeys
}

/** `execution_hint`. */
export type CardinalityHint = 'ordinals' | 'direct' | 'none'

const KINDS = { ordinals: 'ordinals', direct: 'string_hashing', none: 'hybrid' } as const

/** Notes the terms of buckets by leaf and ord. */
export class DistinctTerms implements Aggregator {
  readonly #collectors = new CollectorCounts()
  readonly #hint: CardinalityHint
  readonly #column: OrdinalColumn | null
  readonly #charge: (bytes: number) => void
  readonly #seen = new BucketTable()
  readonly #bits = new Map<number, Uint32Array>()
  /** Those of the open leaf; empty: no document has been seen. */
  #ords: Uint32Array = NO_WORDS
  #leafOrd = NO_LEAF
  #words = 0
  /** Counts of the open leaf's ords; null: they are noted one by one. */
  #slots: SlotCounts | null = null

  constructor(
    values: TermSource | ConstantSource,
    hint: CardinalityHint,
    charge: (bytes: number) => void,
  ) {
    this.#hint = hint
    this.#column = values.kind === 'constant' ? null : new OrdinalColumn(values)
    this.#charge = charge
  }

  openLeaf(leaf: Leaf, leafOrd: number, ownerLimit: number): void {
    this.#slots = null
    const column = this.#column
    if (column === null) {
      this.#collectors.add('string_hashing')
      return
    }
    column.openLeaf(leaf)
    this.#collectors.add(column.isEmpty ? 'empty' : KINDS[this.#hint])
    this.#leafOrd = leafOrd
    this.#words = (column.ordLimit + 31) >>> 5
    this.#ords = this.#bits.get(leafOrd) ?? NO_WORDS
    if (ownerLimit !== 1) return
    const keys = new OrdKeys(column.ordLimit, null)
    this.#slots = SlotCounts.of(leaf, column.plainValues, keys, 1, false)
  }

  collect(batch: BucketBatch): void {
    if (this.#slots === null) this.#collectOneByOne(batch)
    else this.#slots.count(batch)
  }

  closeLeaf(): void {
    this.#slots?.markKeys(this.#ords.length === 0 ? this.#openBits() : this.#ords)
    this.#slots = null
  }

  #collectOneByOne(batch: BucketBatch): void {
    const column = this.#column
    const { owners } = batch
    if (column === null) {
      for (let i = 0; i < batch.count; i++) this.#note(owners === null ? 0 : owners[i]!, NO_LEAF, 0)
      return
    }
    if (column.isEmpty) return
    column.read(batch)
    const { count, index, ords } = column
    for (let i = 0; i < count; i++) {
      const owner = owners === null ? 0 : owners[index[i]!]!
      const ord = ords[i]!
      if (ord === MISSING_ORD) this.#note(owner, NO_LEAF, 0)
      else if (owner !== 0) this.#note(owner, this.#leafOrd, ord)
      else {
        const bits = this.#ords.length === 0 ? this.#openBits() : this.#ords
        bits[ord >>> 5] = bits[ord >>> 5]! | (1 << (ord & 31))
      }
    }
  }

  finish(): TermsPartial {
    const bits = Array.from(this.#bits, ([leafOrd, ords]) => ({ leafOrd, ords }))
    return { bits, seen: this.#seen.packed() }
  }

  notes(): GatherNotes {
    return this.#collectors.notes()
  }

  #note(owner: number, leafOrd: number, ord: number): void {
    const { size } = this.#seen
    this.#seen.bucketOf(owner, leafOrd, ord)
    if (size % CHARGED === 0 && this.#seen.size > size) this.#charge(CHARGED * ORD_BYTES)
  }

  #openBits(): Uint32Array {
    this.#charge(4 * this.#words)
    this.#ords = new Uint32Array(this.#words)
    this.#bits.set(this.#leafOrd, this.#ords)
    return this.#ords
  }
}

const word = new Word64()

/** Merges the ords of slices, and hashes their terms. */
export class SliceTermHashes implements SliceReducer {
  readonly #values: TermSource | ConstantSource
  readonly #leaves: readonly Leaf[]
  readonly #sketches: HashSketches
  /** Bits by owning bucket and leaf. */
  readonly #bits = new Map<number, Map<number, Uint32Array>>()
  readonly #seen = new BucketTable()
  #hashed = 0

  constructor(
    values: TermSource | ConstantSource,
    sketches: HashSketches,
    leaves: readonly Leaf[],
  ) {
    this.#values = values
    this.#sketches = sketches
    this.#leaves = leaves
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const { bits, seen } = own as TermsPartial
    for (const { leafOrd, ords } of bits) this.#union(owners[0]!, leafOrd, ords)
    for (let i = 0; i < seen.owners.length; i++)
      this.#seen.bucketOf(owners[seen.owners[i]!]!, seen.highs[i]!, seen.lows[i]!)
    return NO_BUCKETS
  }

  close(owners: Int32Array): { own: HashPartial; buckets: Int32Array } {
    this.#hashAll()
    return { own: this.#sketches.pick(owners), buckets: NO_BUCKETS }
  }

  value(owner: number, metric: string | null): number {
    if (metric !== null && metric !== 'value') return Number.NaN
    this.#hashAll()
    return this.#sketches.count(owner)
  }

  bucketOf(): number {
    return -1
  }

  #union(owner: number, leafOrd: number, ords: Uint32Array): void {
    const leaves = this.#bits.get(owner) ?? new Map<number, Uint32Array>()
    this.#bits.set(owner, leaves)
    const known = leaves.get(leafOrd)
    if (known === undefined) leaves.set(leafOrd, ords.slice())
    else for (let i = 0; i < ords.length; i++) known[i] = known[i]! | ords[i]!
  }

  /** Hashes what slices have added since the last time. */
  #hashAll(): void {
    for (const [owner, leaves] of this.#bits)
      for (const [leafOrd, ords] of leaves) this.#hashBits(owner, this.#terms(leafOrd)!, ords)
    this.#bits.clear()
    const seen = this.#seen
    for (; this.#hashed < seen.size; this.#hashed++) {
      const leafOrd = seen.high(this.#hashed)
      const term =
        leafOrd === NO_LEAF
          ? this.#otherTerm()
          : this.#terms(leafOrd)!.termOfOrd(seen.low(this.#hashed))
      murmur128First(term, word)
      this.#sketches.add(seen.owner(this.#hashed), word.high, word.low)
    }
  }

  #hashBits(owner: number, terms: TermsReader, ords: Uint32Array): void {
    const sketches = this.#sketches
    if (!sketches.isAbove(terms.termCount) || !areAll(ords, terms)) {
      sketches.addBits(owner, termHashes(terms, ords), ords)
      return
    }
    const { precision } = sketches
    const found = wholeRegisters(terms, precision, () => {
      const whole = new HashSketches(precision, () => undefined)
      whole.addBits(0, termHashes(terms, ords), ords)
      return whole.partial().registers
    })
    sketches.addRegisters(owner, found)
  }

  /** The value of documents without one, or of all. */
  #otherTerm(): Uint8Array {
    const values = this.#values
    return values.kind === 'constant' ? values.value : values.missing!
  }

  #terms(leafOrd: number): TermsReader | null {
    const values = this.#values
    return values.kind === 'constant' ? null : this.#leaves[leafOrd]!.terms(values.field)
  }
}
