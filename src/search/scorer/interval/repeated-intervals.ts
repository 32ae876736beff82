import { type Intervals, NO_MORE_INTERVALS } from './intervals.ts'

/** So many of a source in a row, none of them twice. */
export class RepeatedIntervals implements Intervals {
  readonly #source: Intervals
  /** The last ones, in a ring that begins at `#first`. */
  readonly #starts: Int32Array
  readonly #ends: Int32Array
  #first = 0
  #isOpen = false
  start = -1
  end = -1
  covered = 0

  /** @param count min two */
  constructor(source: Intervals, count: number) {
    this.#source = source
    this.#starts = new Int32Array(count)
    this.#ends = new Int32Array(count)
  }

  get gaps(): number {
    return this.end - this.start + 1 - this.covered
  }

  open(docId: number): boolean {
    this.start = -1
    this.end = -1
    this.#first = 0
    this.#isOpen = false
    return this.#source.open(docId)
  }

  next(): number {
    const count = this.#starts.length
    if (this.start === NO_MORE_INTERVALS) return this.start
    if (this.#isOpen) {
      const last = this.#first
      this.#first = (last + 1) % count
      if (!this.#take(last)) return this.start
    } else for (let i = 0; i < count; i++) if (!this.#take(i)) return this.start
    this.#isOpen = true
    this.start = this.#starts[this.#first]!
    this.end = this.#ends[(this.#first + count - 1) % count]!
    // As Lucene counts them, which is what they cover where each is of one position.
    this.covered = 0
    for (let i = 0; i < count; i++) this.covered += this.#starts[i]! - this.#ends[i]! + 1
    return this.start
  }

  #take(at: number): boolean {
    const source = this.#source
    if (source.next() === NO_MORE_INTERVALS) {
      this.start = NO_MORE_INTERVALS
      this.end = NO_MORE_INTERVALS
      return false
    }
    this.#starts[at] = source.start
    this.#ends[at] = source.end
    return true
  }
}
