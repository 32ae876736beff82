import type { ProgressStyle } from '../../../service/reindex/progress.ts'
import type { CheckedCall } from '../../../service/reindex/reindex-service.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'
import { type Answer, answerOrDetach, type Call } from '../../endpoint.ts'
import type { ParamTable } from '../../params.ts'
import { printOutcome, statusOfOutcome } from './print-outcome.ts'

/** Runs a call that has been checked, and answers with its outcome, or with the task that runs it. */
export async function answerOf(
  { engine, context, human }: Pick<Call<ParamTable>, 'engine' | 'context' | 'human'>,
  waits: boolean,
  run: CheckedCall,
  style: Omit<ProgressStyle, 'human'>,
): Promise<Answer> {
  let status = 200
  const json = await answerOrDetach(
    { engine, context },
    waits,
    async (under): Promise<JsonValue> => {
      const outcome = await run(under)
      status = statusOfOutcome(outcome)
      return printOutcome(outcome, { ...style, human })
    },
  )
  return { status: waits ? status : 200, json }
}
