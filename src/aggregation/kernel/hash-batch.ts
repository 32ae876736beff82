/** Registers of the hashes of a leaf's column, in scratch. */
import type { NumericValuesReader } from '../../codec/doc-values/reader.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import type { NumberSource } from '../value-source.ts'
import { BATCH_RECORD_BYTES, BatchRecord } from './batch-record.ts'
import { ENCODINGS } from './column-batch.ts'

/** The encoding of integers that are hashed as they are. */
const RAW = -1

/** Scratch of registers of a precision. */
export function hashBytes(precision: number): number {
  return BATCH_RECORD_BYTES + 2 ** precision + 64
}

/** Notes the hashes of documents that all fell into one bucket. */
export class HashBatch {
  readonly registers: Uint8Array
  readonly #leaf: Leaf
  readonly #record: BatchRecord

  /** Null where the kernel does not read the values, or there is no scratch. */
  static of(
    leaf: Leaf,
    reader: NumericValuesReader,
    { encoding, scale, type, missing, isNanos }: NumberSource,
    precision: number,
  ): HashBatch | null {
    const decoded = type === 'long' ? RAW : ENCODINGS[encoding]
    if (decoded === undefined || missing !== null || isNanos) return null
    const mark = leaf.scratch.mark()
    const record = BatchRecord.of(leaf, reader)
    const at = record === null ? -1 : leaf.scratch.tryAllocate(2 ** precision)
    if (record !== null && at >= 0) {
      record.set('encoding', decoded)
      record.setDouble('scale', scale)
      record.set('registers', at)
      record.set('precision', precision)
      return new HashBatch(leaf, record, leaf.views.u8.subarray(at, at + 2 ** precision))
    }
    leaf.scratch.release(mark)
    return null
  }

  private constructor(leaf: Leaf, record: BatchRecord, registers: Uint8Array) {
    this.#leaf = leaf
    this.#record = record
    this.registers = registers
    registers.fill(0)
  }

  add(batch: BucketBatch): void {
    this.#record.point(batch)
    this.#leaf.kernels.noteHashes(this.#record.address)
  }
}
