import { randomBytes } from 'node:crypto'
import { LaneLostError } from '../pool/lane.ts'
import type { ProposedField, SealAnswer, WriteChunkAnswer } from '../pool/messages.ts'
import type { LoggedIndex, LogOperation, LogPlace } from '../store/translog/translog.ts'
import { EngineError, type ErrorRecord } from '../util/errors.ts'
import type { ShardContext } from './shard-context.ts'
import type { VersionMap } from './version-map.ts'
import { WriteBuffer } from './write-buffer.ts'
import type { IndexOperation } from './write-operation.ts'

type Document = Pick<IndexOperation, 'id' | 'routing' | 'source'>

/** What became of documents: their slots, −1 for those that failed, and why. */
export interface Inverted {
  readonly slots: Int32Array
  readonly errors: ReadonlyMap<number, ErrorRecord>
  /** About what the buffer takes in its worker. */
  readonly bufferBytes: number
}

type TakeSegment = (sealed: Extract<SealAnswer, { kind: 'sealed' }>) => void
type LoggedSince = (seqNo: number) => Iterable<readonly [LogPlace, LogOperation]>

/** How often a request is made again after its worker died. */
const MAX_LOSSES = 20
/** Documents of one chunk when the buffer is filled again from the log. */
const REPLAY_DOCS = 1000

/**
 * The buffer of one shard, which a write worker fills: sends it documents, has fields that they bring
 * mapped, and fills another worker's from the log when its own dies. One request at a time.
 */
export class BufferWriter {
  readonly #context: ShardContext
  readonly #versions: VersionMap
  readonly #logged: LoggedSince
  readonly #lane: number
  readonly #key: string
  #buffer: WriteBuffer
  #isClosed = false

  /**
   * @param firstSeqNo of the next operation
   * @param logged what was accepted so far, from a sequence number on
   */
  constructor(
    context: ShardContext,
    versions: VersionMap,
    firstSeqNo: number,
    logged: LoggedSince,
  ) {
    this.#context = context
    this.#versions = versions
    this.#logged = logged
    this.#lane = context.lanes.assign()
    this.#key = `${context.name.uuid}/${context.name.shard}`
    this.#buffer = new WriteBuffer(0, firstSeqNo)
  }

  get lane(): number {
    return this.#lane
  }

  /** What is known of the buffer here; another one after a loss or a seal. */
  get buffer(): WriteBuffer {
    return this.#buffer
  }

  /** Has documents parsed and inverted; asks again when the mapping grew or the worker died. */
  async invert(documents: readonly Document[]): Promise<Inverted> {
    for (let losses = 0; ; losses++) {
      const answer = await this.#tryToInvert(documents)
      if (answer !== null) return answer
      if (losses === MAX_LOSSES) throw new Error('the write worker keeps dying')
      // What this call had taken is gone with the buffer, and not logged yet.
      await this.#replay()
    }
  }

