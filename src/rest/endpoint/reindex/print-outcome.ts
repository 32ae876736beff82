/** Outcomes of reindex, update and delete by query in wire form. */
import type { WriteFailure } from '../../../service/reindex/batch-writer.ts'
import type { SearchFailure } from '../../../service/reindex/hit-source.ts'
import { type ProgressStyle, printProgress } from '../../../service/reindex/progress.ts'
import type { ByScrollOutcome } from '../../../service/reindex/scroll-work.ts'
import { statusOf } from '../../../util/errors.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import { errorObject } from '../../error-body.ts'

/** An outcome, keys in the documented order. */
export function printOutcome(outcome: ByScrollOutcome, style: ProgressStyle): JsonRecord {
  const { tookInMillis, isTimedOut, progress, searchFailures, writeFailures } = outcome
  return {
    took: tookInMillis,
    timed_out: isTimedOut,
    ...printProgress(progress, style),
    failures: [...writeFailures.map(printWrite), ...searchFailures.map(printSearch)],
  }
}

/** The status of the answer: that of the worst failure. */
export function statusOfOutcome({
  isTimedOut,
  searchFailures,
  writeFailures,
}: ByScrollOutcome): number {
  return Math.max(
    isTimedOut ? 408 : 200,
    ...writeFailures.map(({ error }) => statusOf(error.record)),
    ...searchFailures.map(({ status }) => status),
  )
}

function printWrite({ index, id, error }: WriteFailure): JsonValue {
  return {
    index,
    id,
    cause: errorObject(error, false),
    status: statusOf(error.record),
  }
}

function printSearch({ shard, index, node, reason, status }: SearchFailure): JsonValue {
  return {
    shard: shard ?? undefined,
    index: index ?? undefined,
    node: node ?? undefined,
    reason,
    status,
  } as JsonRecord
}
