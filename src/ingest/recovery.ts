import type { LoggedIndex, LogOperation, LogPlace, Translog } from '../store/translog/translog.ts'
import { CorruptSegmentError } from '../util/errors.ts'
import type { AcceptedOperations } from './accepted-operations.ts'
import { LaneBuffer, type SealedSegment } from './lane-buffer.ts'
import type { ShardContext } from './shard-context.ts'

/** Bytes of documents that are sent to a write thread at once. */
const CHUNK_BYTES = 1 << 20
/** Bytes of operations of one buffer; below the least, another thread would not pay. */
const MOST_BUFFER_BYTES = 12 << 20
const LEAST_BUFFER_BYTES = 1 << 20
/** How often a wave is begun again after a thread died. */
const MAX_LOSSES = 20

/** What a replay works on. */
export interface Replay {
  readonly context: ShardContext
  readonly log: Translog
  readonly accepted: AcceptedOperations
  /** The next name for a segment. */
  takeStem(): string
  /** Takes a segment over, behind those that there are. */
  append(stem: string, sealed: SealedSegment): void
}

/** An operation, its place in the log, and about what it weighs. */
interface Entry {
  readonly place: LogPlace
  readonly operation: LogOperation
  readonly bytes: number
}

/** A run of operations that goes through one thread, and the segment made of it. */
interface Part {
  readonly entries: readonly Entry[]
  readonly buffer: LaneBuffer
  readonly stem: string
  sealed: SealedSegment | null
}

/**
 * Writes again what the log holds beyond the commit, with the numbers that each operation was given
 * then; no condition is asked. Waves of operations are cut into runs, one for each write thread, which
 * are inverted and sealed side by side; their segments stand in the order of the log.
 * @returns how many operations there were
 * @throws {CorruptSegmentError} an operation that was acknowledged no longer parses
 */
export async function replayLog(replay: Replay): Promise<number> {
  const { context, log, accepted } = replay
  const operations = log.operations(accepted.maxSeqNo + 1, Number.POSITIVE_INFINITY)
  let count = 0
  let running: Promise<void> = Promise.resolve()
  try {
    for (const wave of wavesOf(operations, context.lanes.size * MOST_BUFFER_BYTES)) {
      // The next wave is read while the threads are at this one.
      await running
      running = replayWave(replay, wave)
      running.catch(() => {})
      count += wave.entries.length
      // So that the threads have their requests before this one goes on reading.
      await new Promise(resolve => setImmediate(resolve))
    }
  } finally {
    await running
  }
  return count
}

/** Operations that are replayed together. */
interface Wave {
  readonly entries: readonly Entry[]
  readonly bytes: number
}

function* wavesOf(
  operations: Iterable<readonly [LogPlace, LogOperation]>,
  most: number,
): Generator<Wave, void> {
  let entries: Entry[] = []
  let bytes = 0
  for (const [place, operation] of operations) {
    const weight = 100 + (operation.kind === 'index' ? operation.source.length : 0)
    entries.push({ place, operation, bytes: weight })
    bytes += weight
    if (bytes < most) continue
    yield { entries, bytes }
    entries = []
    bytes = 0
  }
  if (entries.length > 0) yield { entries, bytes }
}

async function replayWave(replay: Replay, { entries, bytes }: Wave): Promise<void> {
  const { accepted } = replay
  // The last operation on an id counts; those before it in the wave are superseded.
  const last = new Map<string, Entry>()
  for (const entry of entries)
    if (entry.operation.kind !== 'noOp') last.set(entry.operation.id, entry)
  const parts = await makeParts(replay, entries, bytes, entry => isLast(last, entry))
  for (const entry of entries) accepted.replay(entry.operation, entry.place, isLast(last, entry))
  for (const { stem, sealed } of parts) if (sealed !== null) replay.append(stem, sealed)
}

function isLast(last: ReadonlyMap<string, Entry>, entry: Entry): boolean {
  const { operation } = entry
  return operation.kind !== 'noOp' && last.get(operation.id) === entry
}

/** Has all parts of a wave inverted and sealed; begins anew when a thread dies over it. */
async function makeParts(
  replay: Replay,
  wave: readonly Entry[],
  bytes: number,
  counts: (entry: Entry) => boolean,
): Promise<readonly Part[]> {
  for (let losses = 0; ; losses++) {
    const parts = cut(replay, wave, bytes)
    const made = await Promise.allSettled(parts.map(part => makePart(part, counts)))
    for (const result of made) if (result.status === 'rejected') throw result.reason
    if (made.every(result => result.status === 'fulfilled' && result.value)) return parts
    if (losses === MAX_LOSSES) throw new Error('the write workers keep dying')
  }
}

/** Cuts a wave into runs of about the same weight. */
function cut({ context, takeStem }: Replay, wave: readonly Entry[], bytes: number): Part[] {
  const { name, lanes } = context
  const most = Math.max(1, Math.floor(bytes / LEAST_BUFFER_BYTES))
  const count = Math.min(lanes.size, most)
  const runs: Entry[][] = Array.from({ length: count }, () => [])
  let before = 0
  for (const entry of wave) {
    runs[Math.min(count - 1, Math.floor((before / bytes) * count))]!.push(entry)
    before += entry.bytes
  }
  return runs
    .filter(entries => entries.length > 0)
    .map((entries, i) => ({
      entries,
      // What a wave that was given up left there has another number of documents, or another name.
      buffer: new LaneBuffer(context, i, `${name.uuid}/${name.shard}/replay-${replays++}`, 0),
      stem: takeStem(),
      sealed: null,
    }))
}

let replays = 0

/** @returns false when its thread died */
async function makePart(part: Part, counts: (entry: Entry) => boolean): Promise<boolean> {
  const { entries, buffer, stem } = part
  let documents: LoggedIndex[] = []
  let taken: Entry[] = []
  let bytes = 0
  const send = async (): Promise<boolean> => {
    if (documents.length === 0) return true
    const answer = await buffer.invert(documents)
    if (answer === null) return false
    documents.forEach((operation, i) => {
      const slot = answer.slots[i]!
      if (slot < 0)
        throw new CorruptSegmentError(
          'translog',
          taken[i]!.place,
          `operation ${operation.seqNo} on [${operation.id}] to parse as it did`,
          answer.errors.get(i)?.reason ?? 'an error',
        )
      buffer.buffer.fill(slot, operation.seqNo, operation.version, operation.primaryTerm)
      if (!counts(taken[i]!)) buffer.buffer.kill(slot)
    })
    documents = []
    taken = []
    bytes = 0
    return true
  }
  for (const entry of entries) {
    if (entry.operation.kind !== 'index') continue
    documents.push(entry.operation)
    taken.push(entry)
    bytes += entry.bytes
    if (bytes >= CHUNK_BYTES && !(await send())) return false
  }
  if (!(await send())) return false
  if (!buffer.buffer.isEmpty) {
    part.sealed = await buffer.seal(stem)
    if (part.sealed === null) return false
  }
  await buffer.close(false)
  return true
}
