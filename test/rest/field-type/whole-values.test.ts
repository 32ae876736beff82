import { describe, expect, it } from 'vitest'
import { refusal, throughLife } from '../../support/field-life.ts'
import { openRest } from '../../support/rest-calls.ts'

const MPE = '400 mapper_parsing_exception: '
const IAE = '400 illegal_argument_exception: '

describe('wildcard', () => {
  it('finds whole values, and prints doc_values always', async () => {
    const properties = {
      w: { type: 'wildcard', ignore_above: 6, null_value: 'none', doc_values: false },
      columns: { type: 'wildcard' },
    }
    const documents = {
      a: { w: 'one two', columns: 'x' },
      b: { w: 'three' },
      c: { w: null, columns: 'a' },
    }
    await throughLife({ properties, documents }, async ({ ids, sorted, rest }) => {
      expect(await ids({ term: { w: 'three' } })).toEqual(['b'])
      expect(await ids({ term: { w: 'one two' } })).toEqual([])
      expect(await ids({ terms: { w: ['none', 'three'] } })).toEqual(['b', 'c'])
      expect(await ids({ prefix: { w: 'th' } })).toEqual(['b'])
      expect(await ids({ exists: { field: 'w' } })).toEqual(['b', 'c'])
      expect(await sorted([{ columns: 'asc' }])).toEqual(['c', 'a', 'b'])
      expect(await refusal(rest, 'POST /i/_search', { sort: 'w' })).toBe(
        `${IAE}Can't load fielddata on [w] because fielddata is unsupported on fields of type ` +
          '[wildcard]. Use doc values instead.',
      )
      const { json } = await rest.call('GET /i/_mapping')
      expect(json.i.mappings.properties).toEqual({
        columns: { type: 'wildcard', doc_values: true },
        w: { type: 'wildcard', null_value: 'none', ignore_above: 6, doc_values: false },
      })
    })
  })
})

describe('constant_keyword', () => {
  it('matches all documents or none', async () => {
    const properties = { c: { type: 'constant_keyword', value: 'prod' }, n: { type: 'long' } }
    const documents = { a: { c: 'prod', n: 2 }, b: { n: 1 } }
    await throughLife({ properties, documents }, async ({ ids, sorted }) => {
      expect(await ids({ term: { c: 'prod' } })).toEqual(['a', 'b'])
      expect(await ids({ term: { c: 'test' } })).toEqual([])
      expect(await ids({ terms: { c: ['test', 'prod'] } })).toEqual(['a', 'b'])
      expect(await ids({ prefix: { c: 'pr' } })).toEqual(['a', 'b'])
      expect(await ids({ match: { c: 'prod' } })).toEqual(['a', 'b'])
      expect(await ids({ exists: { field: 'c' } })).toEqual(['a', 'b'])
      expect(await sorted(['c', 'n'])).toEqual(['b', 'a'])
      expect(await ids({ range: { c: { gt: 'a', lte: 'prod' } } })).toEqual(['a', 'b'])
      expect(await ids({ range: { c: { gt: 'prod' } } })).toEqual([])
      expect(await ids({ range: { c: { lt: 'prod' } } })).toEqual([])
    })
  })

  it('refuses other values, and mappings without one', async () => {
    const rest = await openRest()
    await rest.call('PUT /i', {
      mappings: { properties: { c: { type: 'constant_keyword', value: 'prod' } } },
    })
    for (const value of ['test', null])
      expect(await refusal(rest, 'PUT /i/_doc/1', { c: value })).toBe(
        `${IAE}constant keyword field [c] must have a value of [prod]`,
      )
    const put = (f: object): Promise<string> =>
      refusal(rest, 'PUT /i/_mapping', { properties: { f } })
    expect(await put({ type: 'constant_keyword' })).toBe(
      '400 parse_exception: Field [f] is missing required parameter [value]',
    )
    expect(await put({ type: 'constant_keyword', value: 1 })).toBe(
      '400 parse_exception: Field [f] is expected to be a string value',
    )
    expect(
      await refusal(rest, 'PUT /i/_mapping', {
        properties: { c: { type: 'constant_keyword', value: 'test' } },
      }),
    ).toBe(
      `${IAE}Mapper for [c] conflicts with existing mapper:\n\t` +
        'Cannot update parameter [value] from [prod] to [test]',
    )
    await rest.close()
  })
})

