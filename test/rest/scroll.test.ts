import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../src/util/random.ts'
import { type Answered, ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /few', {
    mappings: { properties: { n: { type: 'integer' }, t: { type: 'text' } } },
  })
  await rest.call(
    'POST /few/_bulk?refresh',
    ndjson(
      ...[1, 2, 3, 4, 5].flatMap(n => [{ index: { _id: `${n}` } }, { n, t: 'sea '.repeat(n) }]),
    ),
  )
})

afterAll(() => rest.close())

type Hit = { _id: string; _index: string; _score: number | null; sort?: unknown[] }

const idsOf = ({ json }: Answered): string[] => json.hits.hits.map((hit: Hit) => hit._id)

/** All hits of a scroll, page by page, which is cleared at the end. */
async function pages(line: string, body: object): Promise<Hit[][]> {
  const found: Hit[][] = []
  let answer = await rest.call(line, body)
  for (let page = 0; page < 1000; page++) {
    expect(answer.status).toBe(200)
    found.push(answer.json.hits.hits)
    if (answer.json.hits.hits.length === 0) break
    answer = await rest.call('POST /_search/scroll', {
      scroll_id: answer.json._scroll_id,
      scroll: '1m',
    })
  }
  await rest.call('DELETE /_search/scroll', { scroll_id: answer.json._scroll_id })
  return found
}

