import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EngineApi } from '../../src/engine/api/engine-api.ts'
import { Dispatcher, type RestRequest } from '../../src/rest/dispatch.ts'
import { openServices } from '../../src/service/services.ts'
import { engineWith } from '../support/engine-calls.ts'

let engine: EngineApi
let dispatcher: Dispatcher
const defects: unknown[] = []

beforeAll(async () => {
  engine = await engineWith(null)
  dispatcher = new Dispatcher(engine, openServices(engine), {
    maxContentLength: 10_000,
    onDefect: error => defects.push(error),
  })
})

afterAll(async () => {
  await engine.close()
  expect(defects).toEqual([])
})

// biome-ignore lint/suspicious/noExplicitAny: responses are looked into, not used
type Json = any

async function send(
  method: string,
  path: string,
  body?: unknown,
  more: Partial<RestRequest> = {},
): Promise<{ status: number; json: Json; text: string; headers: Record<string, string> }> {
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
  const response = await dispatcher.dispatch({
    method,
    path,
    body: Buffer.from(text),
    headers: { 'content-type': 'application/json' },
    ...more,
  })
  const answer = Buffer.from(response.body).toString()
  return {
    status: response.status,
    json: answer === '' ? null : JSON.parse(answer),
    text: answer,
    headers: { ...response.headers },
  }
}

describe('routing', () => {
  it('answers who it is', async () => {
    const { status, json } = await send('GET', '/')
    expect(status).toBe(200)
    expect(json.version.distribution).toBe('opensearch')
    expect(json.version.number).toBe('3.6.0')
    const head = await send('HEAD', '/')
    expect([head.status, head.text]).toEqual([200, ''])
    expect(Number(head.headers['content-length'])).toBeGreaterThan(100)
  })

  it('names an unknown route and its method', async () => {
    expect(await send('GET', '/a/b/c?x=1')).toMatchObject({
      status: 400,
      json: { error: 'no handler found for uri [/a/b/c?x=1] and method [GET]' },
    })
  })

  it('lists what a wrong method could have been', async () => {
    const { status, json, headers } = await send('POST', '/_cluster/health')
    expect(status).toBe(405)
    expect(headers['allow']).toBe('GET,HEAD')
    expect(json).toEqual({
      error:
        'Incorrect HTTP method for uri [/_cluster/health] and method [POST], allowed: [GET, HEAD]',
      status: 405,
    })
  })

  it('says of endpoints that are not built that they are not', async () => {
    const { status, json } = await send('GET', '/_cat/nothing?v&whatever=1')
    expect(status).toBe(400)
    expect(json.error.reason).toBe('[/_cat/{view}] is not supported yet')
  })

  it('takes escapes in names apart once, and refuses broken ones', async () => {
    const { json } = await send('PUT', '/books/_doc/a%2Fb%2525?refresh', { n: 1 })
    expect(json._id).toBe('a/b%25')
    expect((await send('GET', '/books/_doc/%zz')).status).toBe(400)
    await send('DELETE', '/books')
  })
})

describe('parameters', () => {
  it('refuses what an endpoint does not take, with what is alike', async () => {
    const { status, json } = await send('GET', '/_search?sizze=1&from=2')
    expect(status).toBe(400)
    expect(json.error).toMatchObject({
      type: 'illegal_argument_exception',
      reason: 'request [/_search] contains unrecognized parameter: [sizze] -> did you mean [size]?',
    })
    expect(json.status).toBe(400)
    expect(json.error.root_cause).toEqual([{ type: json.error.type, reason: json.error.reason }])
  })

  it.each([
    ['/_search?size=x', 'Failed to parse int parameter [size] with value [x]'],
    ['/?pretty=yes', 'Failed to parse value [yes] as only [true] or [false] are allowed.'],
    [
      '/_search?timeout=5',
      'failed to parse setting [timeout] with value [5] as a time value: unit is missing or unrecognized',
    ],
    ['/_search?search_pipeline=a', 'Pipeline a is not defined'],
    ['/_search?expand_wildcards=some', 'No valid expand wildcard value [some]'],
    ['/_search?search_type=query_and_fetch', 'Unsupported search type [query_and_fetch]'],
    [
      '/_stats/dcs',
      'request [/_stats/dcs] contains unrecognized metric: [dcs] -> did you mean [docs]?',
    ],
    ['/_cluster/health?wait_for_nodes=many', 'failed to parse [wait_for_nodes] with value [many]'],
  ])('refuses %s', async (path, reason) => {
    const { status, json } = await send('GET', path)
    expect([status, json.error.reason]).toEqual([400, reason])
  })

  it('lays out and filters what it answers', async () => {
    expect((await send('GET', '/?filter_path=version.number&pretty')).text).toBe(
      '{\n  "version" : {\n    "number" : "3.6.0"\n  }\n}\n',
    )
  })
})

