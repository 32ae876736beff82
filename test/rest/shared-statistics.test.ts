import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../src/util/random.ts'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

const SEED = 909
const WORDS = ['sea', 'ship', 'sail', 'wind', 'gull', 'rope', 'oar', 'reef']
const SHARDS = { one: 1, many: 5 }

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
  const random = new Random(SEED)
  const text = (): string =>
    Array.from({ length: 1 + random.below(9) }, () => WORDS[random.below(WORDS.length)]).join(' ')
  const sources = Array.from({ length: 300 }, () => ({ t: text(), u: text(), k: text() }))
  for (const [name, shards] of Object.entries(SHARDS)) {
    await rest.call(`PUT /${name}`, {
      settings: { number_of_shards: shards },
      mappings: {
        properties: { t: { type: 'text' }, u: { type: 'text' }, k: { type: 'keyword' } },
      },
    })
    const lines = sources.flatMap((source, i) => [{ index: { _id: String(i) } }, source])
    await rest.call(`POST /${name}/_bulk?refresh`, ndjson(...lines))
  }
})
afterAll(() => rest.close())

interface Hit {
  readonly _id: string
  readonly _score: number
  readonly _explanation?: { readonly value: number }
}

const scoresOf = async (
  index: string,
  type: string,
  body: object,
): Promise<{ readonly scores: ReadonlyMap<string, number>; readonly hits: readonly Hit[] }> => {
  const path = `POST /${index}/_search?size=300&search_type=${type}`
  const { status, json, text } = await rest.call(path, body)
  expect(status, text).toBe(200)
  const hits: readonly Hit[] = json.hits.hits
  return { scores: new Map(hits.map(hit => [hit._id, hit._score])), hits }
}

const match = (field: string, query: string): object => ({ match: { [field]: query } })
const QUERIES: readonly object[] = [
  match('t', 'sea'),
  match('t', 'sea wind reef'),
  { match_phrase: { t: 'sea ship' } },
  { match_phrase: { t: { query: 'ship sail', slop: 2 } } },
  { bool: { must: match('t', 'gull'), should: match('u', 'rope sea'), filter: match('u', 'oar') } },
  { dis_max: { queries: [match('t', 'sail'), match('u', 'sail')], tie_breaker: 0.3 } },
  { multi_match: { query: 'sea oar', fields: ['t', 'u^2'], type: 'most_fields' } },
  { combined_fields: { query: 'sea oar', fields: ['t', 'u^2'] } },
  { span_near: { clauses: [{ span_term: { t: 'sea' } }, { span_term: { t: 'oar' } }], slop: 3 } },
  { function_score: { query: match('t', 'wind'), weight: 2 } },
  { boosting: { positive: match('t', 'sea'), negative: match('u', 'sea'), negative_boost: 0.2 } },
]

describe('dfs_query_then_fetch', () => {
  it.each(QUERIES.map(query => [JSON.stringify(query), query] as const))(
    'scores as one shard would: %s',
    async (_title, query) => {
      const one = await scoresOf('one', 'query_then_fetch', { query })
      expect(one.scores.size).toBeGreaterThan(3)
      const many = await scoresOf('many', 'dfs_query_then_fetch', { query, explain: true })
      expect(many.scores).toEqual(one.scores)
      for (const { _score, _explanation } of many.hits) expect(_explanation?.value).toBe(_score)
      const profiled = await scoresOf('many', 'dfs_query_then_fetch', { query, profile: true })
      expect(profiled.scores).toEqual(one.scores)
    },
  )

  it('keeps blended terms apart from the same terms by themselves', async () => {
    const cross = { multi_match: { query: 'sea oar', fields: ['t', 'u'], type: 'cross_fields' } }
    const query = { bool: { should: [cross, match('t', 'sea oar')] } }
    const apart = { bool: { should: [match('t', 'sea oar'), cross] } }
    for (const type of ['query_then_fetch', 'dfs_query_then_fetch']) {
      const { scores } = await scoresOf('one', type, { query })
      expect((await scoresOf('one', type, { query: apart })).scores).toEqual(scores)
    }
  })

  it('is not what searches do unless asked', async () => {
    const query = match('t', 'sea wind reef')
    const one = await scoresOf('one', 'query_then_fetch', { query })
    const many = await scoresOf('many', 'query_then_fetch', { query })
    expect(many.scores).not.toEqual(one.scores)
  })

  it('holds for rescorings, names and every page of a scroll', async () => {
    const body = {
      query: { match: { t: { query: 'sea wind', _name: 'n' } } },
      rescore: { window_size: 300, query: { rescore_query: match('u', 'oar gull') } },
    }
    const one = await scoresOf('one', 'query_then_fetch', body)
    const many = await scoresOf('many', 'dfs_query_then_fetch', body)
    expect(many.scores).toEqual(one.scores)
    const plain = await scoresOf('one', 'query_then_fetch', { query: body.query })
    const found = new Map<string, number>()
    const type = 'search_type=dfs_query_then_fetch'
    let { json } = await rest.call(`POST /many/_search?scroll=1m&size=7&${type}`, {
      query: body.query,
    })
    while (json.hits.hits.length > 0) {
      for (const hit of json.hits.hits as Hit[]) found.set(hit._id, hit._score)
      json = (await rest.call('POST /_search/scroll', { scroll_id: json._scroll_id, scroll: '1m' }))
        .json
    }
    expect(found).toEqual(plain.scores)
  })

  it('is a type of searches of `_msearch`, and no other type is', async () => {
    const query = match('t', 'sea wind reef')
    const body = ndjson({ search_type: 'dfs_query_then_fetch' }, { query, size: 300 })
    const { json } = await rest.call('POST /many/_msearch', body)
    const one = await scoresOf('one', 'query_then_fetch', { query })
    const hits: readonly Hit[] = json.responses[0].hits.hits
    expect(new Map(hits.map(hit => [hit._id, hit._score]))).toEqual(one.scores)
    const refused = await rest.call('POST /many/_search?search_type=query_and_fetch')
    expect([refused.status, refused.json.error.reason]).toEqual([
      400,
      'Unsupported search type [query_and_fetch]',
    ])
  })
})

