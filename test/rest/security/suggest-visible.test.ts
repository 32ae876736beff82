/** Suggestions of callers who may not see every document. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ndjson } from '../../support/rest-calls.ts'
import { addRole, addUser, type Reply, securedForFile } from '../../support/secured-rest.ts'
import { tellCount } from '../../support/tell-count.ts'

const secured = securedForFile()

const mappings = {
  properties: {
    team: { type: 'keyword' },
    title: { type: 'text' },
    plain: { type: 'completion' },
    shelved: { type: 'completion', contexts: [{ name: 'shelf', type: 'category' }] },
    parts: { type: 'nested', properties: { plain: { type: 'completion' } } },
  },
}

interface Book {
  readonly team: 'red' | 'blue'
  readonly input: string
  readonly weight: number
  readonly shelf: string
}

const sourceOf = ({ team, input, weight, shelf }: Book): object => ({
  team,
  title: input,
  plain: { input, weight },
  shelved: { input, weight, contexts: { shelf } },
  parts: [{ plain: { input, weight } }, { plain: { input: `${input}${input}`, weight } }],
})

beforeAll(async () => {
  const { rest } = secured()
  await addRole(rest, 'reds', {
    cluster_permissions: ['cluster_composite_ops'],
    index_permissions: [
      { index_patterns: ['books*'], dls: '{"term":{"team":"red"}}', allowed_actions: ['*'] },
    ],
  })
  await addUser(rest, 'rhea', { opendistro_security_roles: ['reds'] })
})

/** Makes an index of one shard of some documents, in order, with a refresh behind the one at `cut`. */
async function fillWith(
  index: string,
  fields: object,
  sources: readonly object[],
  cut: number,
  more: object = {},
): Promise<void> {
  const { rest } = secured()
  const settings = { number_of_shards: 1, ...more }
  await rest.call(`PUT /${index}`, { settings, mappings: fields })
  for (const part of [sources.slice(0, cut), sources.slice(cut)])
    if (part.length > 0)
      await rest.call(
        `POST /${index}/_bulk?refresh`,
        ndjson(...part.flatMap(source => [{ index: {} }, source])),
      )
}

const fill = (index: string, books: readonly Book[], cut: number): Promise<void> =>
  fillWith(index, mappings, books.map(sourceOf), cut)

/** Texts, scores and contexts of the options, and the teams of their documents. */
const optionsOf = ({ json }: Reply): object =>
  json.suggest.s[0].options.map((option: Reply['json']) => [
    option.text,
    option._score,
    option.contexts,
    option._source.title,
    option._source.team,
  ])

const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 })
const book: fc.Arbitrary<Book> = fc.record({
  team: fc.constantFrom('red', 'blue'),
  input: word,
  weight: fc.nat(2),
  shelf: fc.constantFrom('top', 'low'),
})
interface Asked {
  readonly sought: string
  readonly how: 'prefix' | 'fuzzy' | 'regex' | 'shelved' | 'nested'
  readonly size: number
  readonly skip_duplicates: boolean
}

const asked: fc.Arbitrary<Asked> = fc.record({
  sought: word,
  how: fc.constantFrom('prefix', 'fuzzy', 'regex', 'shelved', 'nested'),
  size: fc.integer({ min: 1, max: 5 }),
  skip_duplicates: fc.boolean(),
})

function bodyOf({ sought, how, size, skip_duplicates }: Asked): object {
  const field = how === 'shelved' ? 'shelved' : how === 'nested' ? 'parts.plain' : 'plain'
  const completion = {
    field,
    size,
    skip_duplicates,
    ...(how === 'fuzzy' ? { fuzzy: { fuzziness: 1, min_length: 1, prefix_length: 0 } } : {}),
    ...(how === 'shelved' ? { contexts: { shelf: ['top', { context: 'low', boost: 2 }] } } : {}),
  }
  const text = how === 'regex' ? { regex: `${sought}.*` } : { prefix: sought }
  return { suggest: { s: { ...text, completion } } }
}

