/** Forms of the services' endpoints that no other test asks for: second methods, paths with more parts, parameters. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureOf, ndjson, okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)
const failure = failureOf(() => rest)

beforeAll(async () => {
  rest = await openRest({ 'node.attr.rack': 'r1' })
  for (const index of ['a', 'b'])
    await ok(
      `POST /${index}/_bulk?refresh`,
      ndjson(...[1, 2, 3].flatMap(n => [{ index: { _id: `${n}` } }, { n, t: `word ${n}` }])),
    )
  const source = { query: { match: { t: '{{t}}' } } }
  await ok('PUT /_scripts/stored', { script: { lang: 'mustache', source } })
})
afterAll(() => rest.close())

const TEMPLATE = { source: '{"query":{"term":{"n":{{n}}}}}', params: { n: 2 } }
const BY_N = { query: { term: { n: 2 } } }

describe('templates', () => {
  it.each([
    ['GET /_render/template', TEMPLATE, BY_N],
    ['POST /_render/template', TEMPLATE, BY_N],
    ['GET /_render/template/stored', { params: { t: 'x' } }, { query: { match: { t: 'x' } } }],
    ['POST /_render/template/stored', { params: { t: 'x' } }, { query: { match: { t: 'x' } } }],
  ])('%s shows what it makes', async (line, body, template_output) => {
    expect(await ok(line, body)).toEqual({ template_output })
  })

  it.each([
    ['GET /_search/template', 2],
    ['POST /_search/template', 2],
    ['GET /a/_search/template', 1],
    ['POST /a/_search/template', 1],
    ['POST /a,none/_search/template?ignore_unavailable=true', 1],
    ['POST /n*/_search/template', 0],
    ['POST /*/_search/template?expand_wildcards=closed', 0],
    ['POST /a/_search/template?allow_partial_search_results=false', 1],
    ['POST /a/_search/template?ignore_throttled=true', 1],
    ['POST /a/_search/template?search_type=dfs_query_then_fetch&preference=_local', 1],
    ['POST /a/_search/template?routing=x', 1],
    ['POST /a/_search/template?ccs_minimize_roundtrips=true', 1],
  ])('%s finds by them', async (line, count) => {
    expect((await ok(line, TEMPLATE)).hits.total.value).toBe(count)
  })

  it('leave out what a search that is asked by them leaves out', async () => {
    const line = 'POST /a/_search/template?_source_excludes=t&typed_keys=true'
    expect((await ok(line, TEMPLATE)).hits.hits[0]._source).toEqual({ n: 2 })
    const scrolled = await ok('POST /a/_search/template?scroll=1m', TEMPLATE)
    expect(scrolled._scroll_id).toEqual(expect.any(String))
    await ok('DELETE /_search/scroll', { scroll_id: scrolled._scroll_id })
  })

  it.each([
    ['POST /none/_search/template', 404, 'index_not_found_exception'],
    ['POST /n*/_search/template?allow_no_indices=false', 404, 'index_not_found_exception'],
    ['POST /a/_search/template?explain=perhaps', 400, 'illegal_argument_exception'],
  ])('%s is refused', async (line, status, type) => {
    expect((await failure(line, TEMPLATE)).slice(0, 2)).toEqual([status, type])
  })

  it.each<[string, object]>([
    ['seq_no_primary_term=true', { hits: { hits: [{ _seq_no: 1, _primary_term: 1 }] } }],
    ['phase_took=true', { phase_took: { query: expect.any(Number) } }],
    ['terminate_after=1', { terminated_early: true }],
    ['sort=n', { hits: { hits: [{ _score: null }] } }],
    ['sort=n&track_scores=true', { hits: { hits: [{ _score: 1 }] } }],
    ['include_named_queries_score=true', { hits: { hits: [{ matched_queries: { by: 1 } }] } }],
    ['batched_reduce_size=2', { hits: { total: { value: 1 } } }],
    ['pre_filter_shard_size=1&max_concurrent_shard_requests=1', { hits: { total: { value: 1 } } }],
  ])('take %s as searches do', async (params, expected) => {
    const source = '{"query":{"term":{"n":{"value":{{n}},"_name":"by"}}}}'
    const answer = await ok(`POST /a/_search/template?${params}`, { ...TEMPLATE, source })
    expect(answer).toMatchObject(expected)
  })

  it('take the query and the suggestions of the body that they make, not those of the URL', async () => {
    const params =
      'q=none&analyzer=keyword&default_operator=AND&analyze_wildcard=true&suggest_field=t&suggest_text=wrod' +
      '&suggest_mode=always&suggest_size=1'
    const answer = await ok(`POST /a/_search/template?${params}`, TEMPLATE)
    expect(answer.hits.total.value).toBe(1)
    expect(answer.suggest).toBeUndefined()
  })

  it('count as a search of the groups that are named', async () => {
    await ok('POST /a/_search/template?stats=templates', TEMPLATE)
    const stats = await ok('GET /a/_stats/search?groups=templates')
    expect(stats.indices.a.total.search.groups.templates.query_total).toBe(1)
  })

  it.each([
    ['batched_reduce_size=1', 'batchedReduceSize must be >= 2'],
    ['pre_filter_shard_size=0', 'preFilterShardSize must be >= 1'],
    ['max_concurrent_shard_requests=0', 'maxConcurrentShardRequests must be >= 1'],
  ])('refuse %s', async (params, reason) => {
    const expected = [400, 'illegal_argument_exception', reason]
    expect(await failure(`POST /a/_search/template?${params}`, TEMPLATE)).toEqual(expected)
    if (params.startsWith('batched')) return
    const lines = ndjson({}, TEMPLATE)
    expect(await failure(`POST /a/_msearch/template?${params}`, lines)).toEqual(expected)
  })

  it.each([
    ['GET /_msearch/template', [2, 1]],
    ['POST /_msearch/template', [2, 1]],
    ['GET /a/_msearch/template', [1, 1]],
    ['POST /a/_msearch/template', [1, 1]],
    ['POST /a/_msearch/template?max_concurrent_searches=1', [1, 1]],
    ['POST /a/_msearch/template?max_concurrent_shard_requests=1&pre_filter_shard_size=1', [1, 1]],
    ['POST /a/_msearch/template?cancel_after_time_interval=1m', [1, 1]],
    ['POST /n*/_msearch/template?allow_no_indices=true', [0, 1]],
    ['POST /*/_msearch/template?expand_wildcards=closed', [0, 1]],
    ['POST /a/_msearch/template?ignore_throttled=false&search_type=query_then_fetch', [1, 1]],
  ])('%s finds by several', async (line, counts) => {
    const { responses } = await ok(line, ndjson({}, TEMPLATE, { index: 'b' }, TEMPLATE))
    expect(
      responses.map((each: { hits: { total: { value: number } } }) => each.hits.total.value),
    ).toEqual(counts)
  })
})

