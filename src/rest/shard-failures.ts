/** `_shards` of actions that may fail on single shards. */
import type { FailedShard, ShardCounts } from '../engine/api/target.ts'
import { type ErrorRecord, statusOf } from '../util/errors.ts'
import { errorJson } from '../util/json/error-json.ts'
import type { JsonRecord } from '../util/json/json-value.ts'
import { shardsOf } from './endpoint.ts'

/** The counts, and the failures where there are any. */
export function shardsWithFailures(
  counts: ShardCounts,
  failures: readonly FailedShard[],
): JsonRecord {
  const printed = shardsOf(counts)
  if (failures.length === 0) return printed
  return {
    ...printed,
    failures: failures.map(({ index, shard, error }) => ({
      shard,
      index,
      status: statusName(error),
      reason: errorJson(error, null),
    })),
  }
}

function statusName(error: ErrorRecord): string {
  const status = statusOf(error)
  if (status === 429) return 'TOO_MANY_REQUESTS'
  return status < 500 ? 'BAD_REQUEST' : 'INTERNAL_SERVER_ERROR'
}
