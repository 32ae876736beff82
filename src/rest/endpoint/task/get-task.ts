import { EngineError } from '../../../util/errors.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { errorObject } from '../../error-body.ts'
import { flag, millis } from '../../params.ts'
import { WAIT_IN_MILLIS } from './list-tasks.ts'
import { printByNode, printTask } from './print-task.ts'

/** `GET /_tasks/{task_id}`: as the real server has it; below `nodes` too while the task runs. */
export const getTask: Endpoint = defineEndpoint({
  routes: [['GET', '/_tasks/{task_id}']],
  action: 'cluster:monitor/task/get',
  params: { wait_for_completion: flag, timeout: millis },
  body: 'none',
  async handle({
    engine,
    params,
    part,
    human,
    hasErrorTrace,
    httpAddress,
    context,
  }): Promise<Answer> {
    const { task, result } = await engine.tasks.get(
      {
        taskId: part('task_id'),
        waitInMillis: params.wait_for_completion ? (params.timeout ?? WAIT_IN_MILLIS) : null,
      },
      context,
    )
    const style = { hasDescription: true, human, status: null }
    const isCompleted = task.endInNanos !== null
    const shown: Record<string, JsonValue> = {
      completed: isCompleted,
      task: printTask(task, style),
    }
    if (result !== null && 'response' in result.outcome) shown['response'] = result.outcome.response
    if (result !== null && 'error' in result.outcome)
      shown['error'] = errorObject(new EngineError(result.outcome.error), hasErrorTrace)
    if (!isCompleted)
      shown['nodes'] = printByNode([task], style, engine.cluster.nodeInfo(), httpAddress)
    return { json: shown as JsonRecord }
  },
})