describe('evaluations of rankings', () => {
  const body = {
    requests: [
      {
        id: 'q',
        request: { query: { match: { t: 'word' } } },
        ratings: [{ _index: 'a', _id: '1', rating: 1 }],
      },
    ],
    metric: { precision: { k: 10 } },
  }

  it.each([
    ['GET /_rank_eval', 1 / 6],
    ['POST /_rank_eval', 1 / 6],
    ['GET /a/_rank_eval', 1 / 3],
    ['POST /a/_rank_eval', 1 / 3],
    ['POST /a/_rank_eval?search_type=dfs_query_then_fetch', 1 / 3],
    ['POST /a,none/_rank_eval?ignore_unavailable=true', 1 / 3],
    ['POST /n*/_rank_eval?allow_no_indices=true', 0],
    ['POST /*/_rank_eval?expand_wildcards=closed', 0],
  ])('%s', async (line, score) => {
    const found = await ok(line, body)
    expect([found.failures, found.metric_score]).toEqual([{}, score])
  })

  it('has a failure for each request that cannot be run', async () => {
    const { failures } = await ok('POST /none/_rank_eval', body)
    expect(failures.q.error.type ?? failures.q.type).toBe('index_not_found_exception')
    const [status, type] = await failure('POST /a/_rank_eval?search_type=x', body)
    expect([status, type]).toEqual([400, 'illegal_argument_exception'])
  })
})

describe('pipelines that are tried', () => {
  it.each(['GET', 'POST'])('by %s without a name', async method => {
    const pipeline = { processors: [{ set: { field: 'a', value: 1 } }] }
    const line = `${method} /_ingest/pipeline/_simulate`
    const { docs } = await ok(line, { pipeline, docs: [{ _source: {} }] })
    expect(docs[0].doc._source).toEqual({ a: 1 })
  })
})

