import type { ReplayRun } from './replay-run.ts'
import { type Replay, RunsInHand } from './runs-in-hand.ts'

/** Bytes of operations of one run; below the least, another thread would not pay. */
const MOST_RUN_BYTES = 12 << 20
const LEAST_RUN_BYTES = 1 << 20
/** A short log still makes so many runs for each thread, so that they end at about the same time. */
const RUNS_OF_EACH = 3
/** Bytes of the log that are read at a stretch: what waits for the event loop waits for as long. */
const STRETCH_BYTES = 256 << 10

/** Bytes of log from which on the threads are worth starting before it was looked through. */
export const LARGE_LOG_BYTES: number = LEAST_RUN_BYTES

/**
 * Writes again what the log holds beyond the commit, with the numbers that each operation was given
 * then; no condition is asked. The operations are cut into runs, which the write threads invert and
 * seal side by side while the next ones are read; their segments are taken over in order of the log.
 * @returns how many operations there were
 * @throws {CorruptSegmentError} an operation that was acknowledged no longer parses
 */
export async function replayLog(replay: Replay): Promise<number> {
  const { context, log, accepted } = replay
  const share = Math.ceil(log.stats().bytes / (context.lanes.size * RUNS_OF_EACH))
  const most = Math.min(Math.max(share, LEAST_RUN_BYTES), MOST_RUN_BYTES)
  const runs = new RunsInHand(replay)
  let run: ReplayRun | null = null
  let count = 0
  let stretch = 0
  try {
    for (const [place, operation] of log.operations(accepted.maxSeqNo + 1, Infinity)) {
      run ??= await runs.begin()
      const before = run.bytes
      run.add(operation, place)
      count++
      stretch += run.bytes - before
      if (run.bytes >= most) {
        run.end()
        run = null
      }
      if (stretch < STRETCH_BYTES) continue
      stretch = 0
      await new Promise(resolve => setImmediate(resolve))
    }
    run?.end()
    run = null
    await runs.takenOver()
    return count
  } finally {
    run?.abandon()
    await runs.settled()
  }
}