describe('phase_took', () => {
  const PHASES = ['dfs_pre_query', 'query', 'fetch', 'dfs_query', 'expand', 'can_match']

  it('tells how long the phases took, when it is asked for or the cluster says so', async () => {
    const asked = await rest.call('POST /many/_search?phase_took=true')
    expect(Object.keys(asked.json).slice(0, 3)).toEqual(['took', 'phase_took', 'timed_out'])
    expect(Object.keys(asked.json.phase_took)).toEqual(PHASES)
    for (const took of Object.values(asked.json.phase_took)) expect(took).toBeGreaterThanOrEqual(0)
    expect((await rest.call('POST /many/_search')).json.phase_took).toBeUndefined()
    const set = (value: boolean | null): Promise<unknown> =>
      rest.call('PUT /_cluster/settings', { persistent: { 'search.phase_took_enabled': value } })
    await set(true)
    expect((await rest.call('POST /many/_search')).json.phase_took).toBeDefined()
    const no = await rest.call('POST /many/_search?phase_took=false')
    expect(no.json.phase_took).toBeUndefined()
    await set(null)
  })
})

describe('ext', () => {
  it('is read by plugins, of which there are none', async () => {
    expect((await rest.call('POST /one/_search', { ext: {} })).status).toBe(200)
    const { status, json } = await rest.call('POST /one/_search', { ext: { some: { a: 1 } } })
    expect([status, json.error.type, json.error.reason]).toEqual([
      400,
      'x_content_parse_exception',
      'unknown named object category [org.opensearch.search.SearchExtBuilder]',
    ])
    const text = await rest.call('POST /one/_search', { ext: 'some' })
    expect(text.json.error.reason).toBe('Unknown key for a VALUE_STRING in [ext].')
  })
})

describe('rest.action.multi.allow_explicit_index', () => {
  it('keeps items to the index of the URL', async () => {
    const kept = await openRest({ 'rest.action.multi.allow_explicit_index': 'false' })
    try {
      const reasonOf = async (line: string, body: object | string | Uint8Array) => {
        const { status, json } = await kept.call(line, body)
        return [status, json.error?.type, json.error?.reason]
      }
      const refused = (what: string): unknown[] => [
        400,
        'illegal_argument_exception',
        `explicit index in ${what} is not allowed`,
      ]
      const own = ndjson({ index: { _index: 'b', _id: '1' } }, {})
      expect(await reasonOf('POST /a/_bulk', own)).toEqual(refused('bulk'))
      const typed = ndjson({ index: { _index: 'b', _id: '1', routing: 'r' } }, {})
      expect(await reasonOf('POST /a/_bulk', typed)).toEqual(refused('bulk'))
      expect((await kept.call('POST /a/_bulk', ndjson({ index: { _id: '1' } }, {}))).status).toBe(
        200,
      )
      const docs = { docs: [{ _index: 'a', _id: '1' }] }
      expect(await reasonOf('POST /_mget', docs)).toEqual(refused('multi get'))
      expect((await kept.call('POST /a/_mget', { ids: ['1'] })).status).toBe(200)
      const searches = ndjson({ index: 'a' }, {})
      expect(await reasonOf('POST /_msearch', searches)).toEqual(refused('multi search'))
      expect((await kept.call('POST /a/_msearch', ndjson({}, {}))).status).toBe(200)
    } finally {
      await kept.close()
    }
  })
})
