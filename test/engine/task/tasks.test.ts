import { expect, it } from 'vitest'
import { Node } from '../../../src/engine/node/node.ts'
import { cancelTasks, detachTask, getTask, listTasks } from '../../../src/engine/task/tasks.ts'
import { trusted } from '../../../src/task/call-context.ts'

const ALL = { actions: [], isNodeMeant: true, parentTaskId: null }
const get = () => trusted('cluster:monitor/task/get')

it('keeps a defect of a detached task as its result, and notes it', async () => {
  const node = new Node({ folder: null, settings: new Map() })
  try {
    const defect = new TypeError('nobody expected this')
    const taskId = detachTask(node, trusted('indices:admin/forcemerge'), async () => {
      throw defect
    })
    const found = await getTask(node, { taskId, waitInMillis: 60_000 }, get())
    expect(found).toMatchObject({
      kind: 'document',
      document: {
        completed: true,
        task: { action: 'indices:admin/forcemerge' },
        error: new Map([
          ['type', 'illegal_state_exception'],
          ['reason', 'TypeError: nobody expected this'],
        ]),
      },
    })
    expect(node.failures).toEqual([defect])
  } finally {
    await node.close()
  }
})

it('keeps the status of a detached task', async () => {
  const node = new Node({ folder: null, settings: new Map() })
  try {
    const taskId = detachTask(node, trusted('indices:admin/forcemerge'), async ({ task }) => {
      task.status = () => ({ total: 3 })
      return {}
    })
    const found = await getTask(node, { taskId, waitInMillis: 60_000 }, get())
    expect(found).toMatchObject({ document: { task: { status: { total: 3 } }, response: {} } })
  } finally {
    await node.close()
  }
})

it('refuses a malformed parent whether anything runs or not', async () => {
  const node = new Node({ folder: null, settings: new Map() })
  try {
    const filter = { ...ALL, parentTaskId: 'x' }
    const call = { taskId: null, filter, waitsForCompletion: false }
    const list = trusted('cluster:monitor/tasks/lists')
    await expect(cancelTasks(node, call, trusted('cluster:admin/tasks/cancel'))).rejects.toThrow(
      'malformed task id x',
    )
    await expect(listTasks(node, { filter, waitInMillis: null }, list)).rejects.toThrow(
      'malformed task id x',
    )
  } finally {
    await node.close()
  }
})
