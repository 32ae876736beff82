import type { ShardSearchOutcome } from '../../parallel/search-options.ts'

/** The outcome of a shard's search, as stopped where one of the passes beside it was. */
export function withStops(
  outcome: ShardSearchOutcome,
  passes: Iterable<ShardSearchOutcome>,
): ShardSearchOutcome {
  let { timedOut, cancelled } = outcome.result
  for (const { result } of passes) {
    timedOut ||= result.timedOut
    cancelled ||= result.cancelled
  }
  if (timedOut === outcome.result.timedOut && cancelled === outcome.result.cancelled) return outcome
  return { ...outcome, result: { ...outcome.result, timedOut, cancelled } }
}
