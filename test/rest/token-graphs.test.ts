/** What queries make of texts whose tokens are a graph, over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

/** Makes an index of texts `t` with a filter `syn` at search time, or at both times. */
async function index(
  name: string,
  filter: object,
  texts: readonly string[],
  options: { readonly isAtIndex?: boolean; readonly type?: object } = {},
): Promise<void> {
  const made = await rest.call(`PUT /${name}`, {
    settings: {
      analysis: {
        filter: { syn: filter },
        analyzer: { syn: { tokenizer: 'whitespace', filter: ['syn'] } },
      },
    },
    mappings: {
      properties: {
        t: {
          type: 'text',
          analyzer: options.isAtIndex === true ? 'syn' : 'whitespace',
          search_analyzer: 'syn',
          ...options.type,
        },
      },
    },
  })
  expect(made.status).toBe(200)
  for (const [i, t] of texts.entries())
    expect((await rest.call(`PUT /${name}/_doc/${i}?refresh`, { t })).status).toBe(201)
}

/** The texts that a query finds, sorted. */
async function found(name: string, query: object): Promise<string[]> {
  const answer = await rest.call(`GET /${name}/_search`, { query, size: 100 })
  expect(answer.json.error).toBeUndefined()
  const hits: { readonly _source: { readonly t: string } }[] = answer.json.hits.hits
  return hits.map(hit => hit._source.t).sort()
}

const THREE = ['foo two three', 'bar two three', 'bar baz two three', 'bar baz', 'two three']

describe('a phrase over synonyms', () => {
  const rule = ['foo, bar baz']
  it('takes the flat filter’s words by position', async () => {
    await index('flat', { type: 'synonym', synonyms: rule }, THREE)
    const phrase = { match_phrase: { t: 'foo two three' } }
    // `baz` shares a position with `two`, and the phrase goes over both.
    expect(await found('flat', phrase)).toEqual(['bar two three', 'foo two three'])
  })

  it('takes each way through the graph', async () => {
    await index('graph', { type: 'synonym_graph', synonyms: rule }, THREE)
    const phrase = { match_phrase: { t: 'foo two three' } }
    expect(await found('graph', phrase)).toEqual(['bar baz two three', 'foo two three'])
    expect(await found('graph', { match_phrase: { t: 'foo' } })).toEqual([
      'bar baz',
      'bar baz two three',
      'foo two three',
    ])
  })

  it('keeps slop, each way by itself', async () => {
    const query = 'foo three'
    expect(await found('graph', { match_phrase: { t: query } })).toEqual([])
    expect(await found('graph', { match_phrase: { t: { query, slop: 1 } } })).toEqual([
      'bar baz two three',
      'foo two three',
    ])
  })

  it('finds only the one or the other where rules replace', async () => {
    await index('flat2', { type: 'synonym', synonyms: ['foo => bar baz'] }, THREE)
    await index('graph2', { type: 'synonym_graph', synonyms: ['foo => bar baz'] }, THREE)
    const phrase = { match_phrase: { t: 'foo two three' } }
    expect(await found('graph2', phrase)).toEqual(['bar baz two three'])
    expect(await found('flat2', phrase)).toEqual(['bar two three'])
  })

  it('scores a way as Lucene’s spans, and stacked words as phrases of several', async () => {
    const of = async (name: string): Promise<{ type: string; description: string }> => {
      const body = { query: { match_phrase: { t: 'foo two three' } }, profile: true }
      const answer = await rest.call(`GET /${name}/_search`, body)
      return answer.json.profile.shards[0].searches[0].query[0]
    }
    expect(await of('graph')).toMatchObject({
      type: 'SpanNearQuery',
      description:
        'spanNear([spanOr([spanNear([t:bar, t:baz], 0, true), t:foo]), t:two, t:three], 0, true)',
    })
    expect(await of('flat')).toMatchObject({
      type: 'MultiPhraseQuery',
      description: 't:"(foo bar) (two baz) three"',
    })
  })
})

