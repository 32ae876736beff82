import type { LogOperation, LogPlace } from '../store/translog/translog.ts'
import { DocumentChunk } from './document-chunk.ts'
import { type Inverted, LaneBuffer, type SealedSegment } from './lane-buffer.ts'
import type { LoggedHead } from './logged-head.ts'
import type { ShardContext } from './shard-context.ts'
import type { VersionMap } from './version-map.ts'
import type { WriteBuffer } from './write-buffer.ts'

type LoggedSince = (seqNo: number) => Iterable<readonly [LogPlace, LogOperation]>

/** How often a request is made again after its worker died. */
const MAX_LOSSES = 20
/** Bytes of documents of one chunk when the buffer is filled again from the log. */
const REPLAY_BYTES = 1 << 20

/**
 * The buffer of one shard, which a write worker fills: when the worker dies, another one's is filled
 * from the log. One request at a time.
 */
export class BufferWriter {
  readonly #versions: VersionMap
  readonly #logged: LoggedSince
  readonly #buffer: LaneBuffer

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
    const { name, lanes } = context
    this.#versions = versions
    this.#logged = logged
    const key = `${name.uuid}/${name.shard}`
    this.#buffer = new LaneBuffer(context, lanes.assign(), key, firstSeqNo)
  }

  get lane(): number {
    return this.#buffer.lane
  }

  /** What is known of the buffer here; another one after a loss or a seal. */
  get buffer(): WriteBuffer {
    return this.#buffer.buffer
  }

  /** Everything before that operation has its place elsewhere; the buffer must be empty. */
  startAt(seqNo: number): void {
    this.#buffer.startOver(seqNo)
  }

  /** Has documents parsed and inverted; asks again when the worker died. */
  async invert(documents: DocumentChunk): Promise<Inverted> {
    for (let losses = 0; ; losses++) {
      const answer = await this.#buffer.invert(documents)
      if (answer !== null) return answer
      if (losses === MAX_LOSSES) throw new Error('the write worker keeps dying')
      // What this call had taken is gone with the buffer, and not logged yet.
      await this.#replay()
    }
  }

  /**
   * Has a segment made of the buffer, unless there is nothing in it, and starts the next one.
   * @param take takes the segment over. While it fails the buffer stays what it was: its worker has
   * let go of it, so the next request fills another from the log.
   */
  async seal(
    stem: string,
    nextSeqNo: () => number,
    take: (sealed: SealedSegment) => void,
  ): Promise<void> {
    for (let losses = 0; !this.buffer.isEmpty; losses++) {
      const sealed = await this.#buffer.seal(stem)
      if (sealed !== null) {
        take(sealed)
        break
      }
      if (losses === MAX_LOSSES) throw new Error('the write worker keeps dying')
      await this.#replay()
    }
    this.#buffer.startOver(nextSeqNo())
  }

  /** @param forget has the worker drop the buffer: the index is deleted */
  close(forget: boolean): Promise<void> {
    return this.#buffer.close(forget)
  }

  /** The worker that held the buffer is gone: fills another one from the log. */
  async #replay(): Promise<void> {
    const { firstSeqNo } = this.buffer
    for (let losses = 0; ; losses++) {
      this.#buffer.startOver(firstSeqNo)
      if (await this.#refill(firstSeqNo)) return
      // Started over, or the first operations would lie in the buffer twice.
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
