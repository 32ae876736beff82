import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../src/util/random.ts'
import { type Answered, ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

const COUNT = 300

beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /many', {
    settings: { 'index.number_of_shards': 4 },
    mappings: { properties: { n: { type: 'integer' }, t: { type: 'text' } } },
    aliases: { even: { filter: { term: { n: 2 } } } },
  })
  for (let from = 0; from < COUNT; from += 100) {
    const lines = Array.from({ length: 100 }, (_, i) => [
      { index: { _id: `${from + i}` } },
      { n: (from + i) % 7, t: 'sea' },
    ])
    await rest.call('POST /many/_bulk?refresh', ndjson(...lines.flat()))
  }
})

afterAll(() => rest.close())

type Hit = { _id: string; sort: unknown[] }

const idsOf = ({ json }: Answered): string[] => json.hits.hits.map((hit: Hit) => hit._id)

async function open(index = 'many', more = ''): Promise<string> {
  const { json } = await rest.call(`POST /${index}/_search/point_in_time?keep_alive=1m${more}`)
  return json.pit_id
}

function search(id: string, body: object = {}): Promise<Answered> {
  return rest.call('GET /_search', { pit: { id }, ...body })
}

const remove = (...ids: string[]): Promise<Answered> =>
  rest.call('DELETE /_search/point_in_time', { pit_id: ids })

/** All hits by `search_after`. */
async function pages(id: string, body: { size: number }): Promise<Hit[]> {
  const found: Hit[] = []
  for (let after: unknown; ; after = found.at(-1)!.sort) {
    const { json, status } = await search(id, {
      ...body,
      ...(after !== undefined && { search_after: after }),
    })
    expect(status).toBe(200)
    found.push(...json.hits.hits)
    if (json.hits.hits.length < body.size) return found
  }
}

describe('a point in time', () => {
  it('is made, listed, searched and deleted', async () => {
    const made = await rest.call('POST /many/_search/point_in_time?keep_alive=2m')
    expect(made.json).toEqual({
      pit_id: expect.any(String),
      _shards: { total: 4, successful: 4, skipped: 0, failed: 0 },
      creation_time: expect.any(Number),
    })
    const { pit_id: id, creation_time: at } = made.json
    const found = await search(id, { size: 1, sort: ['n'] })
    expect(Object.keys(found.json).slice(0, 2)).toEqual(['pit_id', 'took'])
    expect([found.json.pit_id, found.json._shards.total]).toEqual([id, 4])
    const listed = await rest.call('GET /_search/point_in_time/_all')
    expect(listed.json).toEqual({ pits: [{ pit_id: id, creation_time: at, keep_alive: 120_000 }] })
    const deleted = await remove(id)
    expect([deleted.status, deleted.json]).toEqual([
      200,
      { pits: [{ successful: true, pit_id: id }] },
    ])
    expect((await remove(id)).json).toEqual(deleted.json)
    const { status, json } = await search(id)
    expect([status, json.error.root_cause[0].type]).toEqual([
      404,
      'search_context_missing_exception',
    ])
  })

  it('is prolonged by a search, and never shortened', async () => {
    const id = await open()
    for (const [asked, kept] of [
      ['5m', 300_000],
      ['1s', 300_000],
    ]) {
      await rest.call('GET /_search', { pit: { id, keep_alive: asked } })
      const { json } = await rest.call('GET /_search/point_in_time/_all')
      expect(json.pits[0].keep_alive).toBe(kept)
    }
    await remove(id)
  })

  it('sees what there was when it was made, through writes and merges', async () => {
    await rest.call('PUT /moving/_doc/1?refresh', { n: 1 })
    const id = await open('moving')
    await rest.call('PUT /moving/_doc/2?refresh', { n: 2 })
    await rest.call('PUT /moving/_doc/1?refresh', { n: 3 })
    await rest.call('POST /moving/_forcemerge?max_num_segments=1')
    const { json } = await search(id)
    expect(json.hits.hits).toMatchObject([{ _id: '1', _source: { n: 1 } }])
    await rest.call('DELETE /moving')
    expect((await search(id)).status).toBe(404)
  })

  it('keeps the filter of its alias, its routing and its preference', async () => {
    const even = await search(await open('even'), { track_total_hits: true })
    expect(even.json.hits.total.value).toBe(Math.floor((COUNT + 4) / 7))
    const routed = await search(await open('many', '&routing=a'))
    expect(routed.json._shards.total).toBe(1)
    const preferred = await search(await open('many', '&preference=_shards:0,3'))
    expect(preferred.json._shards.total).toBe(2)
    const { json } = await rest.call('DELETE /_search/point_in_time/_all')
    expect(json.pits).toHaveLength(3)
    expect((await rest.call('DELETE /_search/point_in_time/_all')).json).toEqual({ pits: [] })
  })

  it('counts in the statistics of its shards', async () => {
    const id = await open()
    const now = (await rest.call('GET /many/_stats/search')).json._all.total.search
    expect([now.open_contexts, now.point_in_time_current]).toEqual([4, 4])
    await remove(id)
    const after = (await rest.call('GET /many/_stats/search')).json._all.total.search
    expect([after.open_contexts, after.point_in_time_current]).toEqual([0, 0])
    expect(after.point_in_time_total).toBe(now.point_in_time_total + 4)
  })
})

