/**
 * Words shared by the threads of one search while it runs, outside the arenas: a record of 64 bytes
 * for each shard's search, so that two searches never share a cache line. The coordinating thread
 * allocates and zeroes records.
 */
export const CONTROL_RECORD_WORDS = 16
const RECORDS = 4096

/** Allocates records of control words in shared memory. */
export class ControlBuffer {
  readonly shared: SharedArrayBuffer
  readonly #free: number[] = []
  readonly #words: Int32Array[] = []
  #next = 0

  constructor() {
    this.shared = new SharedArrayBuffer(RECORDS * CONTROL_RECORD_WORDS * 4)
  }

  /** Allocates a zeroed record and returns its ord; −1 when all are in use. */
  take(): number {
    const record = this.#free.pop() ?? (this.#next < RECORDS ? this.#next++ : -1)
    if (record >= 0) this.words(record).fill(0)
    return record
  }

  release(record: number): void {
    this.#free.push(record)
  }

  words(record: number): Int32Array {
    return (this.#words[record] ??= controlWords(this.shared, record))
  }
}

/** The words of a record, on any thread. */
export function controlWords(shared: SharedArrayBuffer, record: number): Int32Array {
  return new Int32Array(shared, record * CONTROL_RECORD_WORDS * 4, CONTROL_RECORD_WORDS)
}
