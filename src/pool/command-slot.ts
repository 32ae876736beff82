/**
 * The shared memory through which the coordinating thread hands one request at a time to a worker
 * that loops on it, and gets the answer back. A word that rises wakes each side:
 *
 *   word 0  request number, raised by the coordinator when a request lies ready
 *   word 1  answer number: the request that was answered last, raised by the worker
 *   word 2  bytes of the request; −1 when it lies in the port instead, being too large
 *   word 3  bytes of the answer; −1 when it lies in the port instead
 *   word 4  1 once the worker shall end
 *   word 5  1 when the answer is an error
 *   byte 64 the request, then the answer
 *
 * A worker in `Atomics.wait` hears no events, so everything it must know first (new arenas, large
 * requests) is posted to its port and read there synchronously before each request.
 */
export const SLOT_DATA_BYTES: number = 256 * 1024
const DATA_OFFSET = 64

const REQUEST = 0
const ANSWER = 1
const REQUEST_LENGTH = 2
const ANSWER_LENGTH = 3
const STOP = 4
const FAILED = 5

export class CommandSlot {
  readonly shared: SharedArrayBuffer
  readonly #words: Int32Array
  readonly #data: Uint8Array

  constructor(shared: SharedArrayBuffer = new SharedArrayBuffer(DATA_OFFSET + SLOT_DATA_BYTES)) {
    this.shared = shared
    this.#words = new Int32Array(shared, 0, DATA_OFFSET / 4)
    this.#data = new Uint8Array(shared, DATA_OFFSET)
  }

  // ---- the coordinator's side

  /** Lays a request down and wakes the worker; false when it must go through the port. */
  putRequest(bytes: Uint8Array): boolean {
    const fits = bytes.length <= SLOT_DATA_BYTES
    if (fits) this.#data.set(bytes)
    this.#words[REQUEST_LENGTH] = fits ? bytes.length : -1
    return fits
  }

  /** Wakes the worker for the request that was put. */
  wake(): void {
    Atomics.add(this.#words, REQUEST, 1)
    Atomics.notify(this.#words, REQUEST)
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

  /** The answer's bytes, a copy; null when it lies in the port. */
  takeAnswer(): { readonly failed: boolean; readonly bytes: Uint8Array | null } {
    const length = this.#words[ANSWER_LENGTH]!
    return {
      failed: this.#words[FAILED] === 1,
      bytes: length < 0 ? null : this.#data.slice(0, length),
    }
  }

  /** Asks the worker to end when it has nothing to do. */
  stop(): void {
    Atomics.store(this.#words, STOP, 1)
    this.wake()
  }

  // ---- the worker's side

  /** Waits for the request after number `seen`; returns its number, −1 when the worker shall end. */
  awaitRequest(seen: number): number {
    const words = this.#words
    while (Atomics.load(words, REQUEST) === seen) Atomics.wait(words, REQUEST, seen)
    return Atomics.load(words, STOP) === 1 ? -1 : Atomics.load(words, REQUEST)
  }

  /** The request's bytes, a copy; null when it lies in the port. */
  takeRequest(): Uint8Array | null {
    const length = this.#words[REQUEST_LENGTH]!
    return length < 0 ? null : this.#data.slice(0, length)
  }

  /** Lays the answer down; false when it must go through the port first. Then `finish`. */
  putAnswer(bytes: Uint8Array, failed: boolean): boolean {
    const fits = bytes.length <= SLOT_DATA_BYTES
    if (fits) this.#data.set(bytes)
    this.#words[ANSWER_LENGTH] = fits ? bytes.length : -1
    this.#words[FAILED] = failed ? 1 : 0
    return fits
  }

  /** Publishes the answer to request `number`: the completion word is written last. */
  finish(number: number): void {
    Atomics.store(this.#words, ANSWER, number)
    Atomics.notify(this.#words, ANSWER)
  }
}
