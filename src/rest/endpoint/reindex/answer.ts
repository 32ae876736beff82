import type { OperationEnd } from '../../../service/lron/operation.ts'
import type { ProgressStyle } from '../../../service/reindex/progress.ts'
import type { CheckedCall } from '../../../service/reindex/reindex-service.ts'
import type { ByScrollOutcome } from '../../../service/reindex/scroll-work.ts'
import type { CallContext } from '../../../task/call-context.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'
import { type Answer, answerOrDetach, type Call } from '../../endpoint.ts'
import type { ParamTable } from '../../params.ts'
import { printOutcome, statusOfOutcome } from './print-outcome.ts'

/** Wraps a step so that its end is told. */
export type Watch = (
  step: (context: CallContext) => Promise<{ answer: JsonValue; end: OperationEnd }>,
) => (context: CallContext) => Promise<JsonValue>

/** For calls whose end nobody can ask to be told of. */
const UNWATCHED: Watch = step => async context => (await step(context)).answer

/** Runs a call that has been checked, and answers with its outcome, or with the task that runs it. */
export async function answerOf(
  { engine, context, human }: Pick<Call<ParamTable>, 'engine' | 'context' | 'human'>,
  waits: boolean,
  run: CheckedCall,
  style: Omit<ProgressStyle, 'human'>,
  watch: Watch = UNWATCHED,
): Promise<Answer> {
  let status = 200
  const json = await answerOrDetach(
    { engine, context },
    waits,
    watch(async under => {
      const outcome = await run(under)
      status = statusOfOutcome(outcome)
      return { answer: printOutcome(outcome, { ...style, human }), end: endOf(outcome) }
    }),
  )
  return { status: waits ? status : 200, json }
}

/** How a call ended: conflicts that it was to pass over are no failures. */
function endOf({
  progress,
  searchFailures,
  writeFailures,
  isTimedOut,
}: ByScrollOutcome): OperationEnd {
  const { total, created, updated, deleted, versionConflicts } = progress.counts
  const errors = [
    ...writeFailures.map(({ error }) => error.message),
    ...searchFailures.map(({ reason }) => String(reason['reason'] ?? 'a shard failed')),
  ]
  const isFailed = errors.length > 0
  const ending = isFailed ? 'failed' : isTimedOut ? 'timed_out' : 'complete'
  return {
    result: progress.isCancelled ? 'cancelled' : ending,
    counts: [
      ['Total', total],
      ['Created', created],
      ['Updated', updated],
      ['Deleted', deleted],
      ['Conflicts', versionConflicts],
    ],
    errors,
  }
}
