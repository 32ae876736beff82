import type { EngineError } from '../util/errors.ts'
import type { WriteOperation, WriteOutcome } from './write-operation.ts'

/** Documents and bytes of one chunk at the most. */
const CHUNK_BYTES = 1 << 20
const CHUNK_DOCS = 20_000

/** An operation that waits for its turn, and where its outcome goes. */
export interface Submitted {
  readonly operation: WriteOperation
  readonly batch: { readonly outcomes: WriteOutcome[]; left: number; readonly done: () => void }
  readonly index: number
}

/** A chunk that was written: what it became is told when `answered` resolves. */
export interface Written {
  readonly answered: Promise<void>
}

/** Operations in order of arrival, cut into the chunks that are written together. */
export class WriteQueue {
  #queue: Submitted[] = []
  #isDue = false
  readonly #inTurn: (step: () => Promise<void>) => Promise<void>
  readonly #write: (chunk: readonly Submitted[]) => Promise<Written>

  /**
   * @param inTurn runs a step when nothing else changes the shard
   * @param write writes a chunk; never rejects
   */
  constructor(
    inTurn: (step: () => Promise<void>) => Promise<void>,
    write: (chunk: readonly Submitted[]) => Promise<Written>,
  ) {
    this.#inTurn = inTurn
    this.#write = write
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
    while (this.#queue.length > 0) await (await this.#write(this.#takeChunk())).answered
  }

  /** Answers what waits with an error. */
  refuse(error: EngineError): void {
    const waiting = this.#queue.splice(0)
    for (const { batch, index } of waiting) batch.outcomes[index] = error
    answerBatches(waiting)
  }

  #pump(): void {
    if (this.#isDue || this.#queue.length === 0) return
    this.#isDue = true
    // Single writes of one turn of the event loop share a chunk.
    setImmediate(() => {
      void this.#inTurn(async () => {
        this.#isDue = false
        // The next chunk does not wait for the answers.
        await this.#write(this.#takeChunk())
        this.#pump()
      })
    })
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

/** Answers operations whose outcomes are known. */
export function answerBatches(taken: readonly Submitted[]): void {
  for (const { batch } of taken) if (--batch.left === 0) batch.done()
}
