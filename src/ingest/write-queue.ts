import type { EngineError } from '../util/errors.ts'
import type { WriteOperation, WriteOutcome } from './write-operation.ts'

/**
 * Documents and bytes of one chunk at the most. Small, so that of a bulk little is done by one thread
 * alone: the first chunk's inversion, and what the last one's answer brings.
 */
const CHUNK_BYTES = 1 << 18
const CHUNK_DOCS = 5000

/** An operation that waits for its turn, and where its outcome goes. */
export interface Submitted {
  readonly operation: WriteOperation
  readonly batch: { readonly outcomes: WriteOutcome[]; left: number; readonly done: () => void }
  readonly index: number
}

/** What the queue has done with a chunk. */
export interface ChunkWriter<Inverted> {
  /** Has the write thread invert the documents. Never rejects. */
  readonly invert: (chunk: readonly Submitted[]) => Promise<Inverted>
  /** Whether the next chunk may be inverted before this one's operations are accepted. */
  readonly mayGoOn: () => boolean
  /** Accepts the operations. @returns resolves when they were answered; never rejects */
  readonly accept: (chunk: readonly Submitted[], inverted: Inverted) => Promise<void>
}

/**
 * Operations in order of arrival, cut into the chunks that are written together. While this thread
 * accepts what a chunk became, the write thread inverts the next one.
 */
export class WriteQueue<Inverted> {
  #queue: Submitted[] = []
  #isDue = false
  readonly #inTurn: (step: () => Promise<void>) => Promise<void>
  readonly #writer: ChunkWriter<Inverted>

  /** @param inTurn runs a step when nothing else changes the shard */
  constructor(inTurn: (step: () => Promise<void>) => Promise<void>, writer: ChunkWriter<Inverted>) {
    this.#inTurn = inTurn
    this.#writer = writer
  }

  /**
   * Appends operations.
   * @param failure why none may count as done any more; asked when all were answered
   */
  add(operations: readonly WriteOperation[], failure: () => Error | null): Promise<WriteOutcome[]> {
    const outcomes: WriteOutcome[] = new Array(operations.length)
    if (operations.length === 0) return Promise.resolve(outcomes)
    return new Promise((resolve, reject) => {
      const done = (): void => {
        const cause = failure()
        if (cause === null) resolve(outcomes)
        else reject(cause)
      }
      const batch = { outcomes, left: operations.length, done }
      for (let index = 0; index < operations.length; index++)
        this.#queue.push({ operation: operations[index]!, batch, index })
      this.#pump()
    })
  }

  /** Writes what waits, in its turn; resolves when all is answered. */
  async drain(): Promise<void> {
    while (this.#queue.length > 0) await (await this.#writeRun()).answered
  }

  /** Answers what waits with an error. */
  refuse(error: EngineError): void {
    const waiting = this.#queue.splice(0)
    for (const { batch, index } of waiting) batch.outcomes[index] = error
    for (const batch of finishedBatches(waiting)) batch.done()
  }

  #pump(): void {
    if (this.#isDue || this.#queue.length === 0) return
    this.#isDue = true
    // Single writes of one turn of the event loop share a chunk.
    setImmediate(() => {
      void this.#inTurn(async () => {
        this.#isDue = false
        if (this.#queue.length > 0) await this.#writeRun()
        this.#pump()
      })
    })
  }

  /** Writes chunks until none waits, or something else waits for its turn; answers come later. */
  async #writeRun(): Promise<{ readonly answered: Promise<void> }> {
    const { invert, mayGoOn, accept } = this.#writer
    let chunk = this.#takeChunk()
    let inverting = invert(chunk)
    for (;;) {
      const inverted = await inverting
      const next = this.#queue.length > 0 && mayGoOn() ? this.#takeChunk() : null
      if (next !== null) {
        inverting = invert(next)
        // It is on its way when this turn of the event loop is over.
        await new Promise<void>(resolve => setImmediate(resolve))
      }
      const answered = accept(chunk, inverted)
      if (next === null) return { answered }
      chunk = next
    }
  }

  #takeChunk(): Submitted[] {
    const queue = this.#queue
    let bytes = 0
    let count = 0
    while (count < queue.length && count < CHUNK_DOCS) {
      const { operation } = queue[count]!
      if (operation.kind === 'index') bytes += operation.source.length
      if (bytes > CHUNK_BYTES && count > 0) break
      count++
    }
    if (count === queue.length) {
      this.#queue = []
      return queue
    }
    return queue.splice(0, count)
  }
}

/** Counts operations whose outcomes are known. @returns the batches that have them all now */
export function finishedBatches(taken: readonly Submitted[]): Submitted['batch'][] {
  const finished: Submitted['batch'][] = []
  for (const { batch } of taken) if (--batch.left === 0) finished.push(batch)
  return finished
}
