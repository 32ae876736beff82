import { beforeAll, describe, expect, it } from 'vitest'
import { ndjson } from '../../support/rest-calls.ts'
import { addRole, addUser, type SecuredRest, securedForFile } from '../../support/secured-rest.ts'

const KEY = 'plugins.security.do_not_fail_on_forbidden'
const over = securedForFile({ [KEY]: 'true' })
const overAll = securedForFile({ [KEY]: 'true', [`${KEY}_empty`]: 'true' })
const onlyEmpty = securedForFile({ [`${KEY}_empty`]: 'true' })

beforeAll(async () => {
  for (const { rest } of [over(), overAll(), onlyEmpty()]) {
    for (const name of ['open-1', 'closed-1'])
      await rest.call(`PUT /${name}/_doc/1?refresh`, { mark: name })
    await rest.call('POST /_aliases', {
      actions: ['open-1', 'closed-1'].map(index => ({ add: { index, alias: 'both' } })),
    })
    await addRole(rest, 'reading', {
      cluster_permissions: ['cluster_composite_ops'],
      index_permissions: [{ index_patterns: ['open-*'], allowed_actions: ['indices:*'] }],
    })
    await addUser(rest, 'ria', { opendistro_security_roles: ['reading'] })
  }
})

/** Status, and the marks of the indices that an answer tells of. */
async function marks(node: SecuredRest, line: string, body?: object | string): Promise<unknown> {
  const { status, text } = await node.as('ria', line, body)
  const isRefusal = status === 403
  return [
    status,
    isRefusal ? [] : ['open-1', 'closed-1'].filter(name => text.includes(`"${name}"`)),
  ]
}

/** Reads that go on without what is denied. */
const READS: readonly (readonly [line: string, body?: object | string])[] = [
  ['GET /*/_search'],
  ['GET /_all/_search'],
  ['GET /both/_search'],
  ['GET /open-1,closed-1/_search'],
  ['GET /*-1/_field_caps?fields=mark'],
  ['GET /_msearch', ndjson({ index: '*' }, {})],
  ['GET /*/_mapping/field/mark'],
  ['GET /*/_search_shards'],
  ['GET /*/_settings'],
  ['GET /*/_stats'],
]
const ATTEMPTS = READS.map(([line, body]) => ({ line, body }))

describe('a read that reaches what is denied', () => {
  it.each(ATTEMPTS)('goes on without it by $line', async ({ line, body }) => {
    expect(await marks(over(), line, body)).toEqual([200, ['open-1']])
  })

  it('counts what is left', async () => {
    const { json } = await over().as('ria', 'GET /*/_count')
    expect([json.count, json._shards.total]).toEqual([1, 1])
  })

  it('is refused as a whole where the setting is off', async () => {
    expect(await marks(onlyEmpty(), 'GET /*/_search')).toEqual([403, []])
    expect(await marks(onlyEmpty(), 'GET /closed-1/_search')).toEqual([403, []])
  })

  it('is refused where nothing is left, unless that is passed over too', async () => {
    expect(await marks(over(), 'GET /closed-*/_search')).toEqual([403, []])
    expect(await marks(over(), 'GET /closed-1/_search')).toEqual([403, []])
    for (const line of ['GET /closed-*/_search', 'GET /closed-1/_search']) {
      const { status, json } = await overAll().as('ria', line)
      expect([status, json.hits.total.value, json._shards.total]).toEqual([200, 0, 0])
    }
  })
})

it.each([
  ['POST /*/_delete_by_query', { query: { match_all: {} } }],
  ['DELETE /open-1,closed-1', undefined],
  ['POST /*/_close', undefined],
  ['PUT /*/_mapping', { properties: { x: { type: 'long' } } }],
  ['GET /closed-1/_doc/1', undefined],
  ['PUT /closed-1/_doc/2', { mark: 'x' }],
])('%s is refused as a whole all the same', async (line, body) => {
  const { text } = await overAll().as('ria', line, body)
  const before = (await overAll().rest.call('GET /closed-1/_count')).json.count
  if (!line.includes('_delete_by_query')) expect(text).toContain('no permissions for')
  expect([before, (await overAll().rest.call('GET /closed-1/_count')).status]).toEqual([1, 200])
})