describe('completions under document restrictions', () => {
  it('are those of an index without the hidden documents', async () => {
    let at = 0
    let found = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(book, { minLength: 1, maxLength: 14 }),
        fc.nat(14),
        fc.array(asked, { minLength: 6, maxLength: 6 }),
        async (books, cut, queries) => {
          const [all, seen] = [`books-${++at}`, `books-${at}-seen`]
          const red = books.filter(({ team }) => team === 'red')
          await fill(all, books, cut)
          await fill(seen, red, books.slice(0, cut).filter(({ team }) => team === 'red').length)
          for (const query of queries) {
            const body = bodyOf(query)
            const restricted = await secured().as('rhea', `GET /${all}/_search`, body)
            const alone = await secured().as('admin', `GET /${seen}/_search`, body)
            expect([restricted.status, alone.status]).toEqual([200, 200])
            const options = optionsOf(restricted)
            expect(options).toEqual(optionsOf(alone))
            expect(restricted.text).not.toContain('blue')
            found += (options as readonly unknown[]).length
          }
          await secured().rest.call(`DELETE /${all},${seen}`)
        },
      ),
      { numRuns: 25 },
    )
    expect(found).toBeGreaterThan(25)
  })

  it('are those of the documents that were not deleted since', async () => {
    const { rest } = secured()
    const red = { team: 'red', weight: 1, shelf: 'top' } as const
    await fill(
      'books-left',
      [
        { ...red, input: 'ab' },
        { ...red, input: 'aa' },
      ],
      2,
    )
    await rest.call('POST /books-left/_delete_by_query?refresh', {
      query: { match: { title: 'ab' } },
    })
    const body = { suggest: { s: { prefix: 'a', completion: { field: 'plain' } } } }
    const { json } = await secured().as('rhea', 'GET /books-left/_search', body)
    expect(json.suggest.s[0].options.map((option: Reply['json']) => option.text)).toEqual(['aa'])
  })
})

interface Note {
  readonly team: 'red' | 'blue'
  readonly words: readonly string[]
  readonly parts: readonly (readonly string[])[]
}

const noteSource = ({ team, words, parts }: Note): object => ({
  team,
  title: words.join(' '),
  parts: parts.map(part => ({ title: part.join(' ') })),
})

const similar = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 3, maxLength: 5 })
const note: fc.Arbitrary<Note> = fc.record({
  team: fc.constantFrom('red', 'blue', 'blue'),
  words: fc.array(similar, { maxLength: 4 }),
  parts: fc.array(fc.array(similar, { maxLength: 2 }), { maxLength: 2 }),
})
const termAsked = fc.record({
  text: fc.array(similar, { minLength: 1, maxLength: 3 }).map(words => words.join(' ')),
  options: fc.record({
    field: fc.constantFrom('title', 'parts.title'),
    suggest_mode: fc.constantFrom('missing', 'popular', 'always'),
    sort: fc.constantFrom('score', 'frequency'),
    size: fc.integer({ min: 1, max: 4 }),
    max_edits: fc.constantFrom(1, 2),
    max_inspections: fc.integer({ min: 1, max: 5 }),
    prefix_length: fc.constantFrom(0, 1),
    min_word_length: fc.constant(3),
    min_doc_freq: fc.constantFrom(0, 0.3, 2),
    max_term_freq: fc.constantFrom(0.01, 0.5, 2, 100),
    string_distance: fc.constantFrom('internal', 'levenshtein', 'jaro_winkler', 'ngram'),
    accuracy: fc.constantFrom(0, 0.5),
  }),
})

const noteMappings = {
  properties: {
    team: { type: 'keyword' },
    title: { type: 'text' },
    parts: { type: 'nested', properties: { title: { type: 'text' } } },
  },
}

const fillNotes = (index: string, notes: readonly Note[], cut: number): Promise<void> =>
  fillWith(index, noteMappings, notes.map(noteSource), cut)

