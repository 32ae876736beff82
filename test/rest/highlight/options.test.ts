import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { highlightCalls } from '../../support/highlight-calls.ts'
import { openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const { fill, first, highlights } = highlightCalls(() => rest)

const TYPES = ['unified', 'plain', 'fvh'] as const

/** Sentences with a number of foxes each. */
const TEXT = Array.from(
  { length: 12 },
  (_, i) =>
    `In the year ${i} there was ${'a fox, and '.repeat(1 + (i % 3))}one dog <${i}> of many.`,
).join(' ')
const GREEK = 'Πού είναι η πόλη; Εδώ είναι το τέλος του δρόμου.'

beforeAll(async () => {
  rest = await openRest()
  const t = { type: 'text', term_vector: 'with_positions_offsets' }
  await fill(
    {
      _source: { excludes: ['kept'] },
      properties: {
        t,
        many: t,
        other: t,
        greek: t,
        kept: { ...t, store: true },
        raw: { type: 'keyword' },
        short: { type: 'keyword', ignore_above: 5 },
      },
    },
    [
      {
        t: TEXT,
        many: ['the fox', 'no animal', 'a fox and a dog'],
        other: 'a fox',
        greek: GREEK,
        kept: 'a fox is kept',
        raw: ['a fox', 'a long fox'],
        short: ['a fox', 'a long fox'],
      },
      { t: 'fox '.repeat(300) },
    ],
  )
})
afterAll(() => rest.close())

const match = (text: string, field = 't'): object => ({ match: { [field]: text } })

/** An option with two values that show different fragments. */
interface Pair {
  readonly options: readonly [object, object]
  readonly of?: readonly (typeof TYPES)[number][]
  readonly query?: object
  readonly field?: string
}

const PAIRS: readonly Pair[] = [
  {
    options: [
      { pre_tags: '<', post_tags: '>' },
      { pre_tags: ['('], post_tags: [')'] },
    ],
  },
  { options: [{ fragment_size: 40 }, { fragment_size: 160 }] },
  { options: [{ number_of_fragments: 2 }, { number_of_fragments: 3 }] },
  { options: [{ number_of_fragments: 0 }, { number_of_fragments: 1 }] },
  {
    options: [{ order: 'score' }, { order: 'none' }],
    field: 'many',
    query: match('fox dog', 'many'),
  },
  {
    options: [{ require_field_match: false }, { require_field_match: true }],
    query: match('fox', 'other'),
  },
  { options: [{ highlight_query: match('dog') }, { highlight_query: match('year') }] },
  { options: [{ no_match_size: 30 }, { no_match_size: 60 }], query: { match_all: {} } },
  {
    options: [{ boundary_scanner: 'word' }, { boundary_scanner: 'sentence' }],
    of: ['unified', 'fvh'],
  },
  {
    options: [
      { boundary_scanner: 'sentence', boundary_scanner_locale: 'el', fragment_size: 18 },
      { boundary_scanner: 'sentence', boundary_scanner_locale: 'en', fragment_size: 18 },
    ],
    of: ['unified', 'fvh'],
    field: 'greek',
    query: match('τέλος', 'greek'),
  },
  { options: [{ boundary_chars: 'x' }, { boundary_chars: ' ' }], of: ['fvh'] },
  { options: [{ boundary_max_scan: 0 }, { boundary_max_scan: 20 }], of: ['fvh'] },
  { options: [{ phrase_limit: 1 }, { phrase_limit: 2 }], of: ['fvh'] },
  { options: [{ max_analyzer_offset: 50 }, { max_analyzer_offset: 100 }], of: ['plain'] },
  {
    options: [
      { fragmenter: 'simple', fragment_size: 20 },
      { fragmenter: 'span', fragment_size: 20 },
    ],
    of: ['plain'],
    query: { match_phrase: { t: 'fox and a fox' } },
  },
]

const CASES = TYPES.flatMap(type =>
  PAIRS.filter(({ of = TYPES }) => of.includes(type)).map(
    pair => [Object.keys(pair.options[0]).join(), type, pair] as const,
  ),
)

describe('an option', () => {
  it.each(CASES)(
    'is that of the field, else that of the request: %s, %s',
    async (_, type, pair) => {
      const { options, query = match('fox'), field = 't' } = pair
      const shown = (request: object, own: object): Promise<unknown> =>
        first(
          // The document is found whatever is marked.
          { bool: { must: [{ ids: { values: ['0'] } }], should: [query] } },
          { type, ...request, fields: { [field]: own } },
        )
      const [one, two] = options
      const [asked, others] = [await shown(one, {}), await shown(two, {})]
      expect(asked).not.toEqual(others)
      expect(await shown({}, one)).toEqual(asked)
      expect(await shown(one, two)).toEqual(others)
      expect(await shown(two, one)).toEqual(asked)
    },
  )

  it.each(TYPES)('has a default: %s', async type => {
    const defaults = {
      pre_tags: '<em>',
      post_tags: '</em>',
      fragment_size: 100,
      number_of_fragments: 5,
      order: 'none',
      require_field_match: true,
      highlight_query: match('fox'),
      no_match_size: 0,
      force_source: false,
      boundary_scanner: type === 'fvh' ? 'chars' : 'sentence',
      boundary_chars: '.,!? \t\n',
      boundary_max_scan: 20,
      phrase_limit: 256,
      fragmenter: 'span',
    }
    const fields = { t: { fragment_offset: -1, matched_fields: [] } }
    const found = await first(match('fox'), { type, fields: { t: {} } })
    expect(found!['t']).toHaveLength(5)
    expect(await first(match('fox'), { type, encoder: 'default', ...defaults, fields })).toEqual(
      found,
    )
    expect(await first(match('fox'), { type, tags_schema: 'default', fields })).toEqual(found)
    // Another order and another encoder than there is are the default too.
    const odd = { type, encoder: 'xml', order: 'best', fields }
    expect(await first(match('fox'), odd)).toEqual(found)
    const byDefault = await first(match('fox'), { fields: { t: {} } })
    if (type === 'unified') expect(byDefault).toEqual(found)
    else expect(byDefault).not.toEqual(found)
  })

  it('limits the phrases of fvh to 256', async () => {
    const marked = async (type: string): Promise<number> => {
      const highlight = { type, fields: { t: { number_of_fragments: 0 } } }
      return (await highlights(match('fox'), highlight))['1']!['t']![0]!.split('<em>').length - 1
    }
    expect(await marked('unified')).toBe(300)
    expect(await marked('plain')).toBe(300)
    expect(await marked('fvh')).toBe(256)
  })
})

describe('tags', () => {
  it.each(TYPES)('stand in text that is written as HTML: %s', async type => {
    const highlight = { type, encoder: 'html', fields: { t: { number_of_fragments: 0 } } }
    const whole = TEXT.replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('fox', '<em>fox</em>')
    expect(await first(match('fox'), highlight)).toEqual({ t: [whole] })
  })

  it('of the styled schema are ten, which fvh alone takes in turn', async () => {
    const words = ['year', '0', 'there', 'was', 'fox', 'one', 'dog', 'many', '1', '2', '3']
    const query = { bool: { should: words.map(word => ({ term: { t: word } })) } }
    const classes = async (type: string): Promise<Set<string>> => {
      const fields = { t: { number_of_fragments: 0 } }
      const found = await first(query, { type, tags_schema: 'styled', fields })
      return new Set(found!['t']![0]!.match(/<em class="hlt\d+">/g))
    }
    expect([...(await classes('fvh'))].sort()).toEqual(
      Array.from({ length: 10 }, (_, i) => `<em class="hlt${i + 1}">`).sort(),
    )
    for (const type of ['unified', 'plain'])
      expect(await classes(type)).toEqual(new Set(['<em class="hlt1">']))
  })
})

describe('values', () => {
  it.each(['unified', 'plain'])('over ignore_above are not shown: %s', async type => {
    const fields = { raw: {}, short: {} }
    const highlight = { type, require_field_match: false, fields }
    const query = { wildcard: { raw: 'a*fox' } }
    expect(await first(query, highlight)).toEqual({
      raw: ['<em>a fox</em>', '<em>a long fox</em>'],
      short: ['<em>a fox</em>'],
    })
  })

  it.each(TYPES)('are stored ones, unless the source is forced: %s', async type => {
    const fields = { kept: {} }
    expect(await first(match('fox', 'kept'), { type, fields })).toEqual({
      kept: ['a <em>fox</em> is kept'],
    })
    const forced = { type, force_source: true, fields: { kept: {}, other: {} } }
    const query = { bool: { must: [match('fox', 'kept'), match('fox', 'other')] } }
    expect(await first(query, forced)).toEqual({ other: ['a <em>fox</em>'] })
    expect(
      await first(match('fox', 'kept'), { type, fields: { kept: { force_source: true } } }),
    ).toBeUndefined()
  })
})

describe('fields and offsets', () => {
  it('plain takes no matches of other fields', async () => {
    const fields = { many: { matched_fields: ['other'] } }
    expect(await first(match('fox', 'other'), { type: 'plain', fields })).toBeUndefined()
    for (const type of ['unified', 'fvh'])
      expect(await first(match('fox', 'other'), { type, fields })).toEqual({
        many: ['the <em>fox</em>', 'a <em>fox</em> and a dog'],
      })
    // A name alone stands for a list of one.
    const one = { many: { matched_fields: 'other' } }
    expect((await first(match('fox', 'other'), { fields: one }))!['many']).toHaveLength(2)
  })

  it('sentences end where the language says', async () => {
    const shown = async (boundary_scanner_locale: string): Promise<unknown> => {
      const greek = { boundary_scanner_locale, fragment_size: 0 }
      return (await first(match('τέλος', 'greek'), { fields: { greek } }))!['greek']
    }
    const [question, answer] = GREEK.split('; ')
    expect(await shown('el')).toEqual([answer!.replace('τέλος', '<em>τέλος</em>')])
    expect(await shown('en')).toEqual([
      `${question}; ${answer!.replace('τέλος', '<em>τέλος</em>')}`,
    ])
  })

  it.each([
    // `there` is at 14 and `1` ends at 69: the first 60 units from 9 hold both, those from 8 do not.
    [0, 12],
    [5, 12],
    [6, 0],
    [20, 0],
    [undefined, 0],
  ])('fragment_offset %s lets a fragment of fvh begin at %i', async (fragment_offset, start) => {
    const t = { fragment_size: 60, number_of_fragments: 1, boundary_max_scan: 0, fragment_offset }
    const found = await first(match('there 1'), { type: 'fvh', fields: { t } })
    // A fragment has its matches in the middle: those it was begun for, not all that lie in it.
    const shown = TEXT.slice(start, start + 60).replace('there', '<em>there</em>')
    expect(found!['t']).toEqual([start === 0 ? shown : shown.replace('1', '<em>1</em>')])
  })

  it.each(['plain', 'unified'])('fragment_offset is nothing to %s', async type => {
    const shown = (options: object): Promise<unknown> =>
      first(match('there 1'), { type, fields: { t: { fragment_size: 60, ...options } } })
    for (const fragment_offset of [0, 14, 40, -2])
      expect(await shown({ fragment_offset })).toEqual(await shown({}))
  })
})
