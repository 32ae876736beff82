import { decodeUtf8 } from '../../../util/bytes.ts'
import {
  type JsonMap,
  type JsonRecord,
  type JsonValue,
  RawJson,
} from '../../../util/json/json-value.ts'
import { jsonEntries } from '../../../util/json/json-writer.ts'
import { durationText } from '../../../util/units.ts'
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { flag, millis } from '../../params.ts'
import { WAIT_IN_MILLIS } from './list-tasks.ts'
import { printByNode, printTask } from './print-task.ts'

/** `GET /_tasks/{task_id}`: as the real server has it; below `nodes` too while the task runs. */
export const getTask: Endpoint = defineEndpoint({
  routes: [['GET', '/_tasks/{task_id}']],
  action: 'cluster:monitor/task/get',
  params: { wait_for_completion: flag, timeout: millis },
  body: 'none',
  async handle({ engine, params, part, human, httpAddress, context }): Promise<Answer> {
    const found = await engine.tasks.get(
      {
        taskId: part('task_id'),
        waitInMillis: params.wait_for_completion ? (params.timeout ?? WAIT_IN_MILLIS) : null,
      },
      context,
    )
    if (found.kind === 'document')
      return { json: human ? withTimes(found.document) : found.document }
    const { task } = found
    const style = { hasDescription: true, human, status: null }
    const completed = task.endInNanos !== null
    const shown = { completed, task: printTask(task, style) }
    if (completed) return { json: shown }
    const nodes = printByNode([task], style, engine.cluster.nodeInfo(), httpAddress)
    return { json: { ...shown, nodes } }
  },
})

/** Of dates, in milliseconds. */
const MAX_TIME = 8.64e15

/** By the key that a text stands before: its name, and the text. */
const TIMES: Readonly<Record<string, readonly [name: string, print: (value: number) => string]>> = {
  start_time_in_millis: ['start_time', value => new Date(value).toISOString()],
  running_time_in_nanos: ['running_time', durationText],
}

/** A stored task with its times as text too. */
function withTimes(document: JsonMap | JsonRecord): JsonMap {
  const shown = new Map<string, JsonValue>()
  for (const [key, value] of jsonEntries(document)) {
    if (value === undefined) continue
    if (key !== 'task') shown.set(key, value)
    else {
      const task = new Map<string, JsonValue>()
      for (const [name, item] of jsonEntries(value as JsonRecord)) {
        if (item === undefined) continue
        const [twin, print] = TIMES[name] ?? []
        const time = item instanceof RawJson ? Number(decodeUtf8(item.bytes)) : Number(item)
        // The index may have been written by anybody.
        if (twin !== undefined && Math.abs(time) <= MAX_TIME) task.set(twin, print!(time))
        task.set(name, item)
      }
      shown.set(key, task)
    }
  }
  return shown
}
