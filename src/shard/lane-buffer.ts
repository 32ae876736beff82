/** The coordinator's handle of a shard's buffer on one write thread. */
import { randomBytes } from 'node:crypto'
import { LaneLostError } from '../pool/lane.ts'
import type { ProposedField, SealAnswer, WriteChunkAnswer } from '../pool/messages.ts'
import { assert } from '../util/assert.ts'
import type { Cancellation, ExecutionCounter } from '../util/cancellation.ts'
import { EngineError, type ErrorRecord } from '../util/errors.ts'
import type { DocumentChunk } from './document-chunk.ts'
import type { ShardContext } from './shard-context.ts'
import { WriteBuffer } from './write-buffer.ts'

/** The result of inverting documents: their slots, −1 for failed ones, and the errors. */
export interface Inverted {
  readonly slots: Int32Array
  readonly errors: ReadonlyMap<number, ErrorRecord>
  /** Estimated bytes of the buffer in its worker. */
  readonly bufferBytes: number
}

/** A segment made by a write thread. */
export type SealedSegment = Extract<SealAnswer, { kind: 'sealed' }>

/**
 * One shard's buffer on one write thread. It reports that the thread has lost it; its owner
 * recovers. Runs one request at a time.
 */
export class LaneBuffer {
  readonly lane: number
  readonly #context: ShardContext
  readonly #key: string
  #buffer: WriteBuffer
  #isClosed = false

  /**
   * @param lane ord of the write thread
   * @param key unique name of the buffer there
   * @param firstSeqNo of the first operation that it may hold
   */
  constructor(context: ShardContext, lane: number, key: string, firstSeqNo: number) {
    this.lane = lane
    this.#context = context
    this.#key = key
    this.#buffer = new WriteBuffer(0, firstSeqNo)
  }

  /** The coordinator's state of the buffer; replaced by `startOver`. */
  get buffer(): WriteBuffer {
    return this.#buffer
  }

  /** Starts an empty buffer; the thread drops the old one at the next request. */
  startOver(firstSeqNo: number): void {
    this.#buffer = new WriteBuffer(this.#buffer.number + 1, firstSeqNo)
  }

  /**
   * Parses and inverts documents; retries when the mapping grew.
   * @param signal for whom, who is told how long the thread took; null: for nobody who counts
   * @returns null when the thread lost the buffer or died: no document is indexed then
   */
  async invert(
    chunk: DocumentChunk,
    signal: ExecutionCounter | null = null,
  ): Promise<Inverted | null> {
    const slots = new Int32Array(chunk.count)
    const errors = new Map<number, ErrorRecord>()
    let done = 0
    for (;;) {
      const { version } = this.#context.schema()
      const answer = await this.#send(chunk, done, signal)
      if (answer.kind === 'lost') return null
      slots.set(answer.slots, done)
      for (const [i, error] of answer.errors) errors.set(done + i, error)
      const last = answer.slots.findLast(slot => slot >= 0)
      // The buffer must count these slots before the next documents follow.
      if (last !== undefined) this.#buffer.expect(last + 1)
      done += answer.slots.length
      if (answer.kind === 'taken') return { slots, errors, bufferBytes: answer.bufferBytes }
      const refusal = await this.#propose(answer.fields)
      assert(
        refusal !== null || this.#context.schema().version !== version,
        'the mapping takes the fields that it lacks',
      )
      if (refusal !== null) {
        errors.set(done, refusal)
        slots[done++] = -1
      }
      if (done === chunk.count) return { slots, errors, bufferBytes: this.#buffer.bytes }
    }
  }

  /**
   * Seals the buffer into a segment; the thread then holds no buffer.
   * @param signal for whom it runs, who may give it up: the buffer stays; null: for nobody in particular
   * @returns null when the thread lost the buffer or died
   */
  async seal(stem: string, signal: Cancellation | null = null): Promise<SealedSegment | null> {
    const { lanes, folder } = this.#context
    try {
      const request = {
        kind: 'seal' as const,
        shard: this.#key,
        buffer: this.#buffer.number,
        ...this.#buffer.columns(),
        segmentId: randomBytes(16),
        sort: this.#context.settings().indexSort,
        graphFrom: this.#context.settings().graphFrom,
        stem,
        folder,
      }
      const answer = await lanes.seal(this.lane, request, signal)
      return answer.kind === 'sealed' ? answer : null
    } catch (error) {
      if (!(error instanceof LaneLostError) || this.#isClosed) throw error
      lanes.forgetSchemas(this.lane)
      return null
    }
  }

  /** @param forget makes the thread drop the buffer: the index is deleted */
  async close(forget: boolean): Promise<void> {
    this.#isClosed = true
    const { lanes, name } = this.#context
    if (forget) await lanes.dropShard(this.lane, name.uuid, this.#key).catch(() => {})
  }

  /** Sends a chunk from document `from` on. */
  async #send(
    chunk: DocumentChunk,
    from: number,
    signal: ExecutionCounter | null,
  ): Promise<WriteChunkAnswer> {
    const { lanes, name } = this.#context
    const schema = this.#context.schema()
    try {
      const request = {
        kind: 'chunk' as const,
        index: name.uuid,
        shard: this.#key,
        buffer: this.#buffer.number,
        firstSlot: this.#buffer.slotCount,
        schemaVersion: schema.version,
        ...chunk.from(from),
      }
      return await lanes.chunk(this.lane, schema, request, signal)
    } catch (error) {
      if (!(error instanceof LaneLostError) || this.#isClosed) throw error
      lanes.forgetSchemas(this.lane)
      return { kind: 'lost' }
    }
  }

  /**
   * Maps new fields, in order of the documents that bring them.
   * @returns why those of the first document were refused: its error
   */
  async #propose(fields: readonly ProposedField[]): Promise<ErrorRecord | null> {
    try {
      return await this.#context.proposeFields(fields)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      return error.record
    }
  }
}
