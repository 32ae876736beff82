import type { ReplayRun } from './replay-run.ts'
import { type Replay, RunsInHand } from './runs-in-hand.ts'

/** Max and min bytes of the operations of one run; below the min, another thread does not pay. */
const MAX_RUN_BYTES = 12 << 20
const MIN_RUN_BYTES = 1 << 20
/** Min runs per thread for a short log, so that threads end at about the same time. */
const RUNS_OF_EACH = 3
/** Bytes of the log read before yielding to the event loop. */
const STRETCH_BYTES = 256 << 10

/** Bytes of log from which on the threads are started before it is scanned. */
export const LARGE_LOG_BYTES: number = MIN_RUN_BYTES

/**
 * Replays the log's operations beyond the commit with their recorded numbers; conditions are not
 * checked. The operations are cut into runs, which the write threads invert and seal in parallel
 * while later ones are read; their segments are appended in log order.
 * @returns the number of operations
 * @throws {CorruptSegmentError} an acknowledged operation no longer parses
 */
export async function replayLog(replay: Replay): Promise<number> {
  const { context, log, accepted } = replay
  const share = Math.ceil(log.stats().bytes / (context.lanes.size * RUNS_OF_EACH))
  const maxBytes = Math.min(Math.max(share, MIN_RUN_BYTES), MAX_RUN_BYTES)
  const runs = new RunsInHand(replay)
  let run: ReplayRun | null = null
  let count = 0
  let stretch = 0
  try {
    for (const [location, operation] of log.operations(accepted.maxSeqNo + 1, Infinity)) {
      run ??= await runs.begin()
      const before = run.bytes
      run.add(operation, location)
      count++
      stretch += run.bytes - before
      if (run.bytes >= maxBytes) {
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
