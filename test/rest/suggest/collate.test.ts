import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

beforeAll(async () => {
  rest = await openRest()
  const mappings = {
    properties: {
      t: { type: 'text' },
      shelf: { type: 'keyword' },
      j: { type: 'join', relations: { p: 'c' } },
    },
  }
  const settings = { number_of_shards: 1 }
  await ok('PUT /i', { settings, mappings })
  await ok('PUT /two', { settings, mappings })
  const texts = ['noble prize', 'nobel prize', 'nobel surprise', 'noble price', 'the prize']
  const lines = texts.flatMap((t, i) => [{ index: { _id: `${i}` } }, { t, shelf: `s${i}`, j: 'p' }])
  await ok('POST /i/_bulk?refresh', ndjson(...lines))
  const child = { t: 'x', j: { name: 'c', parent: '1' } }
  await ok('PUT /i/_doc/c?routing=1&refresh', child)
  const others = ['noble prize', 'nobel price'].flatMap(t => [{ index: {} }, { t }])
  await ok('POST /two/_bulk?refresh', ndjson(...others))
})
afterAll(() => rest.close())

const PHRASE = {
  field: 't',
  confidence: 0,
  max_errors: 2,
  direct_generator: [{ field: 't', suggest_mode: 'always', min_word_length: 1 }],
}

interface Option {
  readonly text: string
  readonly score: number
  readonly collate_match?: boolean
}

async function options(collate: object | null, path = 'i', more: object = {}): Promise<Option[]> {
  const phrase = { ...PHRASE, ...(collate === null ? {} : { collate }) }
  const json = await ok(`POST /${path}/_search`, {
    suggest: { s: { text: 'nobel prise', phrase } },
    ...more,
  })
  expect(json._shards.failures).toBeUndefined()
  return json.suggest.s[0].options
}

const texts = (found: readonly Option[]): string[] => found.map(({ text }) => text)
const phrases = '{"match_phrase":{"{{field}}":"{{suggestion}}"}}'

describe('collate', () => {
  it('leaves the phrases that a document matches', async () => {
    const all = texts(await options(null))
    expect(all).toEqual(['nobel prize', 'nobel price', 'nobel prise'])
    const collate = { query: { source: phrases }, params: { field: 't' } }
    const kept = await options(collate)
    expect(texts(kept)).toEqual(['nobel prize'])
    expect(kept.every(option => !('collate_match' in option))).toBe(true)
    // The same beside a search.
    expect(await options(collate, 'i', { query: { match_all: {} } })).toEqual(kept)
  })

  it('says with prune which of them a document matches', async () => {
    const found = await options({
      query: { source: phrases, lang: 'mustache' },
      params: { field: 't' },
      prune: true,
    })
    expect(texts(found)).toEqual(texts(await options(null)))
    expect(found.map(option => option.collate_match)).toEqual([true, false, false])
  })

  it('takes a template as an object, or one that is stored', async () => {
    const query = { match_phrase: { t: '{{suggestion}}' } }
    const expected = texts(await options({ query: { source: phrases }, params: { field: 't' } }))
    expect(texts(await options({ query: { source: query } }))).toEqual(expected)
    const script = { lang: 'mustache', source: query }
    await ok('PUT /_scripts/phrases', { script })
    expect(texts(await options({ query: { id: 'phrases' } }))).toEqual(expected)
  })

  it('runs the joins of a query', async () => {
    const child = { has_child: { type: 'c', query: { match_all: {} } } }
    const must = [{ match_phrase: { t: '{{suggestion}}' } }, child]
    expect(texts(await options({ query: { source: { bool: { must } } } }))).toEqual(['nobel prize'])
  })

  it('asks each shard, of which one is enough', async () => {
    const query = { source: phrases }
    const found = await options({ query, params: { field: 't' }, prune: 'true' }, 'i,two')
    const says = new Map(found.map(({ text, collate_match: match }) => [text, match]))
    expect(says.get('nobel prize')).toBe(true)
    expect(says.get('nobel price')).toBe(true)
    expect(says.get('nobel prise')).toBe(false)
  })

  it('without a query keeps all', async () => {
    expect(texts(await options({ prune: false }))).toEqual(texts(await options(null)))
  })

  it.each<[string, object, string, string]>([
    ['no JSON', { source: '{' }, 'json_e_o_f_exception', 'Unexpected end-of-input'],
    ['no query', { source: '{"nope":{}}' }, 'parsing_exception', 'unknown query [nope]'],
    ['no template', { id: 'gone' }, 'resource_not_found_exception', 'gone'],
    [
      'lookups',
      { source: '{"terms":{"t":{"index":"i","id":"1","path":"shelf"}}}' },
      'illegal_argument_exception',
      'query must be rewritten first',
    ],
  ])('fails where the template makes %s', async (_, query, type, reason) => {
    const suggest = { s: { text: 'nobel prise', phrase: { ...PHRASE, collate: { query } } } }
    const { status, json } = await rest.call('POST /i/_search', { suggest })
    expect(status, JSON.stringify(json)).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    const [cause] = json.error.root_cause
    expect([cause.type, cause.reason]).toEqual([type, expect.stringContaining(reason)])
  })
})
