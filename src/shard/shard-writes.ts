import type { Translog } from '../store/translog/translog.ts'
import type { Cancellation, ExecutionCounter } from '../util/cancellation.ts'
import { nowInNanos } from '../util/clock.ts'
import { EngineError } from '../util/errors.ts'
import type { AcceptedOperations } from './accepted-operations.ts'
import type { BufferWriter } from './buffer-writer.ts'
import { ACCEPTANCE, INVERSION, writtenFor } from './chunk-shares.ts'
import { DocumentChunk } from './document-chunk.ts'
import type { Inverted } from './lane-buffer.ts'
import type { ShardContext } from './shard-context.ts'
import type { ShardState } from './shard-state.ts'
import type { ShardTallies } from './tally.ts'
import type { IndexOperation, WriteOperation, WriteOutcome } from './write-operation.ts'
import { type Chunk, finishedBatches, WriteQueue } from './write-queue.ts'

/** A long bulk is synced piecewise, which bounds the log's buffer in memory. */
const SYNC_BYTES = 1 << 20

/** The interface of a shard to its writes. */
export interface WrittenShard {
  readonly context: ShardContext
  readonly state: ShardState
  readonly stats: ShardTallies
  readonly writer: BufferWriter
  readonly accepted: AcceptedOperations
  readonly log: Translog
  /** Seals the buffer into a segment, within the step that runs. */
  seal(): Promise<void>
}

/** An inverted chunk. */
interface TimedChunk extends Inverted {
  /** Of each of its documents, on average. */
  readonly tookInNanos: number
}

/**
 * The writes of one shard, from their queue to their answers: chunk by chunk they are inverted on the
 * write thread, decided here in order of arrival, and answered once the log is durable.
 */
export class ShardWrites {
  readonly #shard: WrittenShard
  readonly #queue: WriteQueue<TimedChunk | null>
  /** Bytes of documents accepted since the last due sync of the log. */
  #unsyncedBytes = 0

