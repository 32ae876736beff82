import { afterAll, beforeAll, expect, it } from 'vitest'
import { failureOf, openRest, type Rest } from '../support/rest-calls.ts'

const LISTS = 'cluster:monitor/tasks/lists'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const failure = failureOf(() => rest)

async function text(line: string, headers?: Record<string, string>): Promise<string> {
  const answer = await rest.call(line, undefined, headers)
  expect(answer.status).toBe(200)
  return answer.text
}

it('shows tasks, each before its steps', async () => {
  const { nodeId } = rest.engine.cluster.identity
  const lines = (await text('GET /_cat/tasks?v')).split('\n')
  expect(lines[0]!.split(/\s+/).filter(name => name !== '')).toEqual([
    'action',
    'task_id',
    'parent_task_id',
    'type',
    'start_time',
    'timestamp',
    'running_time',
    'ip',
    'node',
  ])
  const row = (action: string, parent: string, type: string): RegExp =>
    new RegExp(
      `^${action.replaceAll('[n]', '\\[n\\]')} +${nodeId}:\\d+ ${parent} +${type} +\\d{13} +` +
        '\\d\\d:\\d\\d:\\d\\d +\\S+ +127\\.0\\.0\\.1 +lamella-0 *$',
    )
  expect(lines[1]).toMatch(row(LISTS, '-', 'transport'))
  expect(lines[2]).toMatch(row(`${LISTS}[n]`, `${nodeId}:\\d+`, 'direct'))
  expect(lines.slice(3)).toEqual([''])
})

it('has more columns, of which details show two', async () => {
  const help = await text('GET /_cat/tasks?help')
  expect(help.split('\n').map(line => line.split('|')[0]!.trim())).toEqual([
    'id',
    'action',
    'task_id',
    'parent_task_id',
    'type',
    'start_time',
    'timestamp',
    'running_time_ns',
    'running_time',
    'node_id',
    'ip',
    'port',
    'node',
    'version',
    'x_opaque_id',
    '',
  ])
  const detailed = await text('GET /_cat/tasks?help&detailed')
  expect(detailed).toMatch(/^description +\| desc/m)
  const stats = await text(`GET /_cat/tasks?detailed&h=resource_stats&actions=${LISTS}`)
  expect(Object.keys(JSON.parse(stats))).toEqual(['average', 'total', 'min', 'max', 'thread_info'])
  const some = await text('GET /_cat/tasks?h=ac,x&s=action:desc', { 'x-opaque-id': 'me' })
  expect(some).toBe(`${LISTS}[n] me\n${LISTS}    me\n`)
})

it('keeps to the tasks that are meant', async () => {
  expect(await text('GET /_cat/tasks?actions=indices:*')).toBe('')
  expect(await text('GET /_cat/tasks?nodes=other')).toBe('')
  expect(await text('GET /_cat/tasks?parent_task_id=other:1')).toBe('')
  expect(await text('GET /_cat/tasks?wait_for_completion&timeout=1s&h=action')).toContain(LISTS)
  expect(await failure('GET /_cat/tasks?parent_task_id=none')).toEqual([
    400,
    'illegal_argument_exception',
    'malformed task id none',
  ])
})
