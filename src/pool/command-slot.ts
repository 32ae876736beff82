/**
 * Shared memory through which the coordinating thread hands one request at a time to a looping
 * worker and gets the answer back. Each side waits for a word to rise:
 *
 *   word 0  request number, raised by the coordinator when a request is ready
 *   word 1  answer number: the last request answered, raised by the worker
 *   word 2  bytes of the request; −1 when it is too large and was posted to the port
 *   word 3  bytes of the answer; −1 when it was posted to the port
 *   word 4  1 once the worker must end
 *   word 5  1 when the answer is an error
 *   word 6  1 when the request is a word record (`word-record.ts`), else it is serialised data
 *   word 7  1 while the worker sleeps until word 0 rises: only then must it be woken
 *   word 8  messages that the coordinator has posted to the port
 *   word 10 and 11: a double, processor time of the answered request in nanoseconds
 *   byte 64 the request, then the answer
 *
 * A worker in `Atomics.wait` receives no events, so everything it needs first (new arenas, large
 * requests) is posted to its port, counted, and read there synchronously before each request.
 */
import { nowInNanos } from '../util/clock.ts'

/** Max bytes of a record in a slot. */
export const SLOT_DATA_BYTES: number = 256 * 1024
const DATA_OFFSET = 64

const REQUEST = 0
const ANSWER = 1
const REQUEST_LENGTH = 2
const ANSWER_LENGTH = 3
const STOP = 4
const FAILED = 5
const IS_WORDS = 6
const SLEEPS = 7
const POSTED = 8
const CPU_OFFSET = 40

/** Reads of a word between two reads of the clock. */
const LOOKS_PER_READING = 64

/** A slot between the coordinating thread and one worker. */
export class CommandSlot {
  readonly shared: SharedArrayBuffer
  readonly #words: Int32Array
  readonly #data: Uint8Array
  readonly #record: Float64Array
  readonly #cpu: Float64Array

  constructor(shared: SharedArrayBuffer = new SharedArrayBuffer(DATA_OFFSET + SLOT_DATA_BYTES)) {
    this.shared = shared
    this.#words = new Int32Array(shared, 0, DATA_OFFSET / 4)
    this.#data = new Uint8Array(shared, DATA_OFFSET)
    this.#record = new Float64Array(shared, DATA_OFFSET)
    this.#cpu = new Float64Array(shared, CPU_OFFSET, 1)
  }

  // ---- the coordinator's side

  /** Writes a request of serialised data; false when it must go through the port. */
  putRequest(bytes: Uint8Array): boolean {
    this.#words[IS_WORDS] = 0
    return this.#put(bytes.length, REQUEST_LENGTH, () => this.#data.set(bytes))
  }

  /** Writes a word record; false when it must go through the port. */
  putRecord(record: Float64Array): boolean {
    this.#words[IS_WORDS] = 1
    return this.#put(record.byteLength, REQUEST_LENGTH, () => this.#record.set(record))
  }

