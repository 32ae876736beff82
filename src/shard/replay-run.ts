import type { LogLocation, LogOperation } from '../store/translog/translog.ts'
import { CorruptSegmentError } from '../util/errors.ts'
import { DocumentChunk } from './document-chunk.ts'
import { LaneBuffer, type SealedSegment } from './lane-buffer.ts'
import type { LoggedHead } from './logged-head.ts'
import type { ShardContext } from './shard-context.ts'

/** Bytes of documents per request to a write thread. */
const CHUNK_BYTES = 2 << 20
/** Max restarts of a run whose thread died. */
const MAX_LOSSES = 20

/** An operation, its location in the log, and whether it is the last on its id in its run. */
export interface ReplayedOperation extends LoggedHead {
  readonly location: LogLocation
  isLast: boolean
}

let runs = 0

/**
 * A run of log operations that goes through one write thread, and the segment made of it. The
 * thread inverts its first documents while the last ones are still read.
 */
export class ReplayRun {
  readonly operations: ReplayedOperation[] = []
  /** Estimated bytes of the operations. */
  bytes = 0
  readonly #context: ShardContext
  /** The index operations, in order; the chunks hold their documents. */
  readonly #indexed: ReplayedOperation[] = []
  readonly #chunks: DocumentChunk[] = []
  readonly #last = new Map<string, ReplayedOperation>()
  #isWhole = false
  #isAbandoned = false
  #wake: () => void = () => {}

  constructor(context: ShardContext) {
    this.#context = context
  }

  /** Appends an operation and copies its document. */
  add(operation: LogOperation, location: LogLocation): void {
    const entry: ReplayedOperation = replayed(operation, location)
    this.operations.push(entry)
    this.bytes += 100
    if (operation.kind === 'noOp') return
    const before = this.#last.get(operation.id)
    if (before !== undefined) before.isLast = false
    this.#last.set(operation.id, entry)
    if (operation.kind === 'delete') return
    this.#indexed.push(entry)
    this.bytes += operation.source.length
    let chunk = this.#chunks.at(-1)
    if (!chunk?.hasRoomFor(operation.source.length)) {
      // The previous chunk is full and can be sent.
      this.#wake()
      chunk = new DocumentChunk(Math.max(CHUNK_BYTES, operation.source.length))
      this.#chunks.push(chunk)
    }
    chunk.add(operation)
  }

  /** Marks the end of the run. */
  end(): void {
    this.#isWhole = true
    this.#wake()
  }

  /** Abandons the run after the log reader failed. */
  abandon(): void {
    this.#isAbandoned = true
    this.end()
  }

  /**
   * Inverts and seals the run as its operations arrive; starts over when the thread dies.
   * @param lane ord of the write thread
   * @returns null when no document of the run is left
   * @throws {CorruptSegmentError} an acknowledged operation no longer parses
   */
  async make(lane: number, stem: string): Promise<SealedSegment | null> {
    const { name } = this.#context
    for (let losses = 0; losses <= MAX_LOSSES; losses++) {
      // A new name each time: a surviving thread may still hold the abandoned buffer.
      const key = `${name.uuid}/${name.shard}/replay-${runs++}`
      const buffer = new LaneBuffer(this.#context, lane, key, 0)
      let isDone = false
      try {
        if (!(await this.#invert(buffer))) continue
        const sealed = buffer.buffer.isEmpty ? null : await buffer.seal(stem)
        isDone = sealed !== null
        if (isDone || buffer.buffer.isEmpty) return sealed
      } finally {
        await buffer.close(!isDone)
      }
    }
    throw new Error('the write workers keep dying')
  }

  /** @returns false when the thread died */
  async #invert(buffer: LaneBuffer): Promise<boolean> {
    let next = 0
    const slots: number[] = []
    for (let i = 0; ; i++) {
      // The last chunk may still grow.
      while (!this.#isWhole && i + 1 >= this.#chunks.length)
        await new Promise<void>(resolve => {
          this.#wake = resolve
        })
      const chunk = this.#chunks[i]
      if (this.#isAbandoned || chunk === undefined) break
      const answer = await buffer.invert(chunk)
      if (answer === null) return false
      for (const slot of answer.slots) {
        const { id, seqNo, version, primaryTerm, location } = this.#indexed[next++]!
        if (slot < 0)
          throw new CorruptSegmentError(
            'translog',
            location,
            `operation ${seqNo} on [${id}] to parse as it did`,
            answer.errors.values().next().value?.reason ?? 'an error',
          )
        buffer.buffer.fill(slot, seqNo, version, primaryTerm)
        slots.push(slot)
      }
    }
    for (const [i, slot] of slots.entries())
      if (this.#isAbandoned || !this.#indexed[i]!.isLast) buffer.buffer.kill(slot)
    return true
  }
}

/** One object shape: there is one per operation, for as long as the run lives. */
function replayed(operation: LogOperation, location: LogLocation): ReplayedOperation {
  const { kind, seqNo, primaryTerm } = operation
  if (operation.kind === 'noOp')
    return { kind, id: '', seqNo, primaryTerm, version: 0, location, isLast: false }
  const { id, version } = operation
  return { kind, id, seqNo, primaryTerm, version, location, isLast: true }
}
