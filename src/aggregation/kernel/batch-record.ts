/** The record in scratch from which a kernel reads a batch of documents and a column of their leaf. */
import type { NumericValuesReader } from '../../codec/doc-values/reader.ts'
import { BATCH_DOCS } from '../../search/collector/gather.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { BucketBatch } from '../bucket-batch.ts'

/** Offsets of its fields, as `kernels/assembly/batch-record.ts` describes them. */
export const RECORD = {
  presence: 0,
  ranks: 4,
  blocks: 8,
  data: 12,
  addresses: 16,
  docs: 20,
  count: 24,
  run: 28,
  owners: 32,
  group: 36,
  indexes: 40,
  highs: 44,
  lows: 48,
  doubles: 52,
  encoding: 56,
  capacity: 60,
  scale: 64,
  slots: 72,
  keys: 76,
  base: 80,
  span: 88,
  shift: 96,
  bounds: 100,
  accepted: 104,
  repeats: 108,
  counts: 112,
  fresh: 120,
  freshCount: 124,
  nextBucket: 128,
  ownerLimit: 132,
  outDocs: 136,
  outOwners: 140,
  mins: 144,
  maxs: 148,
  sums: 152,
  chunks: 156,
  rounders: 160,
  crowded: 164,
  registers: 168,
  precision: 172,
  room: 176,
  extremes: 180,
  flip: 184,
  origin: 192,
  inverse: 200,
} as const
const RECORD_BYTES = 208
/** A group is 128 values of 8 bytes with an index of 4 bytes each, and room to write past the values. */
const GROUP_BYTES = 128 * 12 + 64
const LIST_BYTES = 4 * BATCH_DOCS

/** Scratch of a record with its group, and room for a batch's documents and owning buckets. */
export const BATCH_RECORD_BYTES: number = RECORD_BYTES + GROUP_BYTES + 2 * LIST_BYTES + 64

/** A record over one column; it lives as long as the scratch of its leaf. */
export class BatchRecord {
  readonly #i32: Int32Array
  readonly #u32: Uint32Array
  readonly #f64: Float64Array
  /** Where the record lies. */
  readonly address: number
  /** Room for a batch's documents and owning buckets that lie elsewhere. */
  readonly #docs: number
  readonly #owners: number

  /** Null where the column has no values in blocks, or there is no scratch. */
  static of(leaf: Leaf, reader: NumericValuesReader): BatchRecord | null {
    if (!reader.hasBlocks || reader.totalValueCount === 0) return null
    const at = leaf.scratch.tryAllocate(BATCH_RECORD_BYTES)
    return at < 0 ? null : new BatchRecord(leaf, reader, at)
  }

  private constructor({ views }: Leaf, reader: NumericValuesReader, at: number) {
    this.#i32 = views.i32
    this.#u32 = views.u32
    this.#f64 = views.f64
    this.address = at
    const group = at + RECORD_BYTES
    this.#docs = group + GROUP_BYTES
    this.#owners = this.#docs + LIST_BYTES
    this.#i32.fill(0, at >> 2, (at + RECORD_BYTES) >> 2)
    const { presence, ranks, blocks, data, values } = reader.addresses()
    this.set('presence', presence)
    this.set('ranks', ranks)
    this.set('blocks', blocks)
    this.set('data', data)
    this.set('addresses', values)
    this.set('group', group)
  }

  set(field: keyof typeof RECORD, value: number): void {
    this.#i32[(this.address + RECORD[field]) >> 2] = value
  }

  /** Sets a field of 64 bits. */
  setLong(field: 'base' | 'span', value: bigint): void {
    const at = (this.address + RECORD[field]) >> 2
    this.#u32[at] = Number(value & 0xffffffffn)
    this.#i32[at + 1] = Number(BigInt.asIntN(32, value >> 32n))
  }

  setDouble(field: 'scale' | 'origin' | 'inverse', value: number): void {
    this.#f64[(this.address + RECORD[field]) >> 3] = value
  }

  get(field: keyof typeof RECORD): number {
    return this.#i32[(this.address + RECORD[field]) >> 2]!
  }

  /** Names the documents of a batch of the leaf, and their owning buckets. */
  point(batch: BucketBatch): void {
    const { count, run, owners } = batch
    this.set('count', count)
    this.set('run', run)
    if (run < 0) this.set('docs', batch.docsAt || this.#copy(batch.docs, count, this.#docs))
    if (owners === null) this.set('owners', 0)
    else this.set('owners', batch.ownersAt || this.#copy(owners, count, this.#owners))
  }

  /** Names the next `count` documents of the batch that was pointed to, behind the first `from`. */
  pointPart(batch: BucketBatch, from: number, count: number): void {
    this.set('count', count)
    if (batch.run >= 0) this.set('run', batch.run + from)
    else this.set('docs', (batch.docsAt || this.#docs) + 4 * from)
    if (batch.owners !== null) this.set('owners', (batch.ownersAt || this.#owners) + 4 * from)
  }

  #copy(list: Int32Array, count: number, to: number): number {
    this.#i32.set(list.length === count ? list : list.subarray(0, count), to >> 2)
    return to
  }
}