describe('the example of short and long words', () => {
  // The rule is applied at index time; the phrase asks for the long words over the short one's text.
  const make = async (type: string): Promise<void> => {
    const filter = { type, synonyms: ['sla => service level agreement'] }
    await index(type, filter, ['sla is critical'], {
      isAtIndex: true,
      type: { search_analyzer: 'whitespace' },
    })
  }
  const query = { match_phrase: { t: 'service level agreement is critical' } }
  it.each([
    ['synonym_graph', 1],
    ['synonym', 0],
  ])('%s gives %d', async (type, total) => {
    await make(type)
    const { json } = await rest.call(`POST /${type}/_search`, { query })
    expect(json.hits.total).toEqual({ value: total, relation: 'eq' })
    // The bare expansion matches under both.
    expect(await found(type, { match_phrase: { t: 'service level agreement' } })).toHaveLength(1)
  })
})

describe('match over a graph', () => {
  const texts = ['new york pizza', 'york new pizza', 'ny pizza', 'new pizza', 'ny', 'pizza']
  beforeAll(() => index('city', { type: 'synonym_graph', synonyms: ['ny, new york'] }, texts))

  it('takes synonyms of several words as phrases', async () => {
    const query = { match: { t: { query: 'ny pizza', operator: 'and' } } }
    expect(await found('city', query)).toEqual(['new york pizza', 'ny pizza'])
  })

  it('or as all of their words', async () => {
    const options = { operator: 'and', auto_generate_synonyms_phrase_query: false }
    const query = { match: { t: { query: 'ny pizza', ...options } } }
    expect(await found('city', query)).toEqual(['new york pizza', 'ny pizza', 'york new pizza'])
  })

  it('counts places of the graph for a minimum', async () => {
    const query = { match: { t: { query: 'ny pizza', minimum_should_match: 2 } } }
    expect(await found('city', query)).toEqual(['new york pizza', 'ny pizza'])
    const all = { match: { t: { query: 'ny pizza', minimum_should_match: '3' } } }
    expect(await found('city', all)).toEqual([])
  })

  it('shows its clauses', async () => {
    const body = { query: { match: { t: 'ny pizza' } }, profile: true }
    const answer = await rest.call('GET /city/_search', body)
    const [node] = answer.json.profile.shards[0].searches[0].query
    expect(node).toMatchObject({ type: 'BooleanQuery', description: 't:"new york" t:ny t:pizza' })
  })

  it('takes words at one position as one', async () => {
    await index('stack', { type: 'synonym', synonyms: ['fast, quick'] }, [
      'fast car',
      'quick car',
      'car',
      'quick fast',
    ])
    expect(await found('stack', { match: { t: 'fast' } })).toEqual([
      'fast car',
      'quick car',
      'quick fast',
    ])
    const both = { match: { t: { query: 'fast car', operator: 'and' } } }
    expect(await found('stack', both)).toEqual(['fast car', 'quick car'])
    const answer = await rest.call('GET /stack/_search', {
      query: { match: { t: 'fast' } },
      profile: true,
    })
    const [node] = answer.json.profile.shards[0].searches[0].query
    expect(node).toMatchObject({ type: 'SynonymQuery', description: 'Synonym(t:fast t:quick)' })
    const scores: { readonly _score: number }[] = answer.json.hits.hits
    // Two of a kind in a text count as one word that occurs twice.
    expect(scores[0]?._score).toBeGreaterThan(scores[1]?._score ?? 0)
    expect(scores[1]?._score).toBe(scores[2]?._score)
  })
})

