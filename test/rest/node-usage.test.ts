import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AGGREGATION_TYPE_NAMES } from '../../src/engine/dsl/aggregation/aggregation-parsers.ts'
import { AGGREGATION_VALUES } from '../../src/rest/endpoint/node/aggregation-values.ts'
import { REST_ACTION_NAMES } from '../../src/rest/rest-action-names.ts'
import { ENDPOINTS } from '../../src/rest/routes.ts'
import { failureOf, okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest({ 'node.attr.rack': 'r1' })
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

/** The one node of an answer. */
// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON
async function node(line: string, body?: object): Promise<any> {
  const json = await ok(line, body)
  expect(json._nodes).toEqual({ total: 1, successful: 1, failed: 0 })
  expect(json.cluster_name).toBe('lamella')
  return Object.values(json.nodes)[0]
}

describe('_nodes/usage', () => {
  it('counts requests by the name of their action', async () => {
    await ok('PUT /i/_doc/1?refresh', { t: 'a', n: 1 })
    await ok('PUT /i/_create/2?refresh', { t: 'b', n: 2 })
    await rest.call('GET /i/_search?unknown=1')
    await rest.call('HEAD /i/_doc/1')
    const usage = await node('GET /_nodes/usage')
    expect(Object.keys(usage)).toEqual(['timestamp', 'since', 'rest_actions', 'aggregations'])
    expect(usage.timestamp).toBeGreaterThanOrEqual(usage.since)
    expect(usage.rest_actions).toEqual({
      document_create_action: 1,
      document_get_action: 1,
      document_index_action: 1,
      nodes_usage_action: 1,
      search_action: 1,
    })
  })

  it('counts aggregations by the values that they read', async () => {
    await ok('PUT /places', { mappings: { properties: { p: { type: 'geo_point' } } } })
    await ok('POST /places/_search', { aggs: { c: { geo_centroid: { field: 'p' } } } })
    const aggs = {
      all: {
        filter: { match_all: {} },
        aggs: { t: { terms: { field: 't.keyword' } }, n: { terms: { field: 'n' } } },
      },
      none: { avg: { field: 'absent' } },
    }
    await ok('POST /i/_search', { aggs })
    await ok('POST /i/_search', { aggs })
    expect((await node('GET /_nodes/usage/aggregations')).aggregations).toEqual({
      filter: { other: 2 },
      geo_centroid: { geopoint: 1 },
      terms: { bytes: 2, numeric: 2 },
    })
  })

  it('shows the metrics that are asked for, of the nodes that are meant', async () => {
    const head = ['timestamp', 'since']
    expect(Object.keys(await node('GET /_nodes/usage/rest_actions'))).toEqual([
      ...head,
      'rest_actions',
    ])
    expect(Object.keys(await node('GET /_nodes/_local/usage/_all?timeout=1s'))).toHaveLength(4)
    expect((await ok('GET /_nodes/other/usage')).nodes).toEqual({})
  })

  it.each([
    [
      'GET /_nodes/usage/_all,rest_actions',
      'request [/_nodes/usage/_all,rest_actions] contains _all and individual metrics [_all,rest_actions]',
    ],
    [
      'GET /_nodes/usage/rest_action',
      'request [/_nodes/usage/rest_action] contains unrecognized metric: [rest_action] -> did you mean [rest_actions]?',
    ],
    [
      'GET /_nodes/usage?level=node',
      'request [/_nodes/usage] contains unrecognized parameter: [level]',
    ],
  ])('refuses %s', async (line, reason) => {
    expect(await failure(line)).toEqual([400, 'illegal_argument_exception', reason])
  })

  it('has a name for every endpoint', () => {
    const nameless = ENDPOINTS.map(({ routes: [first] }) => first!.join(' ')).filter(
      route => !Object.hasOwn(REST_ACTION_NAMES, route),
    )
    expect(nameless).toEqual([])
  })
})

describe('aggregations of _nodes', () => {
  it('are those that searches may ask for, with the values that they read', async () => {
    const { aggregations } = await node('GET /_nodes/_all/aggregations')
    expect(Object.keys(aggregations)).toEqual([...AGGREGATION_TYPE_NAMES].sort())
    expect(aggregations.filter).toEqual({ types: ['other'] })
    expect(aggregations.terms).toEqual({ types: ['boolean', 'bytes', 'date', 'ip', 'numeric'] })
    const missing = AGGREGATION_TYPE_NAMES.filter(name => !Object.hasOwn(AGGREGATION_VALUES, name))
    expect(missing).toEqual([])
  })
})

describe('_nodes/reload_secure_settings', () => {
  it('has nothing to read without a password, and no password is right', async () => {
    const without = await node('POST /_nodes/reload_secure_settings?timeout=1s')
    expect(without).toEqual({ name: 'lamella-0' })
    const line = 'POST /_nodes/_local/reload_secure_settings'
    expect(await node(line, { secure_settings_password: '' })).toEqual({ name: 'lamella-0' })
    expect(await node(line, { secure_settings_password: 'wrong' })).toEqual({
      name: 'lamella-0',
      reload_exception: {
        type: 'security_exception',
        reason: 'Provided keystore password was incorrect',
      },
    })
    expect((await ok('POST /_nodes/other/reload_secure_settings')).nodes).toEqual({})
  })

  it.each([
    [{ password: 'x' }, '[1:2] [reload_secure_settings] unknown field [password]'],
    [
      { secure_settings_password: 1 },
      "[1:2] [reload_secure_settings] secure_settings_password doesn't support values of type: VALUE_NUMBER",
    ],
  ])('refuses %j', async (body, reason) => {
    expect(await failure('POST /_nodes/reload_secure_settings', body)).toEqual([
      400,
      'x_content_parse_exception',
      reason,
    ])
  })
})

it('knows no remote clusters', async () => {
  expect(await ok('GET /_remote/info')).toEqual({})
})
