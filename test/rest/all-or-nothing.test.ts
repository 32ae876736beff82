/** Changes of metadata that are refused leave nothing of themselves behind. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())
beforeEach(async () => {
  await rest.call('DELETE /*')
  await ok('PUT /_cluster/settings', { transient: { '*': null } })
  await ok('PUT /a', { mappings: { properties: { n: { type: 'long' } } } })
  await ok('PUT /b', { mappings: { properties: { n: { type: 'keyword' } } } })
})

/** All that the calls below could have changed, but for versions. */
async function stateOf(): Promise<string> {
  const lines = [
    'GET /*?flat_settings',
    'GET /_component_template',
    'GET /_index_template',
    'GET /_template',
    'GET /_cluster/settings',
  ]
  const answers = await Promise.all(lines.map(line => ok(line)))
  return JSON.stringify(answers)
}

const kept = { template: { settings: { number_of_replicas: 0 } } }
const broken = { template: { mappings: { properties: { n: { type: 'nope' } } } } }

it.each<[string, string, object, number]>([
  [
    'aliases, of which the last has no index',
    'POST /_aliases',
    {
      actions: [
        { add: { index: 'a', alias: 'x' } },
        { remove_index: { index: 'b' } },
        { add: { index: 'gone', alias: 'y' } },
      ],
    },
    404,
  ],
  [
    'fields, of which one conflicts',
    'PUT /a/_mapping',
    { properties: { fresh: { type: 'long' }, n: { type: 'keyword' } } },
    400,
  ],
  [
    'fields of several indices, one of which has another type',
    'PUT /a,b/_mapping',
    { properties: { fresh: { type: 'long' }, n: { type: 'long' } } },
    400,
  ],
  [
    'settings, of which one is unknown',
    'PUT /a/_settings',
    { index: { refresh_interval: '7s', nope: 1 } },
    400,
  ],
  [
    'settings, of which one is static',
    'PUT /a,b/_settings',
    { index: { refresh_interval: '7s', codec: 'best_compression' } },
    400,
  ],
  [
    'settings of the cluster, of which one is out of range',
    'PUT /_cluster/settings',
    { transient: { 'search.max_buckets': 5, 'cluster.max_shards_per_node': 0 } },
    400,
  ],
  ['a component template', 'PUT /_component_template/t', broken, 400],
  ['an index template', 'PUT /_index_template/t', { index_patterns: ['t*'], ...broken }, 400],
  [
    'a legacy template',
    'PUT /_template/t',
    { index_patterns: ['t*'], mappings: { properties: { n: { type: 'nope' } } } },
    400,
  ],
  [
    'an index with an alias that cannot be',
    'PUT /fresh',
    { mappings: { properties: { n: { type: 'long' } } }, aliases: { ok: {}, a: {} } },
    400,
  ],
])('%s', async (_what, line, body, status) => {
  const before = await stateOf()
  const refused = await rest.call(line, body)
  expect([refused.status, refused.json.error?.reason]).toEqual([status, expect.any(String)])
  expect(await stateOf()).toBe(before)
})

it('a template that replaces another one, which stays', async () => {
  await ok('PUT /_component_template/c', kept)
  await ok('PUT /_index_template/t', { index_patterns: ['t*'], composed_of: ['c'] })
  const before = await stateOf()
  for (const line of ['PUT /_component_template/c', 'PUT /_index_template/t']) {
    const { status } = await rest.call(line, { index_patterns: ['t*'], ...broken })
    expect([line, status]).toEqual([line, 400])
    expect(await stateOf()).toBe(before)
  }
  await ok('DELETE /_index_template/t')
  await ok('DELETE /_component_template/c')
})
