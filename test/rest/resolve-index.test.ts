import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /a1', { aliases: { al: {}, zl: {} } })
  await rest.call('PUT /a2', { aliases: { al: {}, hid: { is_hidden: true } } })
  await rest.call('POST /a2/_close')
  await rest.call('PUT /h1', { settings: { hidden: true } })
  await rest.call('PUT /_index_template/t', { index_patterns: ['as*'], data_stream: {} })
  await rest.call('PUT /_data_stream/as')
  await rest.call('POST /as/_rollover')
})
afterAll(() => rest.close())

const backing = ['.ds-as-000001', '.ds-as-000002']
const a1 = { name: 'a1', aliases: ['al', 'zl'], attributes: ['open'] }
const a2 = { name: 'a2', aliases: ['al', 'hid'], attributes: ['closed'] }
const h1 = { name: 'h1', attributes: ['hidden', 'open'] }
const al = { name: 'al', indices: ['a1', 'a2'] }
const zl = { name: 'zl', indices: ['a1'] }
const hid = { name: 'hid', indices: ['a2'] }
const as = { name: 'as', backing_indices: backing, timestamp_field: '@timestamp' }
const ofStream = backing.map(name => ({
  name,
  attributes: ['hidden', 'open'],
  data_stream: 'as',
}))

it.each<[string, object[], object[], object[]]>([
  ['*', [a1], [al, zl], [as]],
  ['_all', [a1], [al, zl], [as]],
  ['*?expand_wildcards=closed', [a2], [al, zl], [as]],
  ['*?expand_wildcards=all', [...ofStream, a1, a2, h1], [al, hid, zl], [as]],
  ['*?expand_wildcards=open,hidden', [...ofStream, a1, h1], [al, hid, zl], [as]],
  ['.ds-*', ofStream, [], []],
  ['a2', [a2], [], []],
  ['h1,al', [h1], [al], []],
  ['hid', [], [hid], []],
  ['as', [], [], [as]],
  ['a*,-al,-as', [a1], [], []],
  ['a*,-a*', [], [], []],
  ['x*', [], [], []],
  ['none?ignore_unavailable=true', [], [], []],
])('tells what %s is', async (name, indices, aliases, data_streams) => {
  const { status, json } = await rest.call(`GET /_resolve/index/${name}`)
  expect([status, json]).toEqual([200, { indices, aliases, data_streams }])
})

it.each([
  ['none', 404, 'index_not_found_exception', 'no such index [none]'],
  ['a*,none', 404, 'index_not_found_exception', 'no such index [none]'],
  ['x*?allow_no_indices=false', 404, 'index_not_found_exception', 'no such index [x*]'],
  [
    'a*?expand_wildcards=none&allow_no_indices=false',
    404,
    'index_not_found_exception',
    'no such index [a*]',
  ],
  ['_x', 400, 'invalid_index_name_exception', "Invalid index name [_x], must not start with '_'."],
  [
    'a?expand_wildcards=some',
    400,
    'illegal_argument_exception',
    'No valid expand wildcard value [some]',
  ],
])('refuses %s', async (name, ...expected) => {
  const { status, json } = await rest.call(`GET /_resolve/index/${name}`)
  expect([status, json.error.type, json.error.reason]).toEqual(expected)
})