describe('_shard_doc', () => {
  it('gives every hit a position of its own, ascending over shards and documents', async () => {
    const id = await open()
    const whole = await search(id, { size: 1000, sort: ['_shard_doc'] })
    const values: number[] = whole.json.hits.hits.map((hit: Hit) => hit.sort[0] as number)
    expect(values).toEqual([...new Set(values)].sort((a, b) => a - b))
    expect(new Set(values.map(value => Math.floor(value / 2 ** 32)))).toEqual(new Set([0, 1, 2, 3]))
    const down = await search(id, { size: 1000, sort: [{ _shard_doc: 'desc' }] })
    expect(idsOf(down)).toEqual(idsOf(whole).reverse())
    await remove(id)
  })

  it('tells equal hits apart from page to page, whether they are counted or not', async () => {
    const random = new Random(0x917)
    const id = await open()
    const sorts = [
      ['_shard_doc'],
      ['n', '_shard_doc'],
      [{ _shard_doc: 'desc' }],
      [{ n: 'desc' }, '_shard_doc'],
    ]
    for (const sort of sorts)
      for (const total of [true, false, 10]) {
        const body = {
          query: { match: { t: 'sea' } },
          sort,
          track_total_hits: total,
          _source: false,
        }
        const whole = await search(id, { ...body, size: 1000 })
        const size = 1 + random.below(90)
        expect(await pages(id, { ...body, size })).toEqual(whole.json.hits.hits)
        const after = whole.json.hits.hits[100].sort
        const later = await search(id, { ...body, size: 5, search_after: after })
        expect(later.json.hits.total?.value).toBe(whole.json.hits.total?.value)
      }
    await remove(id)
  })

  it('goes through the slices of a point in time alike', async () => {
    const id = await open()
    const max = 9
    const parts = await Promise.all(
      Array.from({ length: max }, (_, ord) =>
        pages(id, { size: 17, sort: ['_shard_doc'], slice: { id: ord, max } } as { size: number }),
      ),
    )
    const ids = parts.flat().map(hit => Number(hit._id))
    expect(ids.sort((a, b) => a - b)).toEqual(Array.from({ length: COUNT }, (_, n) => n))
    expect(parts.every(part => part.length > 0)).toBe(true)
    await remove(id)
  })
})

