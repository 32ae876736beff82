import { ByteWriter } from '../../util/byte-writer.ts'

/** A growing column of byte strings with their documents. */
export class ByteColumn {
  /** Documents and ends within `data`, one for each value; valid up to `length`. */
  docs: Int32Array<ArrayBuffer> = new Int32Array(64)
  ends: Uint32Array<ArrayBuffer> = new Uint32Array(64)
  length = 0
  readonly #data = new ByteWriter(1024)

  /** Appends the value `bytes[start, end)` of a document. */
  push(doc: number, bytes: Uint8Array, start: number, end: number): void {
    const at = this.length
    if (at === this.docs.length) {
      const docs = new Int32Array(2 * at)
      docs.set(this.docs)
      this.docs = docs
      const ends = new Uint32Array(2 * at)
      ends.set(this.ends)
      this.ends = ends
    }
    this.#data.bytes(bytes, start, end)
    this.docs[at] = doc
    this.ends[at] = this.#data.length
    this.length = at + 1
  }

  /** The values' bytes, as a view that the next `push` may invalidate. */
  data(): Uint8Array {
    return this.#data.view()
  }

  /** Where a value starts within `data`. */
  start(index: number): number {
    return index === 0 ? 0 : this.ends[index - 1]!
  }
}