  constructor(shard: WrittenShard) {
    const { state } = shard
    this.#shard = shard
    this.#queue = new WriteQueue<TimedChunk | null>(step => state.serial(step), {
      makeRoom: () => this.#makeRoom(),
      invert: chunk => this.#invert(chunk),
      mayGoOn: () => state.failure === null && !state.hasWaitingSteps && !this.#isBufferFull(),
      accept: (chunk, inverted) => this.#accept(chunk, inverted),
      settle: () => this.#settleLog(),
    })
  }

  /**
   * Writes operations in order. Resolves when each was logged or rejected; rejections are outcomes.
   * @param signal for whom they are written: at its cancellation, those that are not in the log yet are
   *   rejected; null: for nobody who may cancel
   * @param counter is told what threads do for them; null: for nobody who counts
   * @throws {EngineError} when the shard has failed meanwhile
   */
  submit(
    operations: readonly WriteOperation[],
    signal: Cancellation | null,
    counter: ExecutionCounter | null,
  ): Promise<WriteOutcome[]> {
    return this.#queue.add(operations, () => this.#shard.state.failure, signal, counter)
  }

  /** Writes all that waits, within the step that runs; resolves when all are answered. */
  drain(): Promise<void> {
    return this.#queue.drain()
  }

  /** Rejects all that waits with an error. */
  refuse(error: EngineError): void {
    this.#queue.refuse(error)
  }

  /** Makes the log durable; a failure fails the shard. */
  async syncLog(): Promise<void> {
    const { log, state } = this.#shard
    await log.sync().catch((error: unknown) => state.fail(error))
  }

  /** Seals a full buffer, before operations that may still be withdrawn are taken. */
  async #makeRoom(): Promise<void> {
    const { state } = this.#shard
    if (state.failure !== null || !this.#isBufferFull()) return
    try {
      await this.#shard.seal()
    } catch (error) {
      state.fail(error)
    }
  }

  /** Inverts the documents of a chunk; null without documents, or when the shard has failed. */
  async #invert(chunk: Chunk): Promise<TimedChunk | null> {
    const { state, stats, writer } = this.#shard
    if (state.failure !== null) return null
    const started = performance.now()
    let running = 0
    try {
      const documents: IndexOperation[] = []
      for (const { batch, start, end } of chunk)
        for (let i = start; i < end; i++) {
          const operation = batch.operations[i]!
          if (operation.kind === 'index') documents.push(operation)
        }
      if (documents.length === 0) return null
      running = documents.length
      stats.index.current += running
      const request = DocumentChunk.of(documents)
      const { slots, errors, bufferBytes } = await writer.invert(
        request,
        writtenFor(chunk, INVERSION),
      )
      request.release()
      writer.buffer.bytes = bufferBytes
      // Documents of a chunk are timed together.
      const tookInNanos = ((performance.now() - started) * 1e6) / documents.length
      return { slots, errors, bufferBytes, tookInNanos }
    } catch (error) {
      stats.index.current -= running
      state.fail(error)
      return null
    } finally {
      stats.index.timeInMillis += performance.now() - started
    }
  }

  /** Decides the operations of a chunk; resolves when they were answered. */
  #accept(chunk: Chunk, inverted: TimedChunk | null): Promise<void> {
    const { state, stats } = this.#shard
    if (state.failure === null) {
      const endExecution = writtenFor(chunk, ACCEPTANCE)?.beginExecution?.()
      const started = nowInNanos()
      try {
        this.#write(chunk, inverted)
      } catch (error) {
        state.fail(error)
      }
      endExecution?.(nowInNanos() - started)
    }
    if (inverted !== null) stats.index.current -= inverted.slots.length
    return this.#acknowledge(chunk)
  }

  #write(chunk: Chunk, inverted: TimedChunk | null): void {
    const { accepted, context, state, stats } = this.#shard
    const slow = context.settings().slowIndexingInNanos
    let next = 0
    let bytes = 0
    for (const { batch, start, end } of chunk)
      for (let i = start; i < end; i++) {
        const operation = batch.operations[i]!
        if (batch.isWithdrawn) {
          if (operation.kind === 'index') this.#dropSlot(inverted!.slots[next++]!)
          continue
        }
        if (operation.kind === 'delete') {
          const started = performance.now()
          batch.outcomes[i] = accepted.accept(operation, -1)
          stats.delete.count++
          stats.delete.timeInMillis += performance.now() - started
          continue
        }
        const slot = inverted!.slots[next]!
        const outcome =
          slot < 0 ? new EngineError(inverted!.errors.get(next)!) : accepted.accept(operation, slot)
        next++
        batch.outcomes[i] = outcome
        bytes += operation.source.length
        if (!(outcome instanceof EngineError)) {
          stats.index.count++
          if (inverted!.tookInNanos > slow) context.onSlow(operation, inverted!.tookInNanos)
        } else {
          stats.indexFailed++
          this.#dropSlot(slot)
        }
      }
    this.#unsyncedBytes += bytes
    if (next > 0) {
      stats.lastIndexedAt = Date.now()
      context.onWritten(bytes)
    }
    state.markDirty()
  }

  /** Takes a document out of the buffer that was refused. @param slot below 0: it takes none */
  #dropSlot(slot: number): void {
    if (slot >= 0) this.#shard.writer.buffer.kill(slot)
  }

  /** Answers the chunk's callers once the log is durable; the next chunk does not wait for it. */
  async #acknowledge(chunk: Chunk): Promise<void> {
    const finished = finishedBatches(chunk)
    if (finished.length > 0 || this.#unsyncedBytes >= SYNC_BYTES) await this.#settleLog()
    else if (!this.#shard.context.settings().isDurableOnRequest) this.#noteUnsynced()
    for (const batch of finished) batch.done()
  }

  /** Makes the log durable, or has that done later where the index says so. */
  async #settleLog(): Promise<void> {
    const { context, state, log } = this.#shard
    if (!context.settings().isDurableOnRequest) {
      this.#noteUnsynced()
      return
    }
    if (state.failure !== null || !log.hasUnsynced) return
    this.#unsyncedBytes = 0
    await this.syncLog()
  }

  #noteUnsynced(): void {
    const { context, state, log } = this.#shard
    if (state.failure === null && log.hasUnsynced) context.onUnsynced()
  }

  /** Whether the buffer must be sealed before it takes more. */
  #isBufferFull(): boolean {
    const { context, writer } = this.#shard
    return writer.buffer.bytes > context.settings().bufferLimitInBytes
  }
}
