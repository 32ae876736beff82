/** The queue of a shard's operations, cut into chunks. */
import type { Cancellation, ExecutionCounter } from '../util/cancellation.ts'
import { cancelledError } from '../util/cancelled-error.ts'
import type { EngineError } from '../util/errors.ts'
import type { WriteOperation, WriteOutcome } from './write-operation.ts'

/**
 * Max bytes and documents of one chunk. Small, because the first chunk's inversion and the last
 * one's acceptance run on one thread alone.
 */
const CHUNK_BYTES = 1 << 19
const CHUNK_DOCS = 5000

/** Operations that were submitted together, and the receiver of their outcomes. */
export interface Batch {
  readonly operations: readonly WriteOperation[]
  readonly outcomes: WriteOutcome[]
  /** Operations that are neither accepted nor withdrawn yet; always the last ones. */
  left: number
  /** Whether its caller has given up those that were left: what a chunk holds of it is not to be accepted. */
  isWithdrawn: boolean
  readonly done: () => void
  /** For whom they are written; null: for nobody who counts. */
  readonly counter: ExecutionCounter | null
}

/** A batch's operations from `start` to `end`. */
export interface BatchPart {
  readonly batch: Batch
  readonly start: number
  readonly end: number
}

/** The operations written together. */
export type Chunk = readonly BatchPart[]

/** The steps that the queue runs for a chunk. */
export interface ChunkWriter<Inverted> {
  /** Makes room for a chunk; operations still wait meanwhile and may be withdrawn. Never rejects. */
  readonly makeRoom: () => Promise<void>
  /** Inverts the documents on the write thread. Never rejects. */
  readonly invert: (chunk: Chunk) => Promise<Inverted>
  /** Whether the next chunk may be inverted before this one's operations are accepted. */
  readonly mayGoOn: () => boolean
  /** Accepts the operations. @returns resolves when they were answered; never rejects */
  readonly accept: (chunk: Chunk, inverted: Inverted) => Promise<void>
  /** Makes all that was accepted as durable as an answer says that it is. Never rejects. */
  readonly settle: () => Promise<void>
}

/**
 * FIFO of operations, cut into chunks that are written together. While this thread accepts one
 * chunk, the write thread inverts the next.
 */
export class WriteQueue<Inverted> {
  #queue: Batch[] = []
  /** Operations of the first batch that are in chunks already. */
  #taken = 0
  #isDue = false
  readonly #inTurn: (step: () => Promise<void>) => Promise<void>
  readonly #writer: ChunkWriter<Inverted>

  /** @param inTurn runs a serial step of the shard */
  constructor(inTurn: (step: () => Promise<void>) => Promise<void>, writer: ChunkWriter<Inverted>) {
    this.#inTurn = inTurn
    this.#writer = writer
  }

  /**
   * Appends operations.
   * @param failure the shard's failure, if any, read when all were answered
   * @param signal  for whom they are written: its cancellation withdraws those that are not accepted, whose
   *   outcome is `task_cancelled_exception`; null: for nobody who may cancel
   * @param counter is told what threads do for them
   */
  add(
    operations: readonly WriteOperation[],
    failure: () => Error | null,
    signal: Cancellation | null = null,
    counter: ExecutionCounter | null = signal,
  ): Promise<WriteOutcome[]> {
    const outcomes: WriteOutcome[] = new Array(operations.length)
    if (operations.length === 0) return Promise.resolve(outcomes)
    if (signal?.isCancelled === true) return Promise.resolve(outcomes.fill(cancelledError()))
    return new Promise((resolve, reject) => {
      const done = (): void => {
        unlisten?.()
        const cause = failure()
        if (cause === null) resolve(outcomes)
        else reject(cause)
      }
      const { length: left } = operations
      const batch: Batch = { operations, outcomes, left, isWithdrawn: false, done, counter }
      const unlisten = signal?.onCancel(() => this.#withdraw(batch))
      this.#queue.push(batch)
      this.#pump()
    })
  }

  /** Writes all queued operations as a serial step; resolves when all are answered. */
  async drain(): Promise<void> {
    while (this.#isWaiting) await (await this.#writeRun()).answered
  }

  /** Rejects all queued operations with an error. */
  refuse(error: EngineError): void {
    while (this.#isWaiting) {
      const chunk = this.#takeChunk()
      for (const { batch, start, end } of chunk) batch.outcomes.fill(error, start, end)
      for (const batch of finishedBatches(chunk)) batch.done()
    }
  }

  /**
   * Answers a batch's operations that are not accepted: its caller need wait neither for their turn, behind
   * seals of other writes, nor for the write thread.
   */
  #withdraw(batch: Batch): void {
    if (batch.left === 0) return
    const at = this.#queue.indexOf(batch)
    if (at >= 0) {
      if (at === 0) this.#taken = 0
      this.#queue.splice(at, 1)
    }
    const accepted = batch.operations.length - batch.left
    batch.outcomes.fill(cancelledError(), accepted)
    batch.left = 0
    batch.isWithdrawn = true
    if (accepted === 0) batch.done()
    else void this.#writer.settle().then(batch.done)
  }

  get #isWaiting(): boolean {
    return this.#queue.length > 0
  }

  #pump(): void {
    if (this.#isDue || !this.#isWaiting) return
    this.#isDue = true
    // Single writes of one turn of the event loop share a chunk.
    setImmediate(() => {
      void this.#inTurn(async () => {
        this.#isDue = false
        if (this.#isWaiting) await this.#writeRun()
        this.#pump()
      })
    })
  }

  /** Writes chunks until the queue is empty or another step waits; answers come later. */
  async #writeRun(): Promise<{ readonly answered: Promise<void> }> {
    const { makeRoom, invert, mayGoOn, accept } = this.#writer
    await makeRoom()
    if (!this.#isWaiting) return { answered: Promise.resolve() }
    let chunk = this.#takeChunk()
    let inverting = invert(chunk)
    for (;;) {
      const inverted = await inverting
      const next = this.#isWaiting && mayGoOn() ? this.#takeChunk() : null
      if (next !== null) {
        inverting = invert(next)
        // It is sent by the end of this turn of the event loop.
        await new Promise<void>(resolve => setImmediate(resolve))
      }
      const answered = accept(chunk, inverted)
      if (next === null) return { answered }
      chunk = next
    }
  }

  #takeChunk(): Chunk {
    const queue = this.#queue
    const parts: BatchPart[] = []
    let bytes = 0
    let count = 0
    for (const batch of queue) {
      const { operations } = batch
      const start = this.#taken
      let end = start
      for (; end < operations.length; end++) {
        const operation = operations[end]!
        if (operation.kind === 'index') bytes += operation.source.length
        if (count === CHUNK_DOCS || (bytes > CHUNK_BYTES && count > 0)) break
        count++
      }
      if (end > start) parts.push({ batch, start, end })
      this.#taken = end
      if (end < operations.length) break
      this.#taken = 0
    }
    // All batches but the last are taken whole.
    const last = parts.at(-1)
    const isWhole = last?.end === last?.batch.operations.length
    queue.splice(0, isWhole ? parts.length : parts.length - 1)
    return parts
  }
}

/** Counts known outcomes. @returns the batches that are complete now; those withdrawn were so before */
export function finishedBatches(chunk: Chunk): Batch[] {
  const finished: Batch[] = []
  for (const { batch, start, end } of chunk) {
    if (batch.isWithdrawn) continue
    batch.left -= end - start
    if (batch.left === 0) finished.push(batch)
  }
  return finished
}
