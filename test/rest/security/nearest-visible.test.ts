import { beforeAll, expect, it } from 'vitest'
import { ndjson } from '../../support/rest-calls.ts'
import { addRole, addUser, securedForFile } from '../../support/secured-rest.ts'

const secured = securedForFile()

beforeAll(async () => {
  const { rest } = secured()
  const vector = { type: 'knn_vector', dimension: 2, method: { name: 'hnsw', space_type: 'l2' } }
  await rest.call('PUT /places', {
    settings: { 'index.knn': true },
    mappings: {
      properties: {
        team: { type: 'keyword' },
        at: vector,
        parts: { type: 'nested', properties: { at: vector, hue: { type: 'keyword' } } },
      },
    },
  })
  // Each lies at its number; the nearest to 0 are, in turn, blue and red.
  const lines = Array.from({ length: 10 }, (_, i) => [
    { index: { _id: String(i) } },
    {
      team: i % 2 === 0 ? 'blue' : 'red',
      at: [i, 0],
      parts: [
        { at: [i, 1], hue: 'dark' },
        { at: [i, 2], hue: 'light' },
      ],
    },
  ]).flat()
  await rest.call('POST /places/_bulk?refresh', ndjson(...lines))
  // As many that a graph is walked.
  await rest.call('PUT /places-many', {
    settings: { 'index.knn': true, 'index.knn.advanced.approximate_threshold': 0 },
    mappings: {
      properties: {
        team: { type: 'keyword' },
        at: {
          type: 'knn_vector',
          dimension: 2,
          method: { name: 'hnsw', engine: 'faiss', parameters: { m: 4 } },
        },
      },
    },
  })
  const many = Array.from({ length: 900 }, (_, i) => [
    { index: { _id: String(i) } },
    // Each third is red.
    { team: i % 3 === 0 ? 'red' : 'blue', at: [i, (i % 7) / 8] },
  ]).flat()
  await rest.call('POST /places-many/_bulk?refresh', ndjson(...many))
  await addRole(rest, 'reds', {
    index_permissions: [
      {
        index_patterns: ['places', 'places-many'],
        dls: '{"term":{"team":"red"}}',
        allowed_actions: ['indices:*'],
      },
    ],
  })
  await addUser(rest, 'rhea', { opendistro_security_roles: ['reds'] })
})

const found = async (user: string, query: object): Promise<unknown> => {
  const { json } = await secured().as(user, 'POST /places/_search', { query })
  return json.hits?.hits.map(({ _id }: { _id: string }) => _id) ?? json.error.root_cause[0].reason
}
const nearest = (k: number, more: object = {}): object => ({
  knn: { at: { vector: [0, 0], k, ...more } },
})
const within = (k: number, more: object = {}): object => ({
  nested: { path: 'parts', query: { knn: { 'parts.at': { vector: [0, 0], k, ...more } } } },
})

it('are as many as are asked for, of those that a user may see', async () => {
  expect(await found('admin', nearest(3))).toEqual(['0', '1', '2'])
  expect(await found('rhea', nearest(3))).toEqual(['1', '3', '5'])
  expect(
    await found('rhea', nearest(2, { filter: { terms: { _id: ['2', '3', '4', '9'] } } })),
  ).toEqual(['3', '9'])
  expect(
    await found('rhea', { bool: { must: [nearest(2)], filter: [{ term: { team: 'blue' } }] } }),
  ).toEqual([])
  expect(await found('rhea', { knn: { at: { vector: [0, 0], max_distance: 10 } } })).toEqual([
    '1',
    '3',
  ])
})

it('are so within nested objects', async () => {
  expect(await found('admin', within(2))).toEqual(['0', '1'])
  expect(await found('rhea', within(2))).toEqual(['1', '3'])
  expect(
    await found('rhea', within(2, { filter: { terms: { _id: ['4', '5', '7', '9'] } } })),
  ).toEqual(['5', '7'])
  const filter = { nested: { path: 'parts', query: { term: { 'parts.hue': 'light' } } } }
  expect(await found('admin', within(2, { filter }))).toEqual(['0', '1'])
  expect(await found('rhea', within(2, { filter }))).toBe(
    'Filtering nested vectors is not supported when DLS is activated',
  )
})

it('are explained among them', async () => {
  const explained = async (user: string, id: string): Promise<unknown> => {
    const body = { query: nearest(2) }
    return (await secured().as(user, `POST /places/_explain/${id}`, body)).json.matched
  }
  expect([await explained('admin', '3'), await explained('rhea', '3')]).toEqual([false, true])
})

it('are so where a graph leads through those that a user may not see', async () => {
  const ids = async (user: string, k: number, more: object): Promise<readonly string[]> => {
    const at = { vector: [450, 0], k, method_parameters: { ef_search: 4 }, ...more }
    const query = { knn: { at } }
    const { json } = await secured().as(user, 'POST /places-many/_search', { query })
    return json.hits.hits.map(({ _id }: { _id: string }) => _id)
  }
  expect(await ids('admin', 3, {})).toEqual(['450', '449', '451'])
  const seen = await ids('rhea', 3, {})
  expect(seen.length).toBe(3)
  expect(seen[0]).toBe('450')
  for (const id of seen) expect(Number(id) % 3).toBe(0)
  expect(await ids('rhea', 2, { filter: { terms: { _id: ['447', '448', '460'] } } })).toEqual([
    '447',
  ])
})