describe('terms under document restrictions', () => {
  it('are those of an index without the hidden documents, with their counts', async () => {
    let at = 0
    let found = 0
    let asked = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(note, { minLength: 2, maxLength: 20 }),
        fc.nat(20),
        fc.array(termAsked, { minLength: 8, maxLength: 8 }),
        async (notes, cut, queries) => {
          const [all, seen] = [`books-t${++at}`, `books-t${at}-seen`]
          const isRed = ({ team }: Note): boolean => team === 'red'
          await fillNotes(all, notes, cut)
          await fillNotes(seen, notes.filter(isRed), notes.slice(0, cut).filter(isRed).length)
          for (const { text, options } of queries) {
            const body = { suggest: { s: { text, term: options } } }
            const restricted = await secured().as('rhea', `GET /${all}/_search`, body)
            const alone = await secured().as('admin', `GET /${seen}/_search`, body)
            expect([restricted.status, alone.status]).toEqual([200, 200])
            expect([body, restricted.json.suggest]).toEqual([body, alone.json.suggest])
            found += restricted.json.suggest.s.flatMap(
              (entry: Reply['json']) => entry.options,
            ).length
            asked++
          }
          await secured().rest.call(`DELETE /${all},${seen}`)
        },
      ),
      { numRuns: 30 },
    )
    tellCount('suggestions of terms compared', asked)
    expect(found).toBeGreaterThan(50)
  })

  it('do not tell by their absence that a word is a term of others', async () => {
    const optionsBeside = async (index: string, blue: string): Promise<string> => {
      const notes: Note[] = [
        { team: 'red', words: ['amber'], parts: [] },
        { team: 'blue', words: [blue], parts: [] },
      ]
      await fillNotes(index, notes, 2)
      const term = { field: 'title', suggest_mode: 'missing', max_term_freq: 100 }
      const body = { suggest: { s: { text: 'ambex', term } } }
      const { json } = await secured().as('rhea', `GET /${index}/_search`, body)
      return JSON.stringify(json.suggest)
    }
    const hidden = await optionsBeside('books-there', 'ambex')
    expect(hidden).toBe(await optionsBeside('books-gone', 'other'))
    expect(hidden).toContain('amber')
  })

  it('are counted in as many turns as it takes, and given up with the search', async () => {
    const { rest } = secured()
    await rest.call('PUT /books-many', {
      settings: { number_of_shards: 1 },
      mappings: noteMappings,
    })
    const lines = Array.from({ length: 20_000 }, (_, i) => [
      { index: {} },
      { team: i % 3 === 0 ? 'red' : 'blue', title: i % 2 === 0 ? 'amber' : 'umber amber' },
    ])
    await rest.call('POST /books-many/_bulk?refresh', ndjson(...lines.flat()))
    const term = {
      field: 'title',
      suggest_mode: 'always',
      prefix_length: 0,
      max_term_freq: 100_000,
    }
    const body = { suggest: { s: { text: 'ymber', term } } }
    const { json } = await secured().as('rhea', 'GET /books-many/_search', body)
    expect(json.suggest.s[0].options).toEqual([
      { text: 'amber', score: 0.8, freq: 6667 },
      { text: 'umber', score: 0.8, freq: 3333 },
    ])
  })
})

const phraseMappings = {
  properties: {
    team: { type: 'keyword' },
    title: {
      type: 'text',
      fields: {
        grams: { type: 'text', analyzer: 'grams' },
        bare: { type: 'text', index_options: 'docs' },
      },
    },
    parts: { type: 'nested', properties: { title: { type: 'text' } } },
  },
}
const phraseSettings = {
  analysis: {
    filter: { grams: { type: 'shingle', min_shingle_size: 2, max_shingle_size: 3 } },
    analyzer: { grams: { tokenizer: 'standard', filter: ['lowercase', 'grams'] } },
  },
}

const smoothing = fc.constantFrom(
  undefined,
  { stupid_backoff: { discount: 0.3 } },
  { laplace: { alpha: 0.7 } },
  { linear: { trigram_lambda: 0.5, bigram_lambda: 0.3, unigram_lambda: 0.2 } },
)
const collate = fc.constantFrom(
  undefined,
  { query: { source: { match: { title: '{{suggestion}}' } } }, prune: true },
  { query: { source: { match_phrase: { title: '{{suggestion}}' } } } },
)
const phraseAsked = fc.record({
  text: fc.array(similar, { minLength: 1, maxLength: 3 }).map(words => words.join(' ')),
  options: fc.record({
    field: fc.constantFrom('title', 'title.grams', 'title.bare', 'parts.title'),
    gram_size: fc.constantFrom(undefined, 1, 2, 3),
    max_errors: fc.constantFrom(1, 2, 0.7),
    confidence: fc.constantFrom(0, 1),
    size: fc.integer({ min: 1, max: 4 }),
    smoothing,
    collate,
    direct_generator: fc
      .constantFrom('title', 'title.bare', 'parts.title')
      .chain(field =>
        fc
          .constantFrom('missing', 'popular', 'always')
          .map(suggest_mode => [{ field, suggest_mode, min_word_length: 3, max_term_freq: 100 }]),
      ),
  }),
})