describe('bodies', () => {
  it('refuses types that are no JSON', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      const headers = { 'content-type': type }
      const { status, json } = await send('POST', '/_search', {}, { headers })
      expect(status).toBe(406)
      expect(json).toEqual({ error: `Content-Type header [${type}] is not supported`, status: 406 })
    }
    const none = await send('POST', '/_search', {}, { headers: {} })
    expect(none.json).toEqual({ error: 'Content-Type header is missing', status: 406 })
  })

  it('refuses what is too long, no JSON, not there, or of unknown keys', async () => {
    const long = await send('POST', '/_search', 'x'.repeat(10_001))
    expect([long.status, long.json.error.type]).toEqual([413, 'content_too_long_exception'])
    const broken = await send('POST', '/_search', '{"query":')
    expect([broken.status, broken.json.error.type]).toEqual([400, 'json_e_o_f_exception'])
    const none = await send('PUT', '/_cluster/settings')
    expect(none.json.error.reason).toBe('request body is required')
    const key = await send('PUT', '/books', { setings: {} })
    expect(key.json.error.reason).toBe('unknown key [setings] for create index')
    const deep = await send('POST', '/_search', '['.repeat(5000))
    expect([deep.status, deep.json.error.type]).toEqual([400, 'json_parse_exception'])
    const proto = await send('POST', '/_search', '{"__proto__":{"x":1}}')
    expect(proto.status).toBe(400)
  })

  it('reads the source parameter of a GET, and of nothing else', async () => {
    const source = encodeURIComponent('{"size":0}')
    const query = `source=${source}&source_content_type=application/json`
    expect((await send('GET', `/_search?${query}`)).status).toBe(200)
    const post = await send('POST', `/_search?${query}`)
    expect(post.json.error.reason).toContain('unrecognized parameters: [source]')
  })
})