describe('flat_object', () => {
  it('finds by values and by dotted paths', async () => {
    const properties = { o: { type: 'flat_object' }, short: { type: 'alias', path: 'o' } }
    const documents = {
      a: { o: { x: { y: 'red', n: 10 }, z: [1, 'red'] } },
      b: { o: { x: { y: 'green' }, k: 'red' } },
      c: { o: null },
      d: { o: [{ x: { y: 'blue' } }, { x: { y: null, yy: 'red' } }] },
    }
    await throughLife({ properties, documents }, async ({ ids, sorted, rest }) => {
      expect(await ids({ term: { o: 'red' } })).toEqual(['a', 'b', 'd'])
      expect(await ids({ term: { 'o.x.y': 'red' } })).toEqual(['a'])
      expect(await ids({ terms: { 'o.x.y': ['red', 'blue'] } })).toEqual(['a', 'd'])
      expect(await ids({ match: { 'o.k': 'red' } })).toEqual(['b'])
      expect(await ids({ match: { short: 'green' } })).toEqual(['b'])
      expect(await ids({ prefix: { 'o.x.y': 'gr' } })).toEqual(['b'])
      expect(await ids({ range: { 'o.x.y': { gte: 'c' } } })).toEqual(['a', 'b'])
      expect(await ids({ range: { 'o.x.y': { lt: 'c' } } })).toEqual(['d'])
      expect(await ids({ range: { o: { lt: '2' } } })).toEqual(['a'])
      expect(await ids({ exists: { field: 'o' } })).toEqual(['a', 'b', 'd'])
      expect(await ids({ exists: { field: 'o.x' } })).toEqual(['a', 'b', 'd'])
      expect(await ids({ exists: { field: 'o.k' } })).toEqual(['b'])
      expect(await ids({ exists: { field: 'o.nope' } })).toEqual([])
      expect(await sorted(['o'])).toEqual(['a', 'd', 'b', 'c'])
      expect(await sorted(['o.x.y', '_id'])).toEqual(['d', 'b', 'a', 'c'])
      expect(await sorted([{ 'o.x.y': 'desc' }, '_id'])).toEqual(['a', 'b', 'd', 'c'])
      expect(await sorted([{ 'o.x.yy': { missing: '_first' } }, '_id'])).toEqual([
        'a',
        'b',
        'c',
        'd',
      ])
      expect(await sorted([{ 'o.x.y': { missing: 'f' } }])).toEqual(['d', 'c', 'b', 'a'])
      const sort = [{ 'o.z': { order: 'asc', mode: 'max' } }, { 'o.z': 'asc' }]
      const { json: first } = await rest.call('POST /i/_search', { sort, size: 1 })
      expect(first.hits.hits[0].sort).toEqual(['red', '1'])
      const after = { sort: [{ 'o.x.y': 'asc' }], search_after: ['green'] }
      const { json: next } = await rest.call('POST /i/_search', after)
      expect(
        next.hits.hits.map((hit: { _id: string; sort: unknown[] }) => [hit._id, ...hit.sort]),
      ).toEqual([
        ['a', 'red'],
        ['c', null],
      ])
      for (const kind of ['terms', 'avg', 'cardinality'])
        expect(
          await refusal(rest, 'POST /i/_search', { aggs: { a: { [kind]: { field: 'o.x.n' } } } }),
        ).toBe(
          `${IAE}Field [o.x.n] of type [flat_object] is not supported for aggregation [${kind}]`,
        )
      expect(await refusal(rest, 'PUT /i/_doc/x', { o: 'text' })).toBe(
        '400 parsing_exception: [o] unexpected token [VALUE_STRING] in flat_object field value',
      )
      const { json } = await rest.call('GET /i/_mapping')
      expect(json.i.mappings.properties.o).toEqual({ type: 'flat_object' })
      expect(
        await refusal(rest, 'PUT /i/_mapping', {
          properties: { p: { type: 'flat_object', index: true } },
        }),
      ).toBe(`${MPE}Mapping definition for [p] has unsupported parameters:  [index : true]`)
    })
  })
})

describe('token_count', () => {
  it('counts tokens and positions', async () => {
    const count = { type: 'token_count', analyzer: 'stop' }
    const properties = {
      t: {
        type: 'text',
        fields: {
          positions: count,
          words: { ...count, enable_position_increments: false, null_value: 9 },
        },
      },
    }
    const documents = {
      a: { t: 'the quick fox' },
      b: { t: ['one', 'two words'] },
      c: { t: null },
      d: { t: 'fox of the' },
    }
    await throughLife({ properties, documents }, async ({ ids, sorted }) => {
      expect(await ids({ term: { 't.positions': 3 } })).toEqual(['a', 'd'])
      expect(await ids({ term: { 't.words': 2 } })).toEqual(['a', 'b'])
      expect(await ids({ term: { 't.words': 9 } })).toEqual(['c'])
      expect(await ids({ range: { 't.words': { lte: 1 } } })).toEqual(['b', 'd'])
      expect(await sorted([{ 't.words': 'desc' }])).toEqual(['c', 'a', 'b', 'd'])
    })
  })

  it('refuses with the documented reasons', async () => {
    const rest = await openRest()
    await rest.call('PUT /i')
    const put = (f: object): Promise<string> =>
      refusal(rest, 'PUT /i/_mapping', { properties: { f } })
    expect(await put({ type: 'token_count' })).toBe(
      `${MPE}Analyzer must be set for field [f] but wasn't.`,
    )
    expect(await put({ type: 'token_count', analyzer: 'nope' })).toBe(
      `${MPE}analyzer [nope] has not been configured in mappings`,
    )
    await rest.close()
  })
})