describe('a point in time refuses', () => {
  it.each<[string, object | undefined, number, string, string]>([
    [
      'POST /many/_search/point_in_time',
      undefined,
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: keep alive not specified;',
    ],
    [
      'POST /gone/_search/point_in_time?keep_alive=1m',
      undefined,
      404,
      'index_not_found_exception',
      'no such index [gone]',
    ],
    [
      'POST /many/_search/point_in_time?keep_alive=2d',
      undefined,
      400,
      'illegal_argument_exception',
      'Keep alive for request (2d) is too large. It must be less than (1d). This limit can be set by changing the [point_in_time.max_keep_alive] cluster level setting.',
    ],
    [
      'DELETE /_search/point_in_time',
      undefined,
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: no pit ids specified;',
    ],
    [
      'DELETE /_search/point_in_time',
      { pit_id: ['x'] },
      400,
      'illegal_argument_exception',
      'invalid id: [x]',
    ],
    [
      'DELETE /_search/point_in_time',
      { pit_id: [1] },
      400,
      'illegal_argument_exception',
      'pit_id array element should only contain pit identifier',
    ],
    [
      'DELETE /_search/point_in_time',
      { pit_id: 1 },
      400,
      'illegal_argument_exception',
      'pit_id element should only contain pit identifier',
    ],
    [
      'DELETE /_search/point_in_time',
      { id: 'x' },
      400,
      'illegal_argument_exception',
      'Unknown parameter [id] in request body or parameter is of the wrong type[VALUE_STRING] ',
    ],
    ['GET /_search', { pit: { id: 'x' } }, 400, 'illegal_argument_exception', 'invalid id: [x]'],
    [
      'GET /_search',
      { pit: {} },
      400,
      'illegal_argument_exception',
      'point int time id is not provided',
    ],
    [
      'GET /_search',
      { pit: { idd: 'x' } },
      400,
      'x_content_parse_exception',
      '[1:9] [pit] unknown field [idd] did you mean [id]?',
    ],
    [
      'GET /_search',
      { pit: { id: 'x', keep_alive: 'soon' } },
      400,
      'x_content_parse_exception',
      '[1:31] [pit] failed to parse field [keep_alive]',
    ],
    [
      'GET /many/_search',
      { sort: ['_shard_doc'] },
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: _shard_doc is only supported with point-in-time (PIT). Add a PIT or remove _shard_doc.;',
    ],
    [
      'GET /_search',
      { pit: { id: 'x' }, sort: ['_shard_doc', { _shard_doc: 'desc' }] },
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: duplicate _shard_doc sort detected. Specify it at most once.;',
    ],
    [
      'GET /many/_search?routing=a&preference=b&ignore_unavailable',
      { pit: { id: 'x' } },
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: [routing] cannot be used with point in time;2: [preference] cannot be used with point in time;3: [indices] cannot be used with point in time;4: [indicesOptions] cannot be used with point in time;',
    ],
  ])('%s with %j', async (line, body, status, type, reason) => {
    const answer = await rest.call(line, body)
    expect([answer.status, answer.json.error.type, answer.json.error.reason]).toEqual([
      status,
      type,
      reason,
    ])
  })

  it('the id of a scroll, and one of another node', async () => {
    const { json } = await rest.call('GET /many/_search?scroll=1m')
    expect((await search(json._scroll_id)).status).toBe(400)
    await rest.call('DELETE /_search/scroll', { scroll_id: json._scroll_id })
    const other = await openRest()
    await other.call('PUT /many/_doc/1?refresh', {})
    const made = await other.call('POST /many/_search/point_in_time?keep_alive=1m')
    await other.close()
    expect((await search(made.json.pit_id)).status).toBe(404)
    const { json: deleted } = await remove(made.json.pit_id)
    expect(deleted.pits[0].successful).toBe(true)
  })

  it('more slices than the index allows, and more shards than may be held', async () => {
    const id = await open()
    const sliced = await search(id, { slice: { id: 0, max: 1025 } })
    expect([sliced.status, sliced.json.error.root_cause[0]]).toMatchObject([
      429,
      {
        type: 'rejected_execution_exception',
        reason:
          'The number of slices [1025] is too large. It must be less than [1024]. This limit can be set by changing the [index.max_slices_per_pit] index level setting.',
      },
    ])
    const limit = (most: number | null): object => ({
      transient: { 'search.max_open_pit_context': most },
    })
    await rest.call('PUT /_cluster/settings', limit(7))
    const more = await rest.call('POST /many/_search/point_in_time?keep_alive=1m')
    await rest.call('PUT /_cluster/settings', limit(null))
    expect([more.status, more.json.error]).toMatchObject([
      429,
      {
        type: 'rejected_execution_exception',
        reason:
          'Trying to create too many Point In Time contexts. Must be less than or equal to: [7]. This limit can be set by changing the [search.max_open_pit_context] setting.',
      },
    ])
    await remove(id)
  })
})