describe('the last word of a graph as a prefix', () => {
  const texts = ['big apple pie', 'ny piece', 'ny cake', 'apple big pie', 'nyx', 'ny apples']
  beforeAll(() => index('pre', { type: 'synonym_graph', synonyms: ['ny, big apple'] }, texts))

  it('match_phrase_prefix goes on behind every way', async () => {
    expect(await found('pre', { match_phrase_prefix: { t: 'ny pi' } })).toEqual([
      'big apple pie',
      'ny piece',
    ])
  })

  it('match_phrase_prefix opens the end of every way', async () => {
    expect(await found('pre', { match_phrase_prefix: { t: 'ny' } })).toEqual([
      'big apple pie',
      'ny apples',
      'ny cake',
      'ny piece',
      'nyx',
    ])
  })

  it('max_expansions bounds them, in the order of terms', async () => {
    const query = { match_phrase_prefix: { t: { query: 'ny pi', max_expansions: 1 } } }
    expect(await found('pre', query)).toEqual(['big apple pie'])
  })

  it('match_bool_prefix takes the other places as words', async () => {
    const and = { match_bool_prefix: { t: { query: 'ny pi', operator: 'and' } } }
    expect(await found('pre', and)).toEqual(['big apple pie', 'ny piece'])
    expect(await found('pre', { match_bool_prefix: { t: 'ny' } })).toEqual([
      'big apple pie',
      'ny apples',
      'ny cake',
      'ny piece',
      'nyx',
    ])
  })

  it.each([
    ['phrase', 'ny cake', ['ny cake']],
    ['phrase_prefix', 'ny pi', ['big apple pie', 'ny piece']],
    ['best_fields', 'ny', ['big apple pie', 'ny apples', 'ny cake', 'ny piece']],
    ['most_fields', 'ny', ['big apple pie', 'ny apples', 'ny cake', 'ny piece']],
    ['bool_prefix', 'ca', ['ny cake']],
  ])('multi_match of type %s', async (type, text, expected) => {
    expect(await found('pre', { multi_match: { query: text, type, fields: ['t', 'no'] } })).toEqual(
      expected,
    )
  })
})

describe('search_quote_analyzer', () => {
  it('analyses phrases alone', async () => {
    const made = await rest.call('PUT /quoted', {
      settings: {
        analysis: {
          filter: { syn: { type: 'synonym_graph', synonyms: ['ny, new york'] } },
          analyzer: { syn: { tokenizer: 'whitespace', filter: ['syn'] } },
        },
      },
      mappings: {
        properties: {
          t: {
            type: 'text',
            analyzer: 'whitespace',
            search_analyzer: 'syn',
            search_quote_analyzer: 'whitespace',
          },
        },
      },
    })
    expect(made.status).toBe(200)
    for (const [i, t] of ['ny', 'new york'].entries())
      await rest.call(`PUT /quoted/_doc/${i}?refresh`, { t })
    expect(await found('quoted', { match: { t: 'ny' } })).toEqual(['new york', 'ny'])
    for (const query of [
      { match_phrase: { t: 'ny' } },
      { match_phrase_prefix: { t: 'ny' } },
      { multi_match: { query: 'ny', type: 'phrase', fields: ['t'] } },
    ])
      expect(await found('quoted', query)).toEqual(['ny'])
    expect(
      await found('quoted', { match_phrase: { t: { query: 'ny', analyzer: 'syn' } } }),
    ).toEqual(['new york', 'ny'])
  })
})

describe('filters whose tokens overlap make no graph', () => {
  it('shingles of several sizes are words', async () => {
    await index('shingles', { type: 'shingle', max_shingle_size: 3 }, ['a b c', 'b c', 'c'], {
      isAtIndex: true,
    })
    const all = { match: { t: { query: 'b c', operator: 'and' } } }
    expect(await found('shingles', all)).toEqual(['a b c', 'b c'])
  })
})

describe('hostile graphs', () => {
  it('a graph of very many ways is refused', async () => {
    const synonyms = Array.from({ length: 12 }, (_, i) => `w${i} w${i + 1}, x${i} y${i} z${i}`)
    const many = ['a => b c, d, e f, g', 'h => i j, k, l m, n']
    await index('ways', { type: 'synonym_graph', synonyms: [...synonyms, ...many] }, ['b c'])
    const query = Array.from({ length: 30 }, () => 'a').join(' ')
    const answer = await rest.call('GET /ways/_search', {
      query: { match_phrase: { t: { query, slop: 2 } } },
    })
    expect(answer.status).toBe(400)
    expect(answer.json.error.root_cause[0].reason).toContain('maxClauseCount is set to 1024')
    // Segment by segment there are few.
    expect(
      (await rest.call('GET /ways/_search', { query: { match_phrase: { t: query } } })).status,
    ).toBe(200)
  })
})