describe('a scroll', () => {
  it('answers page by page until there is none, with the same total and id', async () => {
    const first = await rest.call('GET /few/_search?scroll=1m', { size: 2, sort: ['n'] })
    expect(Object.keys(first.json).slice(0, 2)).toEqual(['_scroll_id', 'took'])
    expect([idsOf(first), first.json.hits.total]).toEqual([
      ['1', '2'],
      { value: 5, relation: 'eq' },
    ])
    const { _scroll_id: id } = first.json
    const second = await rest.call('POST /_search/scroll', { scroll_id: id, scroll: '1m' })
    expect([idsOf(second), second.json.hits.total, second.json._scroll_id]).toEqual([
      ['3', '4'],
      first.json.hits.total,
      id,
    ])
    expect(second.json.hits.hits[0].sort).toEqual([3])
    const third = await rest.call(`GET /_search/scroll?scroll_id=${id}&scroll=1m`)
    expect(idsOf(third)).toEqual(['5'])
    const fourth = await rest.call(`GET /_search/scroll/${id}?rest_total_hits_as_int`)
    expect([idsOf(fourth), fourth.json.hits.total, fourth.json.hits.max_score]).toEqual([
      [],
      5,
      null,
    ])
    const { json } = await rest.call(`DELETE /_search/scroll/${id}`)
    expect(json).toEqual({ succeeded: true, num_freed: 1 })
  })

  it('keeps scores, and the best of them, from page to page', async () => {
    const body = { size: 2, query: { match: { t: 'sea' } } }
    const whole = await rest.call('GET /few/_search', { ...body, size: 5 })
    const first = await rest.call('GET /few/_search?scroll=1m', body)
    const { _scroll_id: id } = first.json
    const second = await rest.call('GET /_search/scroll', { scroll_id: id })
    expect(second.json.hits.hits).toEqual(whole.json.hits.hits.slice(2, 4))
    expect(second.json.hits.max_score).toBe(whole.json.hits.max_score)
    await rest.call(`DELETE /_search/scroll/${id}`)
  })

  it('takes the id of the body before that of the URL', async () => {
    const first = await rest.call('GET /few/_search?scroll=1m', { size: 3, sort: ['n'] })
    const { _scroll_id: id } = first.json
    const next = await rest.call('POST /_search/scroll/made-up', { scroll_id: id, scroll: '1m' })
    expect(idsOf(next)).toEqual(['4', '5'])
    const cleared = await rest.call('DELETE /_search/scroll/made-up', { scroll_id: [id] })
    expect(cleared.json.num_freed).toBe(1)
  })

  it('sees the documents of its first page through writes, merges and refreshes', async () => {
    await rest.call('PUT /moving', { settings: { 'index.number_of_shards': 2 } })
    const write = (from: number): Promise<Answered> =>
      rest.call(
        'POST /moving/_bulk?refresh',
        ndjson(
          ...Array.from({ length: 10 }, (_, i) => [
            { index: { _id: `${from + i}` } },
            { n: from + i },
          ]).flat(),
        ),
      )
    for (let from = 0; from < 50; from += 10) await write(from)
    const first = await rest.call('GET /moving/_search?scroll=1m', { size: 7, sort: ['n'] })
    const found = idsOf(first)
    for (let page = 0; page < 8; page++) {
      await write(page % 2 === 0 ? 1000 + 10 * page : 0)
      await rest.call('DELETE /moving/_doc/33?refresh')
      await rest.call('POST /moving/_forcemerge?max_num_segments=1')
      const next = await rest.call('POST /_search/scroll', { scroll_id: first.json._scroll_id })
      found.push(...idsOf(next))
    }
    expect(found).toEqual(Array.from({ length: 50 }, (_, n) => `${n}`))
    await rest.call('DELETE /_search/scroll/_all')
  })

  it('finds every hit once, in the order of one search, for any sort, size and slices', async () => {
    const random = new Random(0x5c01)
    await rest.call('PUT /many', {
      settings: { 'index.number_of_shards': 3 },
      mappings: {
        properties: { n: { type: 'integer' }, k: { type: 'keyword' }, t: { type: 'text' } },
      },
    })
    for (let bulk = 0; bulk < 4; bulk++) {
      const lines = Array.from({ length: 100 }, () => [
        { index: {} },
        {
          ...(random.below(5) > 0 && { n: random.below(20) }),
          ...(random.below(5) > 0 && { k: `k${random.below(7)}` }),
          t: ['sea', 'ship', 'sea ship', 'sea sea ship'][random.below(4)],
        },
      ])
      await rest.call('POST /many/_bulk?refresh', ndjson(...lines.flat()))
    }
    const sorts = [
      undefined,
      ['n'],
      [{ k: 'desc' }, 'n'],
      ['_doc'],
      [{ _score: 'asc' }, { n: { missing: '_first' } }],
      [{ _doc: 'desc' }],
    ]
    for (const sort of sorts)
      for (const size of [7, 60, 401]) {
        const body = {
          query: { match: { t: 'sea ship' } },
          sort,
          track_scores: random.below(2) === 0,
        }
        const whole = await rest.call('GET /many/_search', { ...body, size: 1000 })
        const found = (await pages('GET /many/_search?scroll=1m', { ...body, size })).flat()
        expect(found).toEqual(whole.json.hits.hits)
        const max = 2 + random.below(5)
        const parts = await Promise.all(
          Array.from({ length: max }, async (_, id) => {
            const slice = random.below(2) === 0 ? { id, max } : { id, max, field: '_id' }
            return (await pages('GET /many/_search?scroll=1m', { ...body, size, slice })).flat()
          }),
        )
        expect(
          parts
            .flat()
            .map(hit => hit._id)
            .sort(),
        ).toEqual(found.map(hit => hit._id).sort())
      }
  })

  it('ends where `terminate_after` ended its first page', async () => {
    const found = await pages('GET /few/_search?scroll=1m', {
      size: 2,
      terminate_after: 3,
      sort: [{ n: 'desc' }],
    })
    expect(found.map(page => page.map(hit => hit._id))).toEqual([['3', '2'], ['1'], []])
  })

  it('shows its slices in the profile by the classes of the real server', async () => {
    await rest.call('PUT /sliced', { mappings: { properties: { n: { type: 'long' } } } })
    await rest.call('PUT /sliced/_doc/1?refresh', { n: 1 })
    for (const [slice, type, field] of [
      [{ id: 1, max: 3 }, 'TermsSliceQuery', '_id'],
      [{ id: 1, max: 3, field: 'n' }, 'DocValuesSliceQuery', 'n'],
    ]) {
      const { json } = await rest.call('GET /sliced/_search?scroll=1m', { slice, profile: true })
      const text = JSON.stringify(json.profile.shards[0].searches[0].query)
      expect(text).toContain(`"type":"${type}"`)
      expect(text).toContain(`"description":"${type}[field=${field}, id=1, max=3]"`)
    }
    await rest.call('DELETE /_search/scroll/_all')
  })

  it('cuts shards by the numbers of a field', async () => {
    const parts = await Promise.all(
      [0, 1].map(async id =>
        (await pages('GET /few/_search?scroll=1m', { slice: { id, max: 2, field: 'n' } })).flat(),
      ),
    )
    expect(
      parts
        .flat()
        .map(hit => hit._id)
        .sort(),
    ).toEqual(['1', '2', '3', '4', '5'])
  })

  it('answers pages that are asked for at once one after another', async () => {
    const first = await rest.call('GET /few/_search?scroll=1m', { size: 1, sort: ['n'] })
    const body = { scroll_id: first.json._scroll_id }
    const next = await Promise.all([1, 2, 3].map(() => rest.call('POST /_search/scroll', body)))
    expect(next.flatMap(idsOf)).toEqual(['2', '3', '4'])
    await rest.call('DELETE /_search/scroll', body)
  })
})