  /** Counts a message that was posted to the port, for the worker to read before its next request. */
  countPosted(): void {
    Atomics.add(this.#words, POSTED, 1)
  }

  /** Wakes the worker for the request in the slot. */
  wake(): void {
    Atomics.add(this.#words, REQUEST, 1)
    if (Atomics.load(this.#words, SLEEPS) === 1) Atomics.notify(this.#words, REQUEST)
  }

  /** Whether the worker has answered the last request. */
  isAnswered(): boolean {
    return Atomics.load(this.#words, ANSWER) === Atomics.load(this.#words, REQUEST)
  }

  /** Spins on this thread for the answer, up to a time: for requests known to be that short. */
  isAnsweredWithin(nanos: number): boolean {
    return this.#changes(nanos, () => this.isAnswered())
  }

  /** Resolves once the worker has answered the last request. Does not keep the process alive. */
  async answered(): Promise<void> {
    const words = this.#words
    const number = Atomics.load(words, REQUEST)
    for (;;) {
      const seen = Atomics.load(words, ANSWER)
      if (seen === number) return
      const wait = Atomics.waitAsync(words, ANSWER, seen)
      if (wait.async) await wait.value
    }
  }

  /** Processor time that the worker took for the answer, nanoseconds. */
  get cpuInNanos(): number {
    return this.#cpu[0]!
  }

  /** Whether the answer is an error; it is serialised data then. */
  get hasFailed(): boolean {
    return this.#words[FAILED] === 1
  }

  /** A copy of the answer's bytes; null when it was posted to the port. */
  takeAnswer(): Uint8Array | null {
    const length = this.#words[ANSWER_LENGTH]!
    return length < 0 ? null : this.#data.slice(0, length)
  }

  /**
   * The answer to a word record, in place, valid until the next request; null when it was posted.
   */
  takeAnswerRecord(): Float64Array | null {
    const length = this.#words[ANSWER_LENGTH]!
    return length < 0 ? null : this.#record.subarray(0, length / 8)
  }

  /** Tells the worker to end after its current request. */
  stop(): void {
    Atomics.store(this.#words, STOP, 1)
    this.wake()
  }

  // ---- the worker's side

  /** Spins for the request after number `seen`, up to a time. */
  comesWithin(nanos: number, seen: number): boolean {
    return this.#changes(nanos, () => Atomics.load(this.#words, REQUEST) !== seen)
  }

  /** Waits for the request after number `seen`; returns its number, −1 when the worker must end. */
  awaitRequest(seen: number): number {
    const words = this.#words
    if (Atomics.load(words, REQUEST) === seen) {
      // Set before the word is read again; the coordinator raises the word before it reads this
      // flag.
      Atomics.store(words, SLEEPS, 1)
      while (Atomics.load(words, REQUEST) === seen) Atomics.wait(words, REQUEST, seen)
      Atomics.store(words, SLEEPS, 0)
    }
    return Atomics.load(words, STOP) === 1 ? -1 : Atomics.load(words, REQUEST)
  }

  /** Messages that were posted to the port so far. */
  get posted(): number {
    return Atomics.load(this.#words, POSTED)
  }

  /** Whether the request is a word record. */
  get isRecord(): boolean {
    return this.#words[IS_WORDS] === 1
  }

  /** A copy of the request's bytes; null when it was posted to the port. */
  takeRequest(): Uint8Array | null {
    const length = this.#words[REQUEST_LENGTH]!
    return length < 0 ? null : this.#data.slice(0, length)
  }

  /**
   * The request's words, in place, valid until the answer is written; null when they were posted.
   */
  takeRecord(): Float64Array | null {
    const length = this.#words[REQUEST_LENGTH]!
    return length < 0 ? null : this.#record.subarray(0, length / 8)
  }

  /** Writes the answer; false when it must be posted to the port first. Then call `finish`. */
  putAnswer(bytes: Uint8Array, failed: boolean): boolean {
    this.#words[FAILED] = failed ? 1 : 0
    return this.#put(bytes.length, ANSWER_LENGTH, () => this.#data.set(bytes))
  }

  /** The same for the answer to a word record. */
  putAnswerRecord(record: Float64Array): boolean {
    this.#words[FAILED] = 0
    return this.#put(record.byteLength, ANSWER_LENGTH, () => this.#record.set(record))
  }

  /**
   * Publishes the answer to request `number`: the completion word is written last.
   * @param cpuInNanos processor time that it took
   */
  finish(number: number, cpuInNanos: number): void {
    this.#cpu[0] = cpuInNanos
    Atomics.store(this.#words, ANSWER, number)
    Atomics.notify(this.#words, ANSWER)
  }

  #put(bytes: number, lengthAt: number, copy: () => void): boolean {
    const fits = bytes <= SLOT_DATA_BYTES
    if (fits) copy()
    this.#words[lengthAt] = fits ? bytes : -1
    return fits
  }

  /** Spins until a condition holds; false after a timeout in nanoseconds. */
  #changes(nanos: number, isSo: () => boolean): boolean {
    const until = nowInNanos() + nanos
    do {
      for (let i = 0; i < LOOKS_PER_READING; i++) if (isSo()) return true
    } while (nowInNanos() < until)
    return isSo()
  }
}
