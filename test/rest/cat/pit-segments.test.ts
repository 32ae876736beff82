import { afterAll, beforeAll, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)
beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /a', { settings: { number_of_shards: 2, 'index.refresh_interval': '-1' } })
  await ok('PUT /b', { settings: { number_of_shards: 1, 'index.refresh_interval': '-1' } })
  const lines = Array.from({ length: 8 }, (_, n) => [{ index: { _id: `${n}` } }, { n }]).flat()
  await ok('POST /a/_bulk?refresh', ndjson(...lines))
  await ok('POST /b/_bulk?refresh', ndjson(...lines))
})
afterAll(() => rest.close())

const open = async (indices: string): Promise<string> =>
  (await ok(`POST /${indices}/_search/point_in_time?keep_alive=5m`)).pit_id
const table = async (path: string, body?: object): Promise<string[]> => {
  const { status, text } = await rest.call(`GET /_cat/pit_segments${path}`, body)
  expect(status).toBe(200)
  const lines = text.trimEnd().split('\n').filter(Boolean)
  return lines.map(line => line.replace(/ +/g, ' '))
}
const refusal = async (line: string, body?: object): Promise<string> => {
  const { status, json } = await rest.call(line, body)
  return `${status} ${json.error.type}: ${json.error.reason}`
}
const COLUMNS = '?h=index,shard,segment,dc,dd,ic,is'

it('lists the segments that points in time hold, and no others', async () => {
  expect(await table('/_all')).toEqual([])
  const both = await open('a,b')
  const [first, second, third, ...others] = await table('', { pit_id: both })
  expect(others).toEqual([])
  expect(first).toMatch(
    /^a 0 p 127\.0\.0\.1 _0 0 \d 0 +[\d.]+k?b \d+ (true|false) true [\d.]+ true$/,
  )
  expect([second!.slice(0, 5), third!.slice(0, 5)]).toEqual(['a 1 p', 'b 0 p'])
  // What is deleted and merged since stays in it.
  await ok('DELETE /b/_doc/1')
  await ok('PUT /b/_doc/9?refresh', { n: 9 })
  await ok('POST /b/_flush')
  await ok('POST /b/_forcemerge?max_num_segments=1')
  const later = await open('b')
  expect(await table(COLUMNS, { pit_id: [later] })).toEqual(['b 0 _2 8 0 true true'])
  expect((await table(COLUMNS, { pit_id: [both, later, both] })).slice(2)).toEqual([
    'b 0 _0 8 0 false true',
    'b 0 _2 8 0 true true',
  ])
  const { json } = await rest.call(
    'GET /_cat/pit_segments/_all?format=json&h=index,segment&s=segment',
  )
  expect(json).toHaveLength(4)
  expect(json.at(-1)).toEqual({ index: 'b', segment: '_2' })
  await ok('DELETE /_search/point_in_time', { pit_id: [both] })
  expect(await table(COLUMNS, { pit_id: [both] })).toEqual([])
  expect(await table(`/_all${COLUMNS}`)).toHaveLength(1)
  await ok('DELETE /_search/point_in_time/_all')
})

it('refuses ids that are none, and bodies that name none', async () => {
  const path = 'GET /_cat/pit_segments'
  const none =
    '400 action_request_validation_exception: Validation Failed: 1: no pit ids specified;'
  expect(await refusal(path)).toBe(none)
  expect(await refusal(path, { pit_id: [] })).toBe(none)
  expect(await refusal(path, { pit_id: 'x' })).toBe(
    '400 illegal_argument_exception: invalid id: [x]',
  )
  expect(await refusal(path, { pit_id: [{}] })).toBe(
    '400 illegal_argument_exception: pit_id array element should only contain PIT identifier',
  )
  expect(await refusal(path, { other: 1 })).toMatch(
    /^400 illegal_argument_exception: Unknown parameter \[other\]/,
  )
  expect(await refusal(`${path}/_all`, { pit_id: 'x' })).toMatch(/^400 illegal_argument_exception/)
})
