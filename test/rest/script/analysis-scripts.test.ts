import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { okOf, openRest, type Rest } from '../../support/rest-calls.ts'
import { tempFolder } from '../../support/temp-folder.ts'

let rest: Rest
const ok = okOf(() => rest)

beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const CONDITION = {
  type: 'condition',
  filter: ['lowercase'],
  script: { source: 'token.term.length() > 5' },
}

async function terms(filter: object[], text: string | string[]): Promise<string[]> {
  const { tokens } = await ok('POST /_analyze', { tokenizer: 'whitespace', filter, text })
  return tokens.map((each: { token: string; position: number }) => `${each.token}@${each.position}`)
}

async function reasonOf(filter: object): Promise<[number, string, string]> {
  const body = { tokenizer: 'whitespace', filter: [filter], text: 'a' }
  const { status, json } = await rest.call('POST /_analyze', body)
  return [status, json.error.type, json.error.reason]
}

describe('condition', () => {
  it('sends the tokens that its script holds for through its filters', async () => {
    expect(await terms([CONDITION], 'Vorsprung Durch Technik')).toEqual([
      'vorsprung@0',
      'Durch@1',
      'technik@2',
    ])
  })

  it('leaves a hole where its filters take a token out', async () => {
    const stop = { ...CONDITION, filter: ['lowercase', 'stop'], script: 'x' }
    const script = { source: 'token.position != 1' }
    expect(await terms([{ ...stop, script }], 'The The The Fox')).toEqual(['The@1', 'fox@3'])
  })

  it('counts positions anew in each text', async () => {
    const upper = {
      type: 'condition',
      filter: ['uppercase'],
      script: { source: 'token.position == 0' },
    }
    expect(await terms([upper], ['a b', 'c d'])).toEqual(['A@0', 'b@1', 'C@102', 'd@103'])
  })

  it.each([
    ['token.positionIncrement == 2', 'B'],
    ['token.startOffset == 6', 'B'],
    ['token.endOffset == 1', 'A'],
    ['token.positionLength == 1', 'AB'],
    ["token.type == 'word'", 'AB'],
    ['token.keyword', 'A'],
    ['token.isKeyword() && token.getTerm().toString() == "a"', 'A'],
    ['token.getPosition() == 2', 'B'],
  ])('reads %s', async (source, changed) => {
    const keyword = { type: 'keyword_marker', keywords: ['a'] }
    const stop = { type: 'stop', stopwords: ['the'] }
    const filter = [keyword, stop, { type: 'condition', filter: ['uppercase'], script: { source } }]
    const { tokens } = await ok('POST /_analyze', {
      tokenizer: 'whitespace',
      filter,
      text: 'a the b',
    })
    const upper = tokens.map((each: { token: string }) => each.token).filter((t: string) => t < 'a')
    expect(upper.join('')).toBe(changed)
  })

  it('shows the flag of keywords where it is explained', async () => {
    const { detail } = await ok('POST /_analyze', {
      tokenizer: 'whitespace',
      filter: [CONDITION],
      text: 'a',
      explain: true,
    })
    expect(detail.tokenfilters[0].tokens[0].keyword).toBe(false)
  })

  it.each([
    [{ script: { source: 'true' } }, 'Empty list of filters provided to tokenfilter'],
    [{ filter: ['nope'], script: { source: 'true' } }, 'refers to undefined token filter [nope]'],
    [{ filter: ['lowercase'] }, 'must specify either [source] for an inline script'],
    [{ filter: ['lowercase'], script: 'true' }, 'must specify either [source] for an inline'],
    [
      { filter: ['lowercase'], script: { source: 'true', id: 'x' } },
      'must only use one of [source, id] when specifying a script',
    ],
    [{ filter: ['lowercase'], script: { sauce: 'true' } }, '[script] unknown field [sauce]'],
    [
      { filter: ['lowercase'], script: { id: 'x' } },
      'Cannot use stored scripts in tokenfilter [__anonymous__condition]',
    ],
    [{ filter: ['lowercase'], script: { source: 'true', lang: 'nope' } }, 'not supported [nope]'],
  ])('refuses %j', async (options, reason) => {
    const [status, type, text] = await reasonOf({ type: 'condition', ...options })
    expect([status, type]).toEqual([400, 'illegal_argument_exception'])
    expect(text).toContain(reason)
  })

  it('refuses a language without the context', async () => {
    const script = { source: 'true', lang: 'expression' }
    expect(await reasonOf({ ...CONDITION, script })).toEqual([
      400,
      'general_script_exception',
      'Failed to compile inline script [true] using lang [expression]',
    ])
  })
})

