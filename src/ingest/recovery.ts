import type { LogOperation, LogPlace, Translog } from '../store/translog/translog.ts'
import { CorruptSegmentError } from '../util/errors.ts'
import type { AcceptedOperations } from './accepted-operations.ts'
import type { BufferWriter, Inverted } from './buffer-writer.ts'

/** Documents and bytes that are sent to a write worker at once. */
const BATCH_BYTES = 1 << 20
const BATCH_OPERATIONS = 20_000

/** What a replay works on. */
export interface Replay {
  readonly log: Translog
  readonly accepted: AcceptedOperations
  readonly writer: BufferWriter
  /** Makes room before a batch where the buffer is full. */
  makeRoom(): Promise<void>
}

type Batch = readonly (readonly [LogPlace, LogOperation])[]
type Document = Extract<LogOperation, { kind: 'index' }>

/**
 * Writes again what the log holds beyond the commit, with the numbers that each operation was given
 * then; no condition is asked.
 * @returns how many operations there were
 * @throws {CorruptSegmentError} an operation that was acknowledged no longer parses
 */
export async function replayLog(replay: Replay): Promise<number> {
  const { writer, accepted } = replay
  const batches = batchesOf(replay.log.operations(accepted.maxSeqNo + 1, Number.POSITIVE_INFINITY))
  let count = 0
  let next = batches.next()
  while (next.done !== true) {
    const batch = next.value
    await replay.makeRoom()
    const documents = batch.flatMap(([, operation]): Document[] =>
      operation.kind === 'index' ? [operation] : [],
    )
    const inverting = documents.length === 0 ? null : writer.invert(documents)
    // While the worker is at it, the next ones are read.
    next = nextOf(batches, inverting)
    const answer = await inverting
    apply(batch, answer, accepted)
    if (answer !== null) writer.buffer.bytes = answer.bufferBytes
    count += batch.length
  }
  return count
}

/** The next batch; a failure to read it leaves no promise behind. */
function nextOf(
  batches: Iterator<Batch, void>,
  inverting: Promise<Inverted> | null,
): IteratorResult<Batch, void> {
  try {
    return batches.next()
  } catch (error) {
    inverting?.catch(() => {})
    throw error
  }
}

function* batchesOf(
  operations: Iterable<readonly [LogPlace, LogOperation]>,
): Generator<Batch, void> {
  let batch: (readonly [LogPlace, LogOperation])[] = []
  let bytes = 0
  for (const entry of operations) {
    const [, operation] = entry
    const size = operation.kind === 'index' ? operation.source.length : 0
    if (batch.length > 0 && (bytes + size > BATCH_BYTES || batch.length === BATCH_OPERATIONS)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(entry)
    bytes += size
  }
  if (batch.length > 0) yield batch
}

function apply(batch: Batch, answer: Inverted | null, accepted: AcceptedOperations): void {
  let document = 0
  for (const [place, operation] of batch) {
    let slot = -1
    if (operation.kind === 'index') {
      slot = answer!.slots[document]!
      if (slot < 0)
        throw new CorruptSegmentError(
          'translog',
          place,
          `operation ${operation.seqNo} on [${operation.id}] to parse as it did`,
          answer!.errors.get(document)?.reason ?? 'an error',
        )
      document++
    }
    accepted.replay(operation, slot, place)
  }
}
