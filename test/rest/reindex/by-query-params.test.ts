/** Each parameter of an update and of a deletion by query, by what it changes. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failureOf, ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

const WORDS = ['one', 'one two', 'two', 'three', 'OnE']

beforeEach(async () => {
  await rest.call('DELETE /*?expand_wildcards=all')
  const text = { type: 'text', fields: { as_is: { type: 'text', analyzer: 'whitespace' } } }
  await ok('PUT /i', {
    settings: { number_of_shards: 3 },
    mappings: { properties: { word: text, other: { type: 'keyword' }, n: { type: 'long' } } },
  })
  const lines = WORDS.flatMap((word, n) => [
    { index: { _id: `${n}`, routing: n < 2 ? 'a' : 'b' } },
    { n, word, other: 'one' },
  ])
  await ok('POST /i/_bulk?refresh=true', ndjson(...lines))
})

const ALL = { query: { match_all: {} } }

describe.each(['_update_by_query', '_delete_by_query'])('%s', name => {
  const run = (query: string, body?: object, path = 'i'): ReturnType<typeof ok> =>
    ok(`POST /${path}/${name}?${query}`, body)
  const total = async (query: string, body?: object, path = 'i'): Promise<number> =>
    (await run(`conflicts=proceed&${query}`, body, path)).total

  it.each([
    ['q=word:one', 3],
    ['q=one&df=word', 3],
    ['q=one two&df=word', 4],
    ['q=one two&df=word&default_operator=AND', 1],
    ['q=one&df=word.as_is', 2],
    ['q=OnE&df=word.as_is&analyzer=whitespace', 1],
    ['q=OnE&df=word.as_is&analyzer=standard', 2],
    ['q=T*&df=word&analyze_wildcard=true', 3],
    ['q=n:one&df=word&lenient=true', 0],
  ])('finds by %s', async (query, count) => {
    expect(await total(encodeURI(query))).toBe(count)
  })

  it('is refused for a query of the URL that means nothing to a field', async () => {
    const { status, json } = await rest.call(`POST /i/${name}?q=n:one&df=word`)
    expect([status, json.error.root_cause[0].type]).toEqual([400, 'query_shard_exception'])
    expect(json.error.root_cause[0].reason).toContain('failed to create query')
  })

  it('finds indices by patterns, open or closed, and may find none', async () => {
    await ok('PUT /.hidden', { settings: { 'index.hidden': true } })
    await ok('PUT /.hidden/_doc/1?refresh', { n: 1 })
    expect(await total('refresh', ALL, '*')).toBe(WORDS.length)
    expect(await total('expand_wildcards=open,hidden', ALL, '*')).toBe(
      name === '_update_by_query' ? WORDS.length + 1 : 1,
    )
    await ok('POST /i/_close')
    expect((await failure(`POST /*/${name}?expand_wildcards=closed`, ALL))[1]).toBe(
      'index_closed_exception',
    )
    expect(await total('', ALL, 'none*')).toBe(0)
    const refused = await failure(`POST /none*/${name}?allow_no_indices=false`, ALL)
    expect(refused).toEqual([404, 'index_not_found_exception', 'no such index [none*]'])
    expect((await failure(`POST /i/${name}?expand_wildcards=some`, ALL))[2]).toBe(
      'No valid expand wildcard value [some]',
    )
  })

  it('goes to shards by routing and preference', async () => {
    expect(await total('routing=a', ALL)).toBeLessThan(WORDS.length)
    const shards = await Promise.all(
      [0, 1, 2].map(shard =>
        ok(`GET /i/_search?size=0&preference=_shards:${shard}`).then(
          ({ hits }) => hits.total.value as number,
        ),
      ),
    )
    const [held] = shards.map((count, shard) => ({ count, shard })).filter(each => each.count > 0)
    expect(await total(`preference=_shards:${held!.shard}`, ALL)).toBe(held!.count)
  })

  it('goes page by page in the order of a sort, each page kept as long as a scroll', async () => {
    const answer = await run('scroll_size=2&sort=n:desc&scroll=1m&max_docs=2&refresh', ALL)
    expect(answer).toMatchObject({ total: 2, batches: 1 })
    const left = await ok('GET /i/_search?sort=n&version=true')
    const changed = left.hits.hits
      .filter((hit: { _version: number }) => hit._version > 1)
      .map((hit: { _source: { n: number } }) => hit._source.n)
    const isUpdate = name === '_update_by_query'
    expect(changed).toEqual(isUpdate ? [3, 4] : [])
    expect(left.hits.total.value).toBe(isUpdate ? WORDS.length : WORDS.length - 2)
  })

  it('counts as a search of its groups, ended early and cached as one', async () => {
    await run('stats=sweep&request_cache=false&search_type=dfs_query_then_fetch&version', ALL)
    const { _all } = await ok('GET /i/_stats/search?groups=sweep')
    expect(_all.total.search.groups.sweep.query_total).toBeGreaterThan(0)
  })

  it('ends at a limit under its older name, and passes over indices that are not there', async () => {
    expect(await total('size=2', ALL)).toBe(2)
    expect(await total('size=2&max_docs=2', { ...ALL, max_docs: 2 })).toBe(2)
    expect(await total('ignore_unavailable=true&refresh', ALL, 'none,i')).toBeGreaterThan(0)
    expect((await failure(`POST /none,i/${name}`, ALL))[2]).toBe('no such index [none]')
  })

  it('takes the word of its parameters over that of its body', async () => {
    expect(await run('scroll_size=1&max_docs=2&sort=n&refresh', { ...ALL, size: 5 })).toMatchObject(
      {
        batches: 2,
      },
    )
    const body = { ...ALL, conflicts: 'proceed' }
    await ok('POST /i/_doc/4?routing=b', { n: 4, word: 'one' })
    const { status, json } = await rest.call(`POST /i/${name}?conflicts=abort`, body)
    expect([status, json.version_conflicts]).toEqual([409, 1])
  })

  it('ends behind documents of a shard', async () => {
    expect(await total('terminate_after=1', ALL)).toBeLessThanOrEqual(3)
  })

  it('waits for copies that are there, and not for others', async () => {
    expect((await run('wait_for_active_shards=1', ALL)).failures).toEqual([])
    const { status, json } = await rest.call(
      `POST /i/${name}?wait_for_active_shards=2&timeout=10ms`,
      ALL,
    )
    expect(status).toBe(503)
    for (const each of json.failures ?? [json.error])
      expect((each.cause ?? each).type).toBe('unavailable_shards_exception')
  })

  it.each([
    ['timeout=1', 'timeout'],
    ['search_timeout=1', 'search_timeout'],
    ['scroll=1', 'scroll'],
  ])('is refused for %s, which has no unit', async (query, parameter) => {
    expect(await failure(`POST /i/${name}?${query}`, ALL)).toEqual([
      400,
      'illegal_argument_exception',
      `failed to parse setting [${parameter}] with value [1] as a time value: unit is missing or unrecognized`,
    ])
  })

  it.each([
    ['slices=x', '[slices] must be a positive integer or the string "auto", but was [x]'],
    ['search_type=x', 'No search type for [x]'],
    [
      'requests_per_second=0',
      '[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.',
    ],
    ['version=x', 'Failed to parse value [x] as only [true] or [false] are allowed.'],
    ['terminate_after=x', 'Failed to parse int parameter [terminate_after] with value [x]'],
    [
      'scroll_sizes=1',
      `request [/i/${name}] contains unrecognized parameter: [scroll_sizes] -> did you mean [scroll_size]?`,
    ],
  ])('is refused for %s', async (query, reason) => {
    expect(await failure(`POST /i/${name}?${query}`, ALL)).toEqual([
      400,
      'illegal_argument_exception',
      reason,
    ])
  })

  it('takes a time for the search, within which it ends', async () => {
    expect(await total('search_timeout=1m', ALL)).toBe(WORDS.length)
  })
})

describe('the fields of a source', () => {
  it.each([
    ['_source=n,other', ['n', 'other']],
    ['_source_includes=n', ['n']],
    ['_source_excludes=word', ['n', 'other']],
  ])('that %s leaves are all that an update writes', async (query, fields) => {
    await ok(`POST /i/_update_by_query?refresh&${query}`, ALL)
    const { hits } = await ok('GET /i/_search?size=1')
    expect(Object.keys(hits.hits[0]._source).sort()).toEqual([...fields].sort())
  })

  it.each(['_source=false', '_source_includes=n', '_source_excludes=n'])(
    'do not matter to a deletion with %s',
    async query => {
      expect((await ok(`POST /i/_delete_by_query?${query}`, ALL)).deleted).toBe(WORDS.length)
    },
  )
})