describe('the end of a scroll', () => {
  const missing = (number: number): object => ({
    error: {
      root_cause: [
        {
          type: 'search_context_missing_exception',
          reason: `No search context found for id [${number}]`,
        },
      ],
      type: 'search_phase_execution_exception',
      reason: 'all shards failed',
      phase: 'query',
      grouped: true,
      failed_shards: [
        {
          shard: -1,
          index: null,
          reason: {
            type: 'search_context_missing_exception',
            reason: `No search context found for id [${number}]`,
          },
        },
      ],
    },
    status: 404,
  })

  it('is told by every later page, and by another clearing', async () => {
    const { json } = await rest.call('GET /few/_search?scroll=1m')
    const body = { scroll_id: json._scroll_id }
    const cleared = await rest.call('DELETE /_search/scroll', body)
    expect([cleared.status, cleared.json]).toEqual([200, { succeeded: true, num_freed: 1 }])
    const page = await rest.call('POST /_search/scroll', body)
    const number = Number(/\[(\d+)\]/.exec(page.json.error.root_cause[0].reason)![1])
    expect([page.status, page.json]).toEqual([404, missing(number)])
    const again = await rest.call('DELETE /_search/scroll', body)
    expect([again.status, again.json]).toEqual([404, { succeeded: true, num_freed: 0 }])
  })

  it('comes with that of its index', async () => {
    for (const step of ['DELETE /short', 'POST /short/_close']) {
      await rest.call('PUT /short/_doc/1?refresh', { n: 1 })
      const both = await rest.call('GET /short,few/_search?scroll=1m', { size: 2, sort: ['n'] })
      const alone = await rest.call('GET /short/_search?scroll=1m', { size: 1 })
      await rest.call(step)
      const gone = await rest.call('POST /_search/scroll', { scroll_id: alone.json._scroll_id })
      expect([step, gone.status]).toEqual([step, 404])
      const rest2 = await rest.call('POST /_search/scroll', { scroll_id: both.json._scroll_id })
      expect([rest2.status, rest2.json._shards]).toMatchObject([
        200,
        { total: 2, successful: 1, failed: 1, failures: [{ index: 'short', shard: 0 }] },
      ])
      await rest.call('DELETE /_search/scroll', { scroll_id: both.json._scroll_id })
      await rest.call('DELETE /short')
    }
    const { json } = await rest.call('GET /_stats/search')
    expect(json._all.total.search.open_contexts).toBe(0)
  })

  it('gives back what the statistics of its shards counted', async () => {
    const before = (await rest.call('GET /few/_stats/search')).json._all.total.search
    const ids = await Promise.all(
      [1, 2].map(async () => (await rest.call('GET /few/_search?scroll=1m')).json._scroll_id),
    )
    const open = (await rest.call('GET /few/_stats/search')).json._all.total.search
    expect([open.open_contexts, open.scroll_current, open.scroll_total]).toEqual([
      2,
      2,
      before.scroll_total,
    ])
    const cleared = await rest.call(`DELETE /_search/scroll/${ids.join(',')}`)
    expect(cleared.json.num_freed).toBe(2)
    const after = (await rest.call('GET /few/_stats/search')).json._all.total.search
    expect([after.open_contexts, after.scroll_current, after.scroll_total]).toEqual([
      0,
      0,
      before.scroll_total + 2,
    ])
  })

  it('comes to all at once', async () => {
    await rest.call('GET /few/_search?scroll=1m')
    await rest.call('GET /few/_search?scroll=1m')
    const all = await rest.call('DELETE /_search/scroll/_all')
    expect([all.status, all.json.num_freed]).toEqual([200, 2])
    expect((await rest.call('DELETE /_search/scroll/_all')).status).toBe(404)
  })
})