describe('phrases under document restrictions', () => {
  it('are those of an index without the hidden documents, with their scores', async () => {
    let at = 0
    let found = 0
    let asked = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(note, { minLength: 2, maxLength: 20 }),
        fc.nat(20),
        fc.array(phraseAsked, { minLength: 10, maxLength: 10 }),
        async (notes, cut, queries) => {
          const [all, seen] = [`books-p${++at}`, `books-p${at}-seen`]
          const isRed = ({ team }: Note): boolean => team === 'red'
          const red = notes.filter(isRed)
          const redCut = notes.slice(0, cut).filter(isRed).length
          await fillWith(all, phraseMappings, notes.map(noteSource), cut, phraseSettings)
          await fillWith(seen, phraseMappings, red.map(noteSource), redCut, phraseSettings)
          for (const { text, options } of queries) {
            const body = { suggest: { s: { text, phrase: options } } }
            // The second time the totals of the field are known.
            for (let time = 0; time < 2; time++) {
              const restricted = await secured().as('rhea', `GET /${all}/_search`, body)
              const alone = await secured().as('admin', `GET /${seen}/_search`, body)
              expect([restricted.status, alone.status, restricted.text.slice(0, 500)]).toEqual([
                200,
                200,
                expect.any(String),
              ])
              expect([body, restricted.json.suggest]).toEqual([body, alone.json.suggest])
              found += restricted.json.suggest.s[0].options.length
              asked++
            }
          }
          await secured().rest.call(`DELETE /${all},${seen}`)
        },
      ),
      { numRuns: 20 },
    )
    tellCount('suggestions of phrases compared', asked)
    expect(found).toBeGreaterThan(50)
  })

  it('tell of no word, and of no match, that only others have', async () => {
    const notes: Note[] = [
      { team: 'blue', words: ['hidden', 'amber'], parts: [] },
      { team: 'red', words: ['umber'], parts: [] },
    ]
    await fillNotes('books-phrase', notes, 2)
    const generator = { field: 'title', suggest_mode: 'always', prefix_length: 0 }
    const asked = (text: string, more: object): object => ({
      suggest: {
        s: {
          text,
          phrase: { field: 'title', confidence: 0, direct_generator: [generator], ...more },
        },
      },
    })
    const as = async (user: string, body: object): Promise<Reply['json'][]> =>
      (await secured().as(user, 'GET /books-phrase/_search', body)).json.suggest.s[0].options
    const hidden = asked('hiddem', {})
    expect((await as('admin', hidden)).map(option => option.text)).toContain('hidden')
    expect((await as('rhea', hidden)).map(option => option.text)).not.toContain('hidden')
    // The collated query asks for a word that a hidden document has beside the suggested one.
    const query = { source: { match: { title: 'hidden' } } }
    const matched = asked('umbex', { collate: { query, prune: true } })
    const matches = async (user: string): Promise<unknown[]> =>
      (await as(user, matched)).map(option => option.collate_match)
    expect(new Set(await matches('admin'))).toEqual(new Set([true]))
    expect(new Set(await matches('rhea'))).toEqual(new Set([false]))
  })

  it('are counted in as many turns as it takes', async () => {
    const { rest } = secured()
    await rest.call('PUT /books-much', {
      settings: { number_of_shards: 1 },
      mappings: noteMappings,
    })
    const lines = Array.from({ length: 20_000 }, (_, i) => [
      { index: {} },
      {
        team: i % 3 === 0 ? 'red' : 'blue',
        title: `${i % 2 === 0 ? 'amber' : 'umber amber'} w${i}`,
      },
    ])
    await rest.call('POST /books-much/_bulk?refresh', ndjson(...lines.flat()))
    await rest.call('POST /books-much/_forcemerge?max_num_segments=1')
    const red = lines.flat().filter((_, i) => Math.floor(i / 2) % 3 === 0)
    await rest.call('PUT /books-much-seen', {
      settings: { number_of_shards: 1 },
      mappings: noteMappings,
    })
    await rest.call('POST /books-much-seen/_bulk?refresh', ndjson(...red))
    await rest.call('POST /books-much-seen/_forcemerge?max_num_segments=1')
    const generator = {
      field: 'title',
      suggest_mode: 'always',
      prefix_length: 0,
      max_term_freq: 1e5,
    }
    const phrase = { field: 'title', size: 3, confidence: 0, direct_generator: [generator] }
    const body = { suggest: { s: { text: 'ymber amber', phrase } } }
    const restricted = await secured().as('rhea', 'GET /books-much/_search', body)
    const alone = await secured().as('admin', 'GET /books-much-seen/_search', body)
    expect(alone.json.suggest.s[0].options.length).toBeGreaterThan(0)
    expect(restricted.json.suggest).toEqual(alone.json.suggest)
  })
})
