import type { ByteColumn } from '../codec/bytes/byte-column.ts'
import { compareByteRanges } from '../util/bytes.ts'
import type { BufferMemory } from './buffer-memory.ts'
import { ByteLog } from './byte-log.ts'

/** Byte strings of one field of a buffer, in order of arrival; release them with the buffer. */
export class ByteValues {
  readonly #log: ByteLog
  /** Where each value ends in the log. */
  #ends = new Int32Array(16)
  #count = 0

  constructor(memory: BufferMemory) {
    this.#log = new ByteLog(memory)
  }

  /** How many values there are. */
  get count(): number {
    return this.#count
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#log.length + 4 * this.#ends.length
  }

  /**
   * Appends the value `source[start, end)`.
   * @throws {EngineError} `circuit_breaking_exception`: the memory is full; nothing was appended
   */
  push(source: Uint8Array, start: number, end: number): void {
    const at = this.#count
    if (at === this.#ends.length) {
      const larger = new Int32Array(2 * at)
      larger.set(this.#ends)
      this.#ends = larger
    }
    this.#log.append(source, start, end)
    this.#ends[at] = this.#log.length
    this.#count = at + 1
  }

  /** Drops all but the first `count` values. */
  truncate(count: number): void {
    this.#count = count
    this.#log.truncate(this.#endOf(count - 1))
  }

  /** Adds the values `[from, to)` to a column as those of a document: ascending, each once. */
  addTo(column: ByteColumn, doc: number, from: number, to: number): void {
    const bytes = this.#log.view()
    const start = (at: number): number => this.#endOf(at - 1)
    const end = (at: number): number => this.#endOf(at)
    const compare = (a: number, b: number): number =>
      compareByteRanges(bytes, start(a), end(a), bytes, start(b), end(b))
    const order = Array.from({ length: to - from }, (_, i) => from + i)
    if (order.length > 1) order.sort(compare)
    for (const [i, at] of order.entries())
      if (i === 0 || compare(order[i - 1]!, at) !== 0) column.push(doc, bytes, start(at), end(at))
  }

  /** The value at an index of 0 … count − 1, as a view that the next `push` may invalidate. */
  value(at: number): Uint8Array {
    return this.#log.view().subarray(this.#endOf(at - 1), this.#endOf(at))
  }

  release(): void {
    this.#log.release()
  }

  #endOf(at: number): number {
    return at < 0 ? 0 : this.#ends[at]!
  }
}