describe('predicate_token_filter', () => {
  const letThrough = (source: string): object => ({
    type: 'predicate_token_filter',
    script: { source },
  })

  it('keeps the tokens that its script holds for, at their positions', async () => {
    const filter = letThrough('token.position >= 2 || token.term == "a"')
    expect(await terms([filter], 'a b c d')).toEqual(['a@0', 'c@2', 'd@3'])
  })

  it('answers what fails within a script', async () => {
    const { status, json } = await rest.call('POST /_analyze', {
      tokenizer: 'whitespace',
      filter: [letThrough('throw new IllegalStateException(token.term.toString())')],
      text: 'why',
    })
    expect([status, json.error.type, json.error.reason]).toEqual([
      400,
      'script_exception',
      'runtime error',
    ])
    expect(json.error.caused_by).toEqual({ type: 'illegal_state_exception', reason: 'why' })
    expect((await reasonOf(letThrough('token.nope')))[1]).toBe('script_exception')
    expect((await reasonOf(letThrough('nope')))[2]).toBe('compile error')
  })

  it('stops a script that does not end', async () => {
    const { status, json } = await rest.call('POST /_analyze', {
      tokenizer: 'whitespace',
      filter: [letThrough('for (int i = 0; i < 900000; i++) { [1].sort(null) } return true')],
      text: 'a',
    })
    expect([status, json.error.type]).toEqual([429, 'circuit_breaking_exception'])
  })
})

describe('an index', () => {
  const SETTINGS = {
    analysis: {
      filter: {
        long_ones: {
          type: 'predicate_token_filter',
          script: { source: 'token.term.length() > 2' },
        },
        shout: {
          type: 'condition',
          filter: ['uppercase'],
          script: { source: 'token.position == 0' },
        },
      },
      analyzer: { mine: { tokenizer: 'whitespace', filter: ['shout', 'long_ones'] } },
    },
  }
  const MAPPINGS = { properties: { t: { type: 'text', analyzer: 'mine' } } }

  it('analyses documents and queries with scripts, before and after a restart', async () => {
    const folder = tempFolder('analysis-scripts')
    let own = await openRest({}, folder)
    const okay = okOf(() => own)
    const found = async (): Promise<number[]> =>
      await Promise.all(
        [{ term: { t: 'ONE' } }, { term: { t: 'two' } }, { match: { t: 'of' } }].map(
          async query => (await okay('POST /i/_search', { query })).hits.total.value,
        ),
      )
    try {
      await okay('PUT /i', { settings: SETTINGS, mappings: MAPPINGS })
      await okay('PUT /i/_doc/1?refresh', { t: 'one of two' })
      expect(await found()).toEqual([1, 1, 0])
      await own.close()
      own = await openRest({}, folder)
      await okay('PUT /i/_doc/2?refresh', { t: 'one of two' })
      expect(await found()).toEqual([2, 2, 0])
      const { tokens } = await okay('POST /i/_analyze', { analyzer: 'mine', text: 'a bcd' })
      expect(tokens.map((each: { token: string }) => each.token)).toEqual(['bcd'])
    } finally {
      await own.close()
    }
  })

  it('fails the document alone whose token a script fails on', async () => {
    const script = {
      source:
        "if (token.term.length() > 3) { throw new IllegalStateException('long') } return true",
    }
    await ok('PUT /fails', {
      settings: {
        analysis: {
          filter: { f: { type: 'predicate_token_filter', script } },
          analyzer: { mine: { tokenizer: 'whitespace', filter: ['f'] } },
        },
      },
      mappings: MAPPINGS,
    })
    const { items, errors } = await ok(
      'POST /fails/_bulk?refresh',
      [
        { index: { _id: '1' } },
        { t: 'abc' },
        { index: { _id: '2' } },
        { t: 'ab abcd' },
        { index: { _id: '3' } },
        { t: 'abc' },
      ]
        .map(line => `${JSON.stringify(line)}\n`)
        .join(''),
    )
    expect(errors).toBe(true)
    expect(items.map((each: { index: { status: number } }) => each.index.status)).toEqual([
      201, 400, 201,
    ])
    expect(items[1].index.error.type).toBe('script_exception')
    const { hits } = await ok('POST /fails/_search', { query: { match: { t: 'abc' } } })
    expect(hits.total.value).toBe(2)
  })

  it('is refused where a script does not compile, in templates too', async () => {
    const settings = {
      analysis: { filter: { f: { type: 'predicate_token_filter', script: { source: 'x' } } } },
    }
    const calls: [string, object][] = [
      ['PUT /bad', { settings }],
      ['PUT /_template/bad', { index_patterns: ['bad*'], settings }],
      ['PUT /_component_template/bad', { template: { settings } }],
    ]
    for (const [call, body] of calls) {
      const { status, json } = await rest.call(call, body)
      expect([call, status, json.error.type]).toEqual([call, 400, 'script_exception'])
    }
    const good = { index_patterns: ['good*'], template: { settings: SETTINGS, mappings: MAPPINGS } }
    await ok('PUT /_index_template/good', good)
    await ok('PUT /good1/_doc/1?refresh', { t: 'one of two' })
    const { hits } = await ok('POST /good1/_search', { query: { term: { t: 'ONE' } } })
    expect(hits.total.value).toBe(1)
  })
})