describe('a scroll refuses', () => {
  it.each<[string, object, string]>([
    [
      'scroll=1m',
      { track_total_hits: 10 },
      'disabling [track_total_hits] is not allowed in a scroll context',
    ],
    [
      'scroll=1m&track_total_hits=false',
      {},
      'disabling [track_total_hits] is not allowed in a scroll context',
    ],
    ['scroll=1m', { from: 1 }, 'using [from] is not allowed in a scroll context'],
    ['scroll=1m', { size: 0 }, '[size] cannot be [0] in a scroll context'],
    ['scroll=1m&request_cache=true', {}, '[request_cache] cannot be used in a scroll context'],
    ['scroll=1m', { pit: { id: 'x' } }, 'using [point in time] is not allowed in a scroll context'],
    [
      'scroll=1m',
      { sort: ['_shard_doc'] },
      '_shard_doc cannot be used with scroll. Use PIT + search_after instead.',
    ],
  ])('%s with %j', async (query, body, fault) => {
    const { status, json } = await rest.call(`GET /_search?${query}`, body)
    expect([status, json.error.type, json.error.reason]).toEqual([
      400,
      'action_request_validation_exception',
      `Validation Failed: 1: ${fault};`,
    ])
  })

  it('all faults at once', async () => {
    const { json } = await rest.call('GET /_search?scroll=1m&request_cache', { size: 0, from: 2 })
    expect(json.error.reason).toBe(
      'Validation Failed: 1: using [from] is not allowed in a scroll context;' +
        '2: [size] cannot be [0] in a scroll context;' +
        '3: [request_cache] cannot be used in a scroll context;',
    )
  })

  it('the id of another node, with the number of a scroll that is open here as well', async () => {
    const other = await openRest()
    let made: Answered
    try {
      await other.call('PUT /few/_doc/1?refresh', {})
      made = await other.call('GET /few/_search?scroll=1m')
    } finally {
      await other.close()
    }
    const own = await rest.call('GET /few/_search?scroll=1m')
    const [foreign, mine] = [made, own].map(({ json }) => Buffer.from(json._scroll_id, 'base64url'))
    // The number stands behind the nine bytes of kind and session.
    const forged = Buffer.concat([foreign!.subarray(0, 9), mine!.subarray(9)]).toString('base64url')
    const id: string = made.json._scroll_id
    for (const [line, body] of [
      ['POST /_search/scroll', { scroll_id: id, scroll: '1m' }],
      ['POST /_search/scroll', { scroll_id: forged }],
      [`GET /_search/scroll?scroll_id=${id}`],
      [`POST /_search/scroll/${id}`],
    ] as const) {
      const { status, json } = await rest.call(line, body)
      expect(status).toBe(404)
      expect(json.error.root_cause).toEqual([
        {
          type: 'search_context_missing_exception',
          reason: expect.stringMatching(/^No search context found for id \[\d+\]$/),
        },
      ])
    }
    const cleared = await rest.call('DELETE /_search/scroll', { scroll_id: [id, forged] })
    expect([cleared.status, cleared.json]).toEqual([404, { succeeded: true, num_freed: 0 }])
    const kept = await rest.call('POST /_search/scroll', { scroll_id: own.json._scroll_id })
    expect(kept.status).toBe(200)
    await rest.call('DELETE /_search/scroll', { scroll_id: own.json._scroll_id })
  })

  it.each<[string, object | undefined, number, string, string]>([
    [
      'POST /_search/scroll',
      undefined,
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: scrollId is missing;',
    ],
    [
      'DELETE /_search/scroll',
      undefined,
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: no scroll ids specified;',
    ],
    [
      'POST /_search/scroll',
      { scroll_id: 'made up' },
      400,
      'illegal_argument_exception',
      'Cannot parse scroll id',
    ],
    [
      'DELETE /_search/scroll',
      { scroll_id: 'made up' },
      400,
      'illegal_argument_exception',
      'Cannot parse scroll id',
    ],
    [
      'POST /_search/scroll',
      [1],
      400,
      'illegal_argument_exception',
      'Malformed content, must start with an object',
    ],
    [
      'POST /_search/scroll',
      { scroll_id: 1 },
      400,
      'illegal_argument_exception',
      'Unknown parameter [scroll_id] in request body or parameter is of the wrong type[VALUE_NUMBER] ',
    ],
    [
      'POST /_search/scroll',
      { size: '1' },
      400,
      'illegal_argument_exception',
      'Unknown parameter [size] in request body or parameter is of the wrong type[VALUE_STRING] ',
    ],
    [
      'DELETE /_search/scroll',
      { scroll_id: [1] },
      400,
      'illegal_argument_exception',
      'scroll_id array element should only contain scroll_id',
    ],
    [
      'DELETE /_search/scroll',
      { scroll_id: 1 },
      400,
      'illegal_argument_exception',
      'scroll_id element should only contain scroll_id',
    ],
    [
      'DELETE /_search/scroll',
      { ids: 'a' },
      400,
      'illegal_argument_exception',
      'Unknown parameter [ids] in request body or parameter is of the wrong type[VALUE_STRING] ',
    ],
  ])('%s with %j', async (line, body, status, type, reason) => {
    const answer = await rest.call(line, body)
    expect([answer.status, answer.json.error.type, answer.json.error.reason]).toEqual([
      status,
      type,
      reason,
    ])
  })

  it.each<[string, object, string]>([
    [
      '1m',
      { size: 10_001 },
      'Batch size is too large, size must be less than or equal to: [10000] but was [10001]. Scroll batch sizes cost as much memory as result windows so they are controlled by the [index.max_result_window] index level setting.',
    ],
    [
      '25h',
      {},
      'Keep alive for request (1d) is too large. It must be less than (1d). This limit can be set by changing the [search.max_keep_alive] cluster level setting.',
    ],
    [
      '1m',
      { slice: { id: 0, max: 1025 } },
      'The number of slices [1025] is too large. It must be less than [1024]. This limit can be set by changing the [index.max_slices_per_scroll] index level setting.',
    ],
    ['1m', { slice: { id: 0, max: 2, field: 'none' } }, 'field none not found'],
    ['1m', { slice: { id: 0, max: 2, field: 't' } }, 'cannot load numeric doc values on t'],
  ])('in its shards a keep-alive of %s with %j', async (keepAlive, body, reason) => {
    const { status, json } = await rest.call(`GET /few/_search?scroll=${keepAlive}`, body)
    expect([status, json.error.type, json.error.root_cause]).toEqual([
      400,
      'search_phase_execution_exception',
      [{ type: 'illegal_argument_exception', reason }],
    ])
  })

  it.each<[string, string, string]>([
    ['{"field":"","id":0,"max":2}', 'field', 'field name is null or empty'],
    ['{"id":-1,"max":2}', 'id', 'id must be greater than or equal to 0'],
    ['{"id":0,"max":1}', 'max', 'max must be greater than 1'],
    ['{"id":2,"max":2}', 'max', 'max must be greater than id'],
    ['{"max":2,"id":2}', 'id', 'max must be greater than id'],
  ])('the slice %s', async (slice, key, reason) => {
    const { status, json } = await rest.call('GET /few/_search?scroll=1m', `{"slice":${slice}}`)
    expect([status, json.error.type, json.error.caused_by]).toEqual([
      400,
      'x_content_parse_exception',
      { type: 'illegal_argument_exception', reason },
    ])
    expect(json.error.reason).toMatch(
      new RegExp(`^\\[1:\\d+\\] \\[slice\\] failed to parse field \\[${key}\\]$`),
    )
  })

  it('a page whose keep-alive is too long, and goes on', async () => {
    const { json } = await rest.call('GET /few/_search?scroll=1m', { size: 3, sort: ['n'] })
    const body = { scroll_id: json._scroll_id }
    const long = await rest.call('POST /_search/scroll?scroll=30d', body)
    expect([long.status, long.json.error.root_cause[0].reason]).toEqual([
      400,
      'Keep alive for request (30d) is too large. It must be less than (1d). This limit can be set by changing the [search.max_keep_alive] cluster level setting.',
    ])
    expect(idsOf(await rest.call('POST /_search/scroll', body))).toEqual(['4', '5'])
    await rest.call('DELETE /_search/scroll', body)
  })

  it('more shards than may be held', async () => {
    const limit = (most: number | null): object => ({
      transient: { 'search.max_open_scroll_context': most },
    })
    await rest.call('PUT /_cluster/settings', limit(1))
    const { json } = await rest.call('GET /few/_search?scroll=1m')
    const second = await rest.call('GET /few/_search?scroll=1m')
    await rest.call('PUT /_cluster/settings', limit(null))
    await rest.call('DELETE /_search/scroll', { scroll_id: json._scroll_id })
    expect([second.status, second.json.error.root_cause]).toEqual([
      429,
      [
        {
          type: 'rejected_execution_exception',
          reason:
            'Trying to create too many scroll contexts. Must be less than or equal to: [1]. This limit can be set by changing the [search.max_open_scroll_context] setting.',
        },
      ],
    ])
  })
})
