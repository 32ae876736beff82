import { ByteWriter } from '../../util/byte-writer.ts'
import { grown } from '../../util/grown.ts'

/** A growing column of completions, in any order. */
export class CompletionColumn {
  /** Whether keys begin with a context. */
  readonly hasContexts: boolean
  /** Valid up to `length`; the surface form of an entry lies behind its key, up to the next key. */
  docs: Int32Array<ArrayBuffer> = new Int32Array(64)
  weights: Int32Array<ArrayBuffer> = new Int32Array(64)
  keyStarts: Int32Array<ArrayBuffer> = new Int32Array(64)
  keyEnds: Int32Array<ArrayBuffer> = new Int32Array(64)
  length = 0
  readonly #data = new ByteWriter(1024)

  constructor(hasContexts: boolean) {
    this.hasContexts = hasContexts
  }

  /**
   * Appends an entry.
   * @param weight  0 … 2³¹ − 1
   * @param key     `bytes[start, keyEnd)`
   * @param surface `bytes[keyEnd, end)`, the input as it was given; not empty
   */
  push(
    doc: number,
    weight: number,
    bytes: Uint8Array,
    start: number,
    keyEnd: number,
    end: number,
  ): void {
    const at = this.length
    if (at === this.docs.length) this.#grow()
    this.docs[at] = doc
    this.weights[at] = weight
    this.keyStarts[at] = this.#data.length
    this.#data.bytes(bytes, start, keyEnd)
    this.keyEnds[at] = this.#data.length
    this.#data.bytes(bytes, keyEnd, end)
    this.length = at + 1
  }

  /** Where the surface form of an entry ends in `data`. */
  surfaceEnd(at: number): number {
    return at + 1 < this.length ? this.keyStarts[at + 1]! : this.#data.length
  }

  /** Keys and surface forms, as a view that the next `push` may invalidate. */
  data(): Uint8Array {
    return this.#data.view()
  }

  #grow(): void {
    const size = 2 * this.docs.length
    this.docs = grown(this.docs, size)
    this.weights = grown(this.weights, size)
    this.keyStarts = grown(this.keyStarts, size)
    this.keyEnds = grown(this.keyEnds, size)
  }
}
