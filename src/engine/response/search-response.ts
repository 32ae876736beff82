/** A search's answer in wire form, keys in the documented order. */
import type { TotalHits } from '../../search/collector/collect-spec.ts'
import { EngineError, type ErrorRecord, statusOf } from '../../util/errors.ts'
import { Float32, type JsonRecord, type JsonValue } from '../../util/json/json-value.ts'
import type { PrintedHit } from './printed-hit.ts'

/** A shard that failed. */
export interface ShardFailure {
  readonly shard: number
  readonly index: string
  readonly node: string
  readonly reason: ErrorRecord
}

/** Milliseconds of the phases of a search, in wire form. */
export interface PhaseTimes {
  readonly dfs_pre_query: number
  readonly query: number
  readonly fetch: number
  readonly dfs_query: number
  readonly expand: number
  readonly can_match: number
}

export interface SearchResponseInput {
  readonly tookInMillis: number
  /** Null unless asked for. */
  readonly phaseTook: PhaseTimes | null
  readonly timedOut: boolean
  /** Null unless `terminate_after` was given. */
  readonly terminatedEarly: boolean | null
  /** How often shards were put together; 1 does not print. */
  readonly reducePhases: number
  readonly shardCount: number
  /** Shards that could not have a hit, and were not searched. */
  readonly skipped: number
  readonly failures: readonly ShardFailure[]
  /** Null when hits are not counted. */
  readonly total: TotalHits | null
  readonly totalAsInt: boolean
  /** Null when nothing was scored. */
  readonly maxScore: number | null
  readonly hits: readonly PrintedHit[]
}

/** An answer in wire form, to which keys are added behind the hits. */
export interface PrintedAnswer extends JsonRecord {
  [key: string]: JsonValue | undefined
}

/** The answer as far as its hits. */
export function searchResponse(input: SearchResponseInput): PrintedAnswer {
  const { failures, shardCount } = input
  return {
    took: input.tookInMillis,
    phase_took: input.phaseTook === null ? undefined : { ...input.phaseTook },
    timed_out: input.timedOut,
    terminated_early: input.terminatedEarly ?? undefined,
    num_reduce_phases: input.reducePhases > 1 ? input.reducePhases : undefined,
    _shards: {
      total: shardCount,
      successful: shardCount - failures.length,
      skipped: input.skipped,
      failed: failures.length,
      failures: failures.length > 0 ? failures.map(printFailure) : undefined,
    },
    hits: printHits(input, input.totalAsInt),
  }
}

/** Hits with their number and max score, as `hits` and `inner_hits` print them. */
export function printHits(
  { total, maxScore, hits }: Pick<SearchResponseInput, 'total' | 'maxScore' | 'hits'>,
  totalAsInt: boolean,
): JsonRecord {
  return {
    total: printTotal(total, totalAsInt),
    max_score: maxScore === null ? null : new Float32(maxScore),
    hits,
  }
}

function printTotal(total: TotalHits | null, asInt: boolean): JsonValue | undefined {
  if (total === null) return asInt ? -1 : undefined
  return asInt ? total.value : { value: total.value, relation: total.relation }
}

/** An error as it prints inside another one; chains are as deep as the request was nested. */
export function printError(record: ErrorRecord): JsonRecord {
  return {
    type: record.type,
    reason: record.reason,
    ...(record.extra as JsonRecord | undefined),
    caused_by: record.causedBy === undefined ? undefined : printError(record.causedBy),
  }
}

function printFailure(failure: ShardFailure): JsonRecord {
  const { shard, index, node, reason } = failure
  return { shard, index, node, reason: printError(reason) }
}

/** Types that the server makes itself, whose error names no cause of its own. */
const OWN_TYPES: ReadonlySet<string> = new Set([
  'no_shard_available_action_exception',
  'query_phase_execution_exception',
  'query_shard_exception',
  'parsing_exception',
  'search_context_missing_exception',
  'search_exception',
  'task_cancelled_exception',
])

/**
 * The error of a search of which no shard, or not every needed one, answered.
 *
 * @param failures at least one, in order of index and shard
 * @param reason   `all shards failed`, or that some are too many
 * @param phase    in which they failed
 */
export function searchPhaseError(
  failures: readonly ShardFailure[],
  reason: 'all shards failed' | 'Partial shards failure' = 'all shards failed',
  phase: 'query' | 'fetch' = 'query',
): EngineError {
  const grouped = groupFailures(failures)
  const [first] = grouped
  let status = first === undefined ? 503 : statusOf(first.reason)
  for (const failure of grouped) {
    const own = statusOf(failure.reason)
    if (own >= 500) {
      status = own
      break
    }
  }
  const cause = first?.reason
  const record: ErrorRecord = {
    type: 'search_phase_execution_exception',
    reason,
    extra: { phase, grouped: true, failed_shards: grouped.map(printFailure) },
    rootCause: grouped.flatMap(({ reason: root }) => root.rootCause ?? [root]),
    status,
  }
  if (cause === undefined || OWN_TYPES.has(cause.type)) return new EngineError(record)
  return new EngineError({ ...record, causedBy: { ...cause, causedBy: cause } })
}

/**
 * The error of shards that answered and whose hits do not go together; an error of ours stays as it is.
 * @param error what putting them together threw
 */
export function reduceError(error: unknown): unknown {
  if (!(error instanceof EngineError)) return error
  return new EngineError({
    type: 'search_phase_execution_exception',
    reason: '',
    extra: { phase: 'fetch', grouped: true, failed_shards: [] },
    rootCause: [],
    status: statusOf(error.record),
    causedBy: error.record,
  })
}

/** One failure for each distinct index, type and reason. */
function groupFailures(failures: readonly ShardFailure[]): ShardFailure[] {
  const seen = new Set<string>()
  return failures.filter(({ index, reason }) => {
    const key = JSON.stringify([index, reason.type, reason.reason])
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
