/** Suggestions of callers who may not see every document. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { ndjson } from '../../support/rest-calls.ts'
import { addRole, addUser, type Reply, securedForFile } from '../../support/secured-rest.ts'

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

/** Makes an index of some books, in order, with a refresh behind the one at `cut`. */
async function fill(index: string, books: readonly Book[], cut: number): Promise<void> {
  const { rest } = secured()
  await rest.call(`PUT /${index}`, { settings: { number_of_shards: 1 }, mappings })
  for (const part of [books.slice(0, cut), books.slice(cut)])
    if (part.length > 0)
      await rest.call(
        `POST /${index}/_bulk?refresh`,
        ndjson(...part.flatMap(book => [{ index: {} }, sourceOf(book)])),
      )
}

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

it.each([
  ['term', { field: 'title' }],
  ['phrase', { field: 'title' }],
])('refuses suggestions of kind %s, which count terms of all documents', async (kind, options) => {
  const blue = { team: 'blue', input: 'hidden', weight: 1, shelf: 'top' } as const
  await fill(`books-${kind}`, [blue], 1)
  const body = { suggest: { s: { text: 'hiddem', [kind]: options } } }
  const { status, json, text } = await secured().as('rhea', `GET /books-${kind}/_search`, body)
  expect([status, json.error.caused_by.reason]).toEqual([
    403,
    'Suggesting terms and phrases is not supported when DLS is activated',
  ])
  expect(text).not.toContain('hidden')
  const whole = await secured().as('admin', `GET /books-${kind}/_search`, body)
  expect([whole.status, whole.text.includes('hidden')]).toEqual([200, true])
  const beside = {
    suggest: { ...body.suggest, c: { prefix: 'h', completion: { field: 'plain' } } },
  }
  const refused = await secured().as('rhea', `GET /books-${kind}/_search`, beside)
  expect(refused.status).toBe(403)
})
