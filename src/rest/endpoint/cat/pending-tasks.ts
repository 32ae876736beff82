import type { PendingChange } from '../../../engine/api/cluster.ts'
import { catEndpoint } from '../../cat/cat-endpoint.ts'
import { type Column, column } from '../../cat/column.ts'
import type { Endpoint } from '../../endpoint.ts'

const right = { isRight: true }

const COLUMNS: readonly Column<PendingChange>[] = [
  column('insertOrder', 'o', 'order of arrival', row => row.insertOrder, right),
  column(
    'timeInQueue',
    't',
    'how long it has waited',
    row => ({ nanos: row.timeInQueueMillis * 1e6 }),
    right,
  ),
  column('priority', 'p', 'priority', row => row.priority),
  column('source', 's', 'what changes', row => row.source),
]

/** `GET /_cat/pending_tasks`: changes of metadata that wait or run. */
export const catPendingTasks: Endpoint = catEndpoint({
  routes: [['GET', '/_cat/pending_tasks']],
  action: 'cluster:monitor/task',
  params: {},
  columns: () => COLUMNS,
  rows: ({ engine }) => engine.cluster.pendingChanges(),
})
