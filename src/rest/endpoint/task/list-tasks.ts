import type { NodeInfo } from '../../../engine/api/cluster.ts'
import type { TaskFilter } from '../../../engine/api/tasks.ts'
import type { Task } from '../../../task/task.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonRecord, JsonValue } from '../../../util/json/json-value.ts'
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { isNodeMeant } from '../../node-view.ts'
import { flag, list, millis, type ParamReader, type ParamValues, text } from '../../params.ts'
import { printByNode, printFailures, printTask, type TaskStyle } from './print-task.ts'

/** How long a listing or a get waits for the end of tasks. */
export const WAIT_IN_MILLIS = 30_000

/** Which tasks are meant. */
export const FILTER_PARAMS: {
  readonly actions: ParamReader<readonly string[]>
  readonly nodes: ParamReader<readonly string[]>
  readonly parent_task_id: ParamReader<string>
} = { actions: list, nodes: list, parent_task_id: text }

/** `GET /_tasks`. */
export const listTasks: Endpoint = defineEndpoint({
  routes: [['GET', '/_tasks']],
  action: 'cluster:monitor/tasks/lists',
  params: {
    ...FILTER_PARAMS,
    detailed: flag,
    group_by: text,
    wait_for_completion: flag,
    timeout: millis,
  },
  body: 'none',
  async handle({ engine, params, human, httpAddress, context }): Promise<Answer> {
    const info = engine.cluster.nodeInfo()
    const grouping = params.group_by ?? 'nodes'
    if (grouping !== 'nodes' && grouping !== 'parents' && grouping !== 'none')
      throw new IllegalArgumentError(
        `[group_by] must be one of [nodes], [parents] or [none] but was [${grouping}]`,
      )
    const listing = await engine.tasks.list(
      {
        filter: filterOf(params, info, httpAddress),
        waitInMillis: params.wait_for_completion ? (params.timeout ?? WAIT_IN_MILLIS) : null,
      },
      context,
    )
    const style = { hasDescription: params.detailed ?? false, human, status: null }
    const { tasks, nodeFailures } = listing
    const failures = nodeFailures.length > 0 ? printFailures(listing) : undefined
    const groups: Record<typeof grouping, () => JsonRecord> = {
      nodes: () => ({ nodes: printByNode(tasks, style, info, httpAddress) }),
      parents: () => ({ tasks: printByParent(tasks, style) }),
      none: () => ({ tasks: tasks.map(task => printTask(task, style)) }),
    }
    return { json: { node_failures: failures, ...groups[grouping]() } as JsonRecord }
  },
})

/** The filter of the URL; `-1` and nothing mean any parent. */
export function filterOf(
  params: ParamValues<typeof FILTER_PARAMS>,
  info: NodeInfo,
  httpAddress: string | null,
): TaskFilter {
  const parent = params.parent_task_id ?? ''
  return {
    actions: params.actions ?? [],
    isNodeMeant: isNodeMeant(params.nodes ?? [], info, httpAddress),
    parentTaskId: parent === '' || parent === '-1' ? null : parent,
  }
}

/** Tasks below the one that started them, as far as that is listed too. */
function printByParent(tasks: readonly Task[], style: TaskStyle): JsonValue {
  const print = (task: Task): JsonRecord => {
    const children = tasks.filter(({ parent }) => parent === task).map(print)
    return { ...printTask(task, style), ...(children.length > 0 ? { children } : {}) }
  }
  const tops = tasks.filter(({ parent }) => parent === null || !tasks.includes(parent))
  return new Map(tops.map((task): [string, JsonValue] => [task.id, print(task)]))
}
