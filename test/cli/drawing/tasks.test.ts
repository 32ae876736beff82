import { expect, it } from 'vitest'
import { paintsFor } from '../../../src/cli/drawing/paint.ts'
import { drawTasks } from '../../../src/cli/drawing/tasks.ts'
import type { TaskInfo } from '../../../src/embed/task-record.ts'

const TASK: TaskInfo = {
  id: 'n:1',
  action: 'indices:data/write/reindex',
  description: 'reindex from [a] to [b]',
  startedAt: new Date(0),
  runningInMillis: 1500,
  isCancellable: true,
  isCancelled: false,
  parentId: null,
  opaqueId: null,
  status: { total: 10_000, created: 2500, updated: 500, deleted: 0 },
  resources: { cpuInNanos: 2e6, threadExecutions: 1, activeThreads: 0 },
}

it('draws how far tasks are, steps below their task', () => {
  const step = {
    ...TASK,
    id: 'n:2',
    action: 'indices:data/write/bulk',
    description: 'a\u001b[31mb',
    parentId: 'n:1',
    status: null,
    isCancelled: true,
  }
  const other = { ...TASK, id: 'n:3', parentId: 'gone:1', status: { total: 0 } }
  expect(drawTasks([step, other, TASK], 120, paintsFor(false))).toEqual([
    '3 tasks',
    'task  action                                 running  processor  progress                    description',
    'n:3   indices:data/write/reindex              1.50 s    2.00 ms                              reindex from [a] to [b]',
    'n:1   indices:data/write/reindex              1.50 s    2.00 ms  ███░░░░░░░ 3,000 of 10,000  reindex from [a] to [b]',
    'n:2     indices:data/write/bulk (cancelled)   1.50 s    2.00 ms                              a [31mb',
  ])
})
