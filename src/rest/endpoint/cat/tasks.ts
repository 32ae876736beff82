import type { NodeInfo } from '../../../engine/api/cluster.ts'
import { resourceStats } from '../../../engine/task/resource-stats.ts'
import type { Task } from '../../../task/task.ts'
import { decodeUtf8 } from '../../../util/bytes.ts'
import { writeJson } from '../../../util/json/json-writer.ts'
import { catEndpoint } from '../../cat/cat-endpoint.ts'
import { type Column, column } from '../../cat/column.ts'
import type { Endpoint } from '../../endpoint.ts'
import { addressOf } from '../../node-view.ts'
import { flag, millis } from '../../params.ts'
import { VERSION_INFO } from '../../version.ts'
import { FILTER_PARAMS, filterOf, WAIT_IN_MILLIS } from '../task/list-tasks.ts'

interface TaskRow {
  readonly task: Task
  readonly node: NodeInfo
  readonly host: string
}

const hidden = { isDefault: false }

const COLUMNS: readonly Column<TaskRow>[] = [
  column('id', 'id', 'number of the task on its node', row => row.task.number, hidden),
  column('action', 'ac', 'name of the action', row => row.task.action),
  column('task_id', 'ti', 'id of the task', row => row.task.id),
  column('parent_task_id', 'pti', 'id of its parent', row => row.task.parent?.id ?? '-'),
  column('type', 'ty', 'kind of the task', row => row.task.type),
  column('start_time', 'start', 'start in milliseconds', row => row.task.startTimeInMillis),
  column('timestamp', 'ts,hms,hhmmss', 'start as time of day in UTC', startOfDay),
  column('running_time_ns', 'time', 'running time in nanoseconds', nanosOf, hidden),
  column('running_time', 'time', 'running time', row => ({ nanos: nanosOf(row) })),
  column('node_id', 'ni', 'id of its node', row => row.node.nodeId, hidden),
  column('ip', 'i', 'address of its node', row => row.host),
  column('port', 'po', 'port between nodes', () => 0, hidden),
  column('node', 'n', 'name of its node', row => row.node.nodeName),
  column('version', 'v', 'version of the API', () => VERSION_INFO.number, hidden),
  column('x_opaque_id', 'x', 'X-Opaque-Id of the request', opaqueId, hidden),
]

/** Columns of a detailed table beside those. */
const DETAILS: readonly Column<TaskRow>[] = [
  column('description', 'desc', 'description of the task', row => row.task.describe()),
  column(
    'resource_stats',
    '',
    'resources that the task has used',
    row => decodeUtf8(writeJson(resourceStats(row.task))),
    hidden,
  ),
]

function startOfDay({ task }: TaskRow): string {
  return new Date(task.startTimeInMillis).toISOString().slice(11, 19)
}

function nanosOf({ task }: TaskRow): number {
  return Math.round(task.runningTimeInNanos)
}

function opaqueId({ task }: TaskRow): string {
  return task.headers['X-Opaque-Id'] ?? '-'
}

/** `GET /_cat/tasks`: tasks that run, each before its steps, the oldest first. */
export const catTasks: Endpoint = catEndpoint({
  routes: [['GET', '/_cat/tasks']],
  action: 'cluster:monitor/tasks/lists',
  params: { ...FILTER_PARAMS, detailed: flag, wait_for_completion: flag, timeout: millis },
  columns: ({ params }) => (params.detailed ? [...COLUMNS, ...DETAILS] : COLUMNS),
  async rows({ engine, params, httpAddress, context }) {
    const node = engine.cluster.nodeInfo()
    const { host } = addressOf(node, httpAddress)
    const { tasks } = await engine.tasks.list(
      {
        filter: filterOf(params, node, httpAddress),
        waitInMillis: params.wait_for_completion ? (params.timeout ?? WAIT_IN_MILLIS) : null,
      },
      context,
    )
    return inOrder(tasks).map(task => ({ task, node, host }))
  },
})

function inOrder(tasks: readonly Task[]): readonly Task[] {
  const sorted = [...tasks].sort((a, b) => a.startInNanos - b.startInNanos || a.number - b.number)
  const withSteps = (task: Task): readonly Task[] => [
    task,
    ...sorted.filter(({ parent }) => parent === task).flatMap(withSteps),
  ]
  return sorted
    .filter(({ parent }) => parent === null || !tasks.includes(parent))
    .flatMap(withSteps)
}