describe('documents and searches', () => {
  it('goes through the life of an index', async () => {
    const created = await send('PUT', '/life', {
      settings: { number_of_shards: 2, 'index.refresh_interval': '-1' },
      mappings: { properties: { title: { type: 'text' }, n: { type: 'integer' } } },
    })
    expect(created.json).toEqual({ acknowledged: true, shards_acknowledged: true, index: 'life' })
    const again = await send('PUT', '/life')
    expect([again.status, again.json.error.type]).toEqual([
      400,
      'resource_already_exists_exception',
    ])

    const source = '{ "title": "slices of a search",  "n": 1.0 }'
    const put = await send('PUT', '/life/_doc/1', source)
    expect([put.status, put.headers['location']]).toEqual([201, '/life/_doc/1'])
    expect(Object.keys(put.json)).toEqual([
      '_index',
      '_id',
      '_version',
      'result',
      '_shards',
      '_seq_no',
      '_primary_term',
    ])
    expect((await send('GET', '/life/_doc/1')).text).toContain(`"_source":${source}`)
    expect((await send('HEAD', '/life/_doc/2')).status).toBe(404)
    const conflict = await send('PUT', '/life/_create/1', source)
    expect([conflict.status, conflict.json.error.type]).toEqual([
      409,
      'version_conflict_engine_exception',
    ])

    const bulk = await send(
      'POST',
      '/life/_bulk?refresh=true',
      '{"index":{"_id":"2"}}\n{"title":"a search","n":2}\n{"create":{"_id":"1"}}\n{"n":3}\n{"delete":{"_id":"9"}}\n',
      { headers: { 'content-type': 'application/x-ndjson' } },
    )
    expect(bulk.json.errors).toBe(true)
    const statuses = bulk.json.items.map((item: Json) => Object.values(item as object)[0].status)
    expect(statuses).toEqual([201, 409, 404])

    const found = await send('GET', '/life/_search?size=5', {
      query: { match: { title: 'search' } },
    })
    expect(found.status).toBe(200)
    expect(found.json.hits.hits.map((hit: Json) => hit._id).sort()).toEqual(['1', '2'])
    expect(found.text).toMatch(/"max_score":\d+\.\d+/)
    const counted = await send('POST', '/life/_count', { query: { match_all: {} } })
    expect(counted.json.count).toBe(2)

    const settings = await send('GET', '/life/_settings/index.number_of_*?flat_settings')
    expect(settings.json.life.settings['index.number_of_shards']).toBe('2')
    const changed = await send('PUT', '/life/_settings', { index: { refresh_interval: '5s' } })
    expect(changed.json).toEqual({ acknowledged: true })
    const mapping = await send('GET', '/life/_mapping')
    expect(mapping.json.life.mappings.properties.n).toEqual({ type: 'integer' })
    const stats = await send('GET', '/life/_stats/docs,store?level=shards')
    expect(stats.json._all.primaries.docs.count).toBe(2)
    const [shard] = stats.json.indices.life.shards['0']
    expect(Object.keys(shard)).toEqual(
      'routing docs store commit seq_no retention_leases shard_path'.split(' '),
    )
    expect(shard.commit).toMatchObject({
      generation: 0,
      num_docs: 0,
      user_data: { max_seq_no: '-1', local_checkpoint: '-1' },
    })
    expect(shard.retention_leases).toEqual({ primary_term: 1, version: 0, leases: [] })
    expect(shard.shard_path).toEqual({ state_path: '', data_path: '', is_custom_data_path: false })
    await send('POST', '/life/_flush')
    const flushed = await send('GET', '/life/_stats/docs?level=shards')
    const copies = Object.values<Json>(flushed.json.indices.life.shards).flat()
    expect(copies.reduce((sum, copy) => sum + copy.commit.num_docs, 0)).toBe(2)
    for (const { commit, seq_no: seqNo } of copies) {
      expect(commit.user_data.max_seq_no).toBe(String(seqNo.max_seq_no))
      expect(commit.generation).toBe(1)
      expect(commit.id).toMatch(/^[\w+/]{22}==$/)
      expect(commit.id).not.toBe(shard.commit.id)
    }
    const human = await send('GET', '/life/_stats/store,get?level=cluster&human')
    expect(human.json._all.total.store.size).toMatch(/^[\d.]+k?b$/)
    expect(human.json._all.total.get.time).toBeDefined()
    expect(human.json.indices).toBeUndefined()
    for (const call of ['_flush', '_forcemerge?max_num_segments=1', '_refresh']) {
      expect((await send('POST', `/life/${call}`)).json._shards.failed).toBe(0)
    }
    expect((await send('DELETE', '/life/_doc/1')).json.result).toBe('deleted')
    expect((await send('DELETE', '/life')).json).toEqual({ acknowledged: true })
    const gone = await send('GET', '/life/_search')
    expect([gone.status, gone.json.error.type]).toEqual([404, 'index_not_found_exception'])
  })

  it('creates what it was told to create, whatever the id looks like', async () => {
    const path = '/odd/_create/a%2F_doc%2Fb'
    expect((await send('PUT', path, { n: 1 })).status).toBe(201)
    expect((await send('PUT', path, { n: 1 })).status).toBe(409)
    expect((await send('PUT', '/odd/_doc/a%2F_create%2Fb?op_type=CREATE', { n: 1 })).status).toBe(
      201,
    )
    expect((await send('POST', '/odd/_doc', { n: 1 })).json._id).toMatch(/^[\w-]{20}$/)
    const type = await send('PUT', '/odd/_doc/1?op_type=update', { n: 1 })
    expect(type.json.error.reason).toBe("opType must be 'create' or 'index', found: [update]")
    await send('DELETE', '/odd')
  })

  it('analyzes text and refuses parts that exclude each other', async () => {
    const { json } = await send('POST', '/_analyze', { analyzer: 'standard', text: 'Two Words' })
    expect(json.tokens.map((token: Json) => token.token)).toEqual(['two', 'words'])
    const none = await send('GET', '/_analyze', {})
    expect(none.json.error.reason).toBe('Validation Failed: 1: text is missing;')
    const key = await send('GET', '/_analyze', { texts: 'a' })
    expect(key.json.error.reason).toBe(
      '[1:2] [analyze_request] unknown field [texts] did you mean [text]?',
    )
  })

  it('waits for copies that there are, and says when there are not enough', async () => {
    const many = await send('PUT', '/copies?wait_for_active_shards=3')
    expect(many.json.error.reason).toBe(
      'invalid wait_for_active_shards[3]: cannot be greater than number of shard copies [2]',
    )
    expect((await send('HEAD', '/copies')).status).toBe(404)
    await send('PUT', '/copies?wait_for_active_shards=all', { settings: { number_of_replicas: 0 } })
    const written = await send('PUT', '/copies/_doc/1?wait_for_active_shards=all', { n: 1 })
    expect(written.status).toBe(201)
    const short = await send('PUT', '/copies/_doc/1?wait_for_active_shards=2', { n: 1 })
    expect([short.status, short.json.error.type]).toEqual([503, 'unavailable_shards_exception'])
    await send('DELETE', '/copies')
  })

  it('waits for as many copies as the index says where the call does not', async () => {
    const setting = 'index.write.wait_for_active_shards'
    const many = await send('PUT', '/copies', { settings: { [setting]: 3 } })
    expect(many.json.error.reason).toContain('invalid wait_for_active_shards[3]')
    const created = await send('PUT', '/copies', { settings: { [setting]: 2 } })
    expect(created.json).toMatchObject({ acknowledged: true, shards_acknowledged: false })
    const short = await send('PUT', '/copies/_doc/1', { n: 1 })
    expect([short.status, short.json.error.type]).toEqual([503, 'unavailable_shards_exception'])
    expect(short.json.error.reason).toContain(
      '[copies][0] Not enough active copies to meet shard count of [2] (have 1, needed 2)',
    )
    const bulk = await send('POST', '/copies/_bulk', '{"index":{"_id":"1"}}\n{"n":1}\n')
    expect(bulk.json.items[0].index).toMatchObject({ status: 503 })
    expect((await send('PUT', '/copies/_doc/1?wait_for_active_shards=1', { n: 1 })).status).toBe(
      201,
    )
    await send('PUT', '/copies/_settings', { [setting]: 'all', number_of_replicas: 0 })
    expect((await send('PUT', '/copies/_doc/1', { n: 2 })).status).toBe(200)
    await send('DELETE', '/copies')
  })

  it('checks versions before it writes', async () => {
    const bad = await send('PUT', '/life/_doc/1?version=3', { n: 1 })
    expect(bad.json.error.reason).toContain('internal versioning can not be used')
    const term = await send('PUT', '/life/_doc/1?if_seq_no=3', { n: 1 })
    expect(term.json.error.reason).toBe(
      'Validation Failed: 1: ifSeqNo is set, but primary term is [0];',
    )
    const refresh = await send('PUT', '/life/_doc/1?refresh=soon', { n: 1 })
    expect(refresh.json.error.reason).toBe('Unknown value for refresh: [soon].')
  })
})

