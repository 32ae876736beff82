import { expect, it } from 'vitest'
import { refusal, throughLife } from '../../support/field-life.ts'
import { openRest } from '../../support/rest-calls.ts'

it('finds and sorts through another name of a field', async () => {
  await throughLife(
    {
      properties: {
        title: { type: 'text', fields: { raw: { type: 'keyword' } } },
        year: { type: 'integer' },
        old: {
          properties: {
            name: { type: 'alias', path: 'title' },
            exact: { type: 'alias', path: 'title.raw' },
          },
        },
        when: { type: 'alias', path: 'year' },
      },
      documents: {
        a: { title: 'Moby Dick', year: 1851 },
        b: { title: 'The Sea Wolf', year: 1904 },
        c: {},
      },
    },
    async ({ ids, sorted, rest }) => {
      expect(await ids({ match: { 'old.name': 'SEA' } })).toEqual(['b'])
      expect(await ids({ match_phrase: { 'old.name': 'sea wolf' } })).toEqual(['b'])
      expect(await ids({ term: { 'old.exact': 'Moby Dick' } })).toEqual(['a'])
      expect(await ids({ terms: { when: [1904] } })).toEqual(['b'])
      expect(await ids({ range: { when: { lt: 1900 } } })).toEqual(['a'])
      expect(await ids({ prefix: { 'old.exact': 'The' } })).toEqual(['b'])
      expect(await ids({ exists: { field: 'when' } })).toEqual(['a', 'b'])
      expect(await ids({ exists: { field: 'old' } })).toEqual(['a', 'b'])
      expect(await ids({ exists: { field: 'whe*' } })).toEqual(['a', 'b'])
      expect(await ids({ multi_match: { query: 'moby', fields: ['old.n*'] } })).toEqual(['a'])
      expect(await sorted([{ when: 'desc' }])).toEqual(['b', 'a', 'c'])
      const { json } = await rest.call('GET /i/_mapping')
      expect(json.i.mappings.properties.when).toEqual({ type: 'alias', path: 'year' })
      expect((await rest.call('POST /i/_analyze', { field: 'old.name', text: 'A B' })).status).toBe(
        200,
      )
    },
  )
})

it('refuses with the documented reasons', async () => {
  const rest = await openRest()
  await rest.call('PUT /i', {
    settings: { 'index.mapping.total_fields.limit': 5 },
    mappings: {
      properties: {
        f: { type: 'keyword' },
        o: { properties: { x: { type: 'keyword' } } },
        a: { type: 'alias', path: 'f' },
      },
    },
  })
  const put = (properties: object): Promise<string> =>
    refusal(rest, 'PUT /i/_mapping', { properties })
  const invalid = '400 mapper_parsing_exception: Invalid [path] value'
  expect(await put({ b: { type: 'alias' } })).toBe(
    '400 mapper_parsing_exception: The [path] property must be specified for field [b].',
  )
  expect(await put({ b: { type: 'alias', path: 'nope' } })).toBe(
    `${invalid} [nope] for field alias [b]: an alias must refer to an existing field in the mappings.`,
  )
  expect(await put({ b: { type: 'alias', path: 'o' } })).toBe(
    `${invalid} [o] for field alias [b]: an alias must refer to an existing field in the mappings.`,
  )
  expect(await put({ b: { type: 'alias', path: 'a' } })).toBe(
    `${invalid} [a] for field alias [b]: an alias cannot refer to another alias.`,
  )
  expect(await put({ b: { type: 'alias', path: 'b' } })).toBe(
    `${invalid} [b] for field alias [b]: an alias cannot refer to itself.`,
  )
  expect(await put({ b: { type: 'alias', path: 'f', index: true } })).toBe(
    '400 mapper_parsing_exception: unknown parameter [index] on mapper [b] of type [alias]',
  )
  expect(await put({ f: { type: 'alias', path: 'o.x' } })).toBe(
    '400 illegal_argument_exception: mapper [f] cannot be changed from type [keyword] to [alias]',
  )
  expect(await put({ a: { type: 'keyword' } })).toBe(
    '400 illegal_argument_exception: Cannot merge a field alias mapping [a] with a mapping that is ' +
      'not for a field alias.',
  )
  expect(await put({ k: { type: 'keyword', fields: { s: { type: 'alias', path: 'f' } } } })).toBe(
    '400 mapper_parsing_exception: Type [alias] cannot be used in multi field',
  )
  expect(
    (await rest.call('PUT /i/_mapping', { properties: { a: { type: 'alias', path: 'o.x' } } }))
      .status,
  ).toBe(200)
  expect(await put({ b: { type: 'alias', path: 'f' }, c: { type: 'alias', path: 'f' } })).toBe(
    '400 illegal_argument_exception: Limit of total fields [5] has been exceeded',
  )
  for (const value of ['x', ['x'], { y: 1 }, null]) {
    const { json } = await rest.call('PUT /i/_doc/1', { a: value })
    expect(json.error).toMatchObject({
      type: 'mapper_parsing_exception',
      reason: 'failed to parse',
      caused_by: {
        type: 'illegal_argument_exception',
        reason: 'Cannot write to a field alias [a].',
      },
    })
  }
  await rest.close()
})
