import { randomBytes } from 'node:crypto'
import { LaneLostError } from '../pool/lane.ts'
import type { ProposedField, SealAnswer, WriteChunkAnswer } from '../pool/messages.ts'
import { EngineError, type ErrorRecord } from '../util/errors.ts'
import type { DocumentChunk } from './document-chunk.ts'
import type { ShardContext } from './shard-context.ts'
import { WriteBuffer } from './write-buffer.ts'

/** What became of documents: their slots, −1 for those that failed, and why. */
export interface Inverted {
  readonly slots: Int32Array
  readonly errors: ReadonlyMap<number, ErrorRecord>
  /** About what the buffer takes in its worker. */
  readonly bufferBytes: number
}

/** A segment that a write thread has made. */
export type SealedSegment = Extract<SealAnswer, { kind: 'sealed' }>

/**
 * A buffer of one shard in one write thread. It says when the thread has lost it, and leaves it to its
 * owner what follows from that. One request at a time.
 */
export class LaneBuffer {
  readonly lane: number
  readonly #context: ShardContext
  readonly #key: string
  #buffer: WriteBuffer
  #isClosed = false

  /**
   * @param lane which of the write threads
   * @param key names the buffer there; nobody else's
   * @param firstSeqNo of the first operation that may lie in it
   */
  constructor(context: ShardContext, lane: number, key: string, firstSeqNo: number) {
    this.lane = lane
    this.#context = context
    this.#key = key
    this.#buffer = new WriteBuffer(0, firstSeqNo)
  }

  /** What is known of the buffer here; another one after `startOver`. */
  get buffer(): WriteBuffer {
    return this.#buffer
  }

  /** Starts an empty buffer; the thread drops the one that it holds with the next request. */
  startOver(firstSeqNo: number): void {
    this.#buffer = new WriteBuffer(this.#buffer.number + 1, firstSeqNo)
  }

  /**
   * Has documents parsed and inverted; asks again when the mapping grew.
   * @returns null when the thread does not hold the buffer, or died: nothing is taken then
   */
  async invert(chunk: DocumentChunk): Promise<Inverted | null> {
    const slots = new Int32Array(chunk.count)
    const errors = new Map<number, ErrorRecord>()
    let done = 0
    for (;;) {
      const answer = await this.#send(chunk, done)
      if (answer.kind === 'lost') return null
      slots.set(answer.slots, done)
      for (const [i, error] of answer.errors) errors.set(done + i, error)
      const last = answer.slots.findLast(slot => slot >= 0)
      // The buffer must know of the slots before the next documents follow them.
      if (last !== undefined) this.#buffer.expect(last + 1)
      done += answer.slots.length
      if (answer.kind === 'taken') return { slots, errors, bufferBytes: answer.bufferBytes }
      const refusal = await this.#propose(answer.fields)
      if (refusal !== null) {
        errors.set(done, refusal)
        slots[done++] = -1
      }
      if (done === chunk.count) return { slots, errors, bufferBytes: this.#buffer.bytes }
    }
  }

  /**
   * Has a segment made of the buffer; the thread then holds none.
   * @returns null when the thread does not hold the buffer, or died
   */
  async seal(stem: string): Promise<SealedSegment | null> {
    const { lanes, folder } = this.#context
    try {
      const answer = await lanes.seal(this.lane, {
        kind: 'seal',
        shard: this.#key,
        buffer: this.#buffer.number,
        ...this.#buffer.columns(),
        segmentId: randomBytes(16),
        stem,
        folder,
      })
      return answer.kind === 'sealed' ? answer : null
    } catch (error) {
      if (!(error instanceof LaneLostError) || this.#isClosed) throw error
      lanes.forgetSchemas(this.lane)
      return null
    }
  }

  /** @param forget has the thread drop the buffer: the index is deleted */
  async close(forget: boolean): Promise<void> {
    this.#isClosed = true
    const { lanes, name } = this.#context
    if (forget) await lanes.dropShard(this.lane, name.uuid, this.#key).catch(() => {})
  }

  /** Sends a chunk from its document `from` on. */
  async #send(chunk: DocumentChunk, from: number): Promise<WriteChunkAnswer> {
    const { lanes, name } = this.#context
    const schema = this.#context.schema()
    try {
      return await lanes.chunk(this.lane, schema, {
        kind: 'chunk',
        index: name.uuid,
        shard: this.#key,
        buffer: this.#buffer.number,
        firstSlot: this.#buffer.slotCount,
        schemaVersion: schema.version,
        ...chunk.from(from),
      })
    } catch (error) {
      if (!(error instanceof LaneLostError) || this.#isClosed) throw error
      lanes.forgetSchemas(this.lane)
      return { kind: 'lost' }
    }
  }

  /**
   * Has new fields mapped; they stand in order of the documents that brought them.
   * @returns why the first of them was refused, which the next document must answer for
   */
  async #propose(fields: readonly ProposedField[]): Promise<ErrorRecord | null> {
    const { version } = this.#context.schema()
    for (const part of [fields, ...fields.map(field => [field])]) {
      try {
        await this.#context.proposeFields(part)
        if (part === fields) return null
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        // All at once was refused, perhaps for one alone: those before it still find their place.
        if (part === fields && fields.length > 1) continue
        return this.#context.schema().version === version ? error.record : null
      }
    }
    return null
  }
}