describe('cluster', () => {
  it('changes settings, echoes them and goes back', async () => {
    const set = await send('PUT', '/_cluster/settings', {
      transient: { 'search.concurrent.max_slice_count': 3 },
    })
    expect(set.json).toEqual({
      acknowledged: true,
      persistent: {},
      transient: { search: { concurrent: { max_slice_count: '3' } } },
    })
    const reset = await send('PUT', '/_cluster/settings', { transient: { 'search.*': null } })
    expect(reset.status).toBe(200)
    expect((await send('GET', '/_cluster/settings')).json).toEqual({
      persistent: {},
      transient: {},
    })
    const empty = await send('PUT', '/_cluster/settings', {})
    expect(empty.json.error.type).toBe('action_request_validation_exception')
  })

  it('waits for health, and says when it waited in vain', async () => {
    const green = await send('GET', '/_cluster/health?wait_for_status=green&timeout=1s')
    expect([green.status, green.json.timed_out]).toEqual([200, false])
    expect(green.text).toContain('"active_shards_percent_as_number":100.0')
    const vain = await send('GET', '/_cluster/health?wait_for_nodes=2&timeout=10ms')
    expect([vain.status, vain.json.timed_out]).toEqual([408, true])
    const missing = await send('GET', '/_cluster/health/nowhere?timeout=1ms')
    expect([missing.status, missing.json.status]).toEqual([408, 'red'])
  })

  it('shows its one node', async () => {
    const { json } = await send('GET', '/_nodes/_local/thread_pool')
    const [node] = Object.values(json.nodes) as Json[]
    expect(json._nodes).toEqual({ total: 1, successful: 1, failed: 0 })
    expect(node.roles).toContain('data')
    expect(node.thread_pool).toBeDefined()
    expect(node.http).toBeUndefined()
  })
})