describe('nodes', () => {
  const nodes = async (path: string): Promise<Record<string, never>[]> =>
    Object.values((await ok(`GET /_nodes${path}`)).nodes)

  it.each([
    ['/_local/info', ['settings', 'os', 'http']],
    ['/rack:r1/info/os,http', ['os', 'http']],
    ['/_local/os', ['os']],
    ['/os', ['os']],
    ['/_local/stats', ['indices', 'os', 'thread_pool', 'http']],
    ['/_local/stats/os', ['os']],
    ['/_all/stats/indices/docs', ['indices']],
    ['/stats/indices/docs?timeout=30s', ['indices']],
    ['/_local/usage/rest_actions', ['rest_actions']],
  ])('%s', async (path, sections) => {
    const [node, ...others] = await nodes(path)
    expect(others).toEqual([])
    expect(Object.keys(node!)).toEqual(expect.arrayContaining(sections))
  })

  it('are none where no node is meant', async () => {
    for (const path of [
      '/x/info',
      '/x/info/os',
      '/x/stats',
      '/x/stats/os',
      '/x/stats/indices/docs',
    ])
      expect([path, await nodes(path)]).toEqual([path, []])
  })

  it.each([
    ['/_local/info/oss', 'metric: [oss] -> did you mean [os]?'],
    ['/_local/stats/oss', 'metric: [oss] -> did you mean [os]?'],
    ['/_local/stats/indices/docz', 'index metric: [docz] -> did you mean [docs]?'],
  ])('%s is refused', async (path, text) => {
    expect(await failure(`GET /_nodes${path}`)).toEqual([
      400,
      'illegal_argument_exception',
      `request [/_nodes${path}] contains unrecognized ${text}`,
    ])
  })

  it.each(
    ['/_nodes', '/_cluster/nodes'].flatMap(start =>
      ['/hot_threads', '/hotthreads', '/_local/hot_threads', '/_local/hotthreads'].map(
        end => start + end,
      ),
    ),
  )('%s are sampled', async path => {
    const { status, text } = await rest.call(`GET ${path}?interval=1ms&snapshots=2&timeout=30s`)
    expect([status, text.split('{')[0]]).toEqual([200, '::: '])
  })
})

describe('tables', () => {
  it.each([
    ['/_cat/tasks', 'action'],
    ['/_cat/pending_tasks', 'insertOrder'],
    ['/_cat/repositories', 'id'],
  ])('%s take what all of them take', async (path, column) => {
    const queries = ['local=true', 'v=true', 'help', `s=${column}:desc`, `h=${column}`, 'time=s']
    for (const query of [...queries, 'master_timeout=1s', 'cluster_manager_timeout=1s'])
      expect([query, (await rest.call(`GET ${path}?${query}`)).status]).toEqual([query, 200])
    expect((await rest.call(`GET ${path}?v&h=${column}`)).text.split(/\s/)[0]).toBe(column)
    expect((await rest.call(`GET ${path}?format=json`)).json).toEqual(expect.any(Array))
    expect(await failure(`GET ${path}?s=nothing`)).toEqual([
      500,
      'unsupported_operation_exception',
      'Unable to sort by unknown sort key `nothing`',
    ])
  })
})

describe('copies and changes by query', () => {
  it.each(['/_reindex', '/a/_update_by_query', '/a/_delete_by_query'])(
    '%s waits for a shard as long as it is told',
    async path => {
      const body = path === '/_reindex' ? { source: { index: 'a' }, dest: { index: 'c' } } : BY_N
      await ok(`POST ${path}?timeout=1m&refresh=true`, body)
      expect((await failure(`POST ${path}?timeout=1`, body))[2]).toBe(
        'failed to parse setting [timeout] with value [1] as a time value: unit is missing or unrecognized',
      )
    },
  )

  it.each(['_reindex', '_update_by_query', '_delete_by_query'])(
    'the rate of %s is changed for a task that runs alone',
    async name => {
      const line = `POST /${name}/node:1/_rethrottle?requests_per_second=1`
      expect(await failure(line)).toEqual([
        404,
        'resource_not_found_exception',
        'task [node:1] is not found',
      ])
    },
  )
})
