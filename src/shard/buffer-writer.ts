import type { LogLocation, LogOperation } from '../store/translog/translog.ts'
import type { Cancellation, ExecutionCounter } from '../util/cancellation.ts'
import { DocumentChunk } from './document-chunk.ts'
import { type Inverted, LaneBuffer, type SealedSegment } from './lane-buffer.ts'
import type { LoggedHead } from './logged-head.ts'
import type { ShardContext } from './shard-context.ts'
import type { VersionMap } from './version-map.ts'
import type { WriteBuffer } from './write-buffer.ts'

type LoggedSince = (seqNo: number) => Iterable<readonly [LogLocation, LogOperation]>

/** Max retries of a request whose worker died. */
const MAX_LOSSES = 20
/** Bytes of a chunk while the buffer is refilled from the log. */
const REPLAY_BYTES = 1 << 20

/**
 * One shard's buffer in a write worker: when the worker dies, a new buffer is refilled from the
 * log. Runs one request at a time.
 */
export class BufferWriter {
  readonly #versions: VersionMap
  readonly #logged: LoggedSince
  readonly #buffer: LaneBuffer

  /**
   * @param firstSeqNo of the next operation
   * @param logged accepted operations from a sequence number on
   */
  constructor(
    context: ShardContext,
    versions: VersionMap,
    firstSeqNo: number,
    logged: LoggedSince,
  ) {
    const { name, lanes } = context
    this.#versions = versions
    this.#logged = logged
    const key = `${name.uuid}/${name.shard}`
    this.#buffer = new LaneBuffer(context, lanes.assign(), key, firstSeqNo)
  }

  get lane(): number {
    return this.#buffer.lane
  }

  /** The coordinator's state of the buffer; replaced after a loss or a seal. */
  get buffer(): WriteBuffer {
    return this.#buffer.buffer
  }

  /** Sets the first sequence number of an empty buffer: earlier operations are all in segments. */
  startAt(seqNo: number): void {
    this.#buffer.startOver(seqNo)
  }

  /**
   * Parses and inverts documents; retries when the worker died.
   * @param signal for whom, who is told how long the worker took; null: for nobody who counts
   */
  async invert(documents: DocumentChunk, signal: ExecutionCounter | null): Promise<Inverted> {
    for (let losses = 0; ; losses++) {
      const answer = await this.#buffer.invert(documents, signal)
      if (answer !== null) return answer
      if (losses === MAX_LOSSES) throw new Error('the write worker keeps dying')
      // This call's documents are lost with the buffer and not in the log yet.
      await this.#replay()
    }
  }

  /**
   * Seals the buffer into a segment, unless it is empty, and starts the next one.
   * @param take receives the segment. If it throws, the buffer stays current here; its worker has
   *             dropped it, so that the next request refills one from the log.
   * @param signal for whom it runs, who may give it up: the buffer stays; null: for nobody in particular
   */
  async seal(
    stem: string,
    nextSeqNo: () => number,
    take: (sealed: SealedSegment) => void,
    signal: Cancellation | null,
  ): Promise<void> {
    for (let losses = 0; !this.buffer.isEmpty; losses++) {
      const sealed = await this.#buffer.seal(stem, signal)
      if (sealed !== null) {
        take(sealed)
        break
      }
      if (losses === MAX_LOSSES) throw new Error('the write worker keeps dying')
      await this.#replay()
    }
    this.#buffer.startOver(nextSeqNo())
  }

  /** @param forget makes the worker drop the buffer: the index is deleted */
  close(forget: boolean): Promise<void> {
    return this.#buffer.close(forget)
  }

  /** After the loss of the buffer: refills another one from the log. */
  async #replay(): Promise<void> {
    const { firstSeqNo } = this.buffer
    for (let losses = 0; ; losses++) {
      this.#buffer.startOver(firstSeqNo)
      if (await this.#refill(firstSeqNo)) return
      // Start over, or the first operations would be in the buffer twice.
      if (losses === MAX_LOSSES) throw new Error('the write worker keeps dying')
    }
  }

  /** @returns false when this worker died too */
  async #refill(firstSeqNo: number): Promise<boolean> {
    let chunk = new DocumentChunk(REPLAY_BYTES)
    let heads: LoggedHead[] = []
    const send = async (): Promise<boolean> => {
      const answer = await this.#buffer.invert(chunk)
      if (answer === null) return false
      for (const [i, head] of heads.entries()) this.#refilled(head, answer.slots[i]!)
      chunk = new DocumentChunk(REPLAY_BYTES)
      heads = []
      return true
    }
    for (const [, operation] of this.#logged(firstSeqNo)) {
      if (operation.kind !== 'index') continue
      const isFull = chunk.count > 0 && !chunk.hasRoomFor(operation.source.length)
      if (isFull && !(await send())) return false
      chunk.add(operation)
      const { kind, id, seqNo, primaryTerm, version } = operation
      heads.push({ kind, id, seqNo, primaryTerm, version })
    }
    return chunk.count === 0 || (await send())
  }

  #refilled({ id, seqNo, version, primaryTerm }: LoggedHead, slot: number): void {
    if (slot < 0) throw new Error(`operation [${seqNo}] of the log no longer parses`)
    this.buffer.fill(slot, seqNo, version, primaryTerm)
    const entry = this.#versions.get(id)
    if (entry?.seqNo === seqNo) this.#versions.set(id, { ...entry, slot })
    else this.buffer.kill(slot)
  }
}