  /** @returns null when the worker does not hold the buffer, or died: nothing is taken then */
  async #tryToInvert(documents: readonly Document[]): Promise<Inverted | null> {
    const chunk = packChunk(documents)
    const slots = new Int32Array(documents.length)
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
      if (done === documents.length) return { slots, errors, bufferBytes: this.#buffer.bytes }
    }
  }

  /**
   * Has a segment made of the buffer, unless there is nothing in it, and starts the next one.
   * @param take takes the segment over. While it fails the buffer stays what it was: its worker has
   * let go of it, so the next request fills another from the log.
   */
  async seal(stem: string, nextSeqNo: () => number, take: TakeSegment): Promise<void> {
    let isSealed = this.#buffer.isEmpty
    for (let losses = 0; !isSealed; ) {
      const { lanes, folder } = this.#context
      let sealed: SealAnswer | null = null
      try {
        sealed = await lanes.seal(this.#lane, {
          kind: 'seal',
          shard: this.#key,
          buffer: this.#buffer.number,
          ...this.#buffer.columns(),
          segmentId: randomBytes(16),
          stem,
          folder,
        })
      } catch (error) {
        if (!(error instanceof LaneLostError) || ++losses > MAX_LOSSES) throw error
        lanes.forgetSchemas(this.#lane)
      }
      if (sealed?.kind === 'sealed') {
        take(sealed)
        isSealed = true
      } else await this.#replay()
    }
    this.#buffer = new WriteBuffer(this.#buffer.number + 1, nextSeqNo())
  }

  /** @param forget has the worker drop the buffer: the index is deleted */
  async close(forget: boolean): Promise<void> {
    this.#isClosed = true
    const { lanes, name } = this.#context
    if (forget) await lanes.dropShard(this.#lane, name.uuid, this.#key).catch(() => {})
  }

  /** Sends a chunk from its document `from` on. */
  async #send(chunk: PackedChunk, from: number): Promise<WriteChunkAnswer> {
    const { lanes, name } = this.#context
    const schema = this.#context.schema()
    try {
      return await lanes.chunk(this.#lane, schema, {
        kind: 'chunk',
        index: name.uuid,
        shard: this.#key,
        buffer: this.#buffer.number,
        firstSlot: this.#buffer.slotCount,
        schemaVersion: schema.version,
        bytes: chunk.bytes,
        bounds: from === 0 ? chunk.bounds : chunk.bounds.slice(2 * from),
        ids: from === 0 ? chunk.ids : chunk.ids.slice(from),
        routings: from === 0 ? chunk.routings : (chunk.routings?.slice(from) ?? null),
      })
    } catch (error) {
      if (!(error instanceof LaneLostError) || this.#isClosed) throw error
      lanes.forgetSchemas(this.#lane)
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

  /** The worker that held the buffer is gone: fills another one from the log. */
  async #replay(): Promise<void> {
    const { firstSeqNo } = this.#buffer
    for (let losses = 0; ; losses++) {
      this.#buffer = new WriteBuffer(this.#buffer.number + 1, firstSeqNo)
      if (await this.#refill(firstSeqNo)) return
      // Started over, or the first operations would lie in the buffer twice.
      if (losses === MAX_LOSSES) throw new Error('the write worker keeps dying')
    }
  }

  /** @returns false when this worker died too */
  async #refill(firstSeqNo: number): Promise<boolean> {
    const logged: LoggedIndex[] = []
    for (const [, operation] of this.#logged(firstSeqNo))
      if (operation.kind === 'index') logged.push(operation)
    for (let start = 0; start < logged.length; start += REPLAY_DOCS) {
      const part = logged.slice(start, start + REPLAY_DOCS)
      const answer = await this.#tryToInvert(part)
      if (answer === null) return false
      part.forEach((operation, i) => {
        const slot = answer.slots[i]!
        if (slot < 0) throw new Error(`operation [${operation.seqNo}] of the log no longer parses`)
        this.#buffer.fill(slot, operation.seqNo, operation.version, operation.primaryTerm)
        const entry = this.#versions.get(operation.id)
        if (entry?.seqNo === operation.seqNo) this.#versions.set(operation.id, { ...entry, slot })
        else this.#buffer.kill(slot)
      })
    }
    return true
  }
}

/** Documents as one run of bytes with their bounds. */
interface PackedChunk {
  readonly bytes: Uint8Array
  /** Document i is `bytes[bounds[2 i], bounds[2 i + 1])`. */
  readonly bounds: Uint32Array
  readonly ids: string[]
  /** Null when no document has a routing. */
  readonly routings: (string | null)[] | null
}

function packChunk(documents: readonly Document[]): PackedChunk {
  let length = 0
  for (const { source } of documents) length += source.length
  const bytes = new Uint8Array(length)
  const bounds = new Uint32Array(documents.length * 2)
  const ids: string[] = []
  let routings: (string | null)[] | null = null
  let at = 0
  for (let i = 0; i < documents.length; i++) {
    const { id, routing, source } = documents[i]!
    bytes.set(source, at)
    bounds[2 * i] = at
    at += source.length
    bounds[2 * i + 1] = at
    ids.push(id)
    if (routing !== null) routings ??= new Array<string | null>(i).fill(null)
    routings?.push(routing)
  }
  return { bytes, bounds, ids, routings }
}
