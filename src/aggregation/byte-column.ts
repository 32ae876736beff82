import type { BytesReader } from '../codec/bytes/reader.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { BucketBatch } from './bucket-batch.ts'
import type { ByteSource } from './value-source.ts'

/** The byte strings of the documents of a batch. */
export class ByteColumn {
  /** The index in the batch of each value's document, ascending. */
  readonly index: number[] = []
  readonly #source: ByteSource
  #reader: BytesReader | null = null

  constructor(source: ByteSource) {
    this.#source = source
  }

  get count(): number {
    return this.index.length
  }

  openLeaf(leaf: Leaf): void {
    this.#reader = leaf.bytes(this.#source.field)
  }

  read({ docs, count }: BucketBatch): void {
    const { isJoined, missing } = this.#source
    const absent = missing === null ? 0 : 1
    this.index.length = 0
    for (let i = 0; i < count; i++) {
      const found = this.#countOf(docs[i]!)
      const own = found === 0 ? absent : isJoined ? 1 : found
      for (let k = 0; k < own; k++) this.index.push(i)
    }
  }

  /** Visits the values of a batch with the index of their document; they are valid until the next one. */
  forEach({ docs, count }: BucketBatch, visit: (index: number, value: Uint8Array) => void): void {
    const { isJoined, missing } = this.#source
    for (let i = 0; i < count; i++) {
      const found = this.#countOf(docs[i]!)
      const values = Array.from({ length: found }, (_, k) => this.#reader!.value(k))
      if (found === 0 && missing !== null) visit(i, missing)
      else if (isJoined && found > 0) visit(i, Buffer.concat(values))
      else for (const value of values) visit(i, value)
    }
  }

  #countOf(docId: number): number {
    const reader = this.#reader
    return reader?.advanceExact(docId) === true ? reader.valueCount() : 0
  }
}
