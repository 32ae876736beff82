import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusal, throughLife } from '../../support/field-life.ts'
import { openRest, type Rest } from '../../support/rest-calls.ts'

const IAE = '400 illegal_argument_exception: '

it('keeps features, which queries of their own will score by', async () => {
  const properties = {
    rank: { type: 'rank_feature' },
    inverse: { type: 'rank_feature', positive_score_impact: false },
    topics: { type: 'rank_features' },
  }
  const documents = {
    a: { rank: 8, topics: { sport: 20, art: '0.5', none: null } },
    b: { rank: '3e5', inverse: 10 },
    c: { topics: [{ sport: 1 }, { art: 2 }] },
    d: { rank: null, inverse: 2 },
  }
  await throughLife({ properties, documents }, async ({ ids, rest }) => {
    expect(await ids({ exists: { field: 'rank' } })).toEqual(['a', 'b'])
    const search = (body: object): Promise<string> => refusal(rest, 'POST /i/_search', body)
    expect(await search({ query: { term: { rank: 8 } } })).toBe(
      `${IAE}Queries on [rank_feature] fields are not supported`,
    )
    expect(await search({ query: { match: { topics: 'sport' } } })).toBe(
      `${IAE}Queries on [rank_features] fields are not supported`,
    )
    expect(await search({ query: { exists: { field: 'topics' } } })).toBe(
      `${IAE}[rank_features] fields do not support [exists] queries`,
    )
    for (const [field, type] of [
      ['rank', 'rank_feature'],
      ['topics', 'rank_features'],
    ])
      expect(await search({ sort: field })).toBe(
        `${IAE}[${type}] fields do not support sorting, scripting or aggregating`,
      )
    const { json } = await rest.call('GET /i/_mapping')
    expect(json.i.mappings.properties).toEqual(properties)
  })
})

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /i', {
    mappings: {
      properties: {
        rank: { type: 'rank_feature' },
        inverse: { type: 'rank_feature', positive_score_impact: false },
        topics: { type: 'rank_features' },
      },
    },
  })
})
afterAll(() => rest.close())

it.each<[object, string]>([
  [
    { rank: [1, 2] },
    `${IAE}[rank_feature] fields do not support indexing multiple values for the same field [rank] ` +
      'in the same document',
  ],
  [
    { rank: 0 },
    `${IAE}featureValue must be a positive normal float, got: 0.0 for feature rank on field ` +
      '_feature which is less than the minimum positive normal float: 1.17549435E-38',
  ],
  [
    { rank: 1e39 },
    `${IAE}featureValue must be finite, got: Infinity for feature rank on field _feature`,
  ],
  [
    { inverse: 0 },
    `${IAE}featureValue must be finite, got: Infinity for feature inverse on field _feature`,
  ],
  [{ rank: 'x' }, '400 number_format_exception: For input string: "x"'],
  [{ rank: { a: 1 } }, '400 number_format_exception: For input string: "START_OBJECT"'],
  [
    { topics: 'x' },
    `${IAE}[rank_features] fields must be json objects, expected a START_OBJECT but got: ` +
      'VALUE_STRING',
  ],
  [
    { topics: { a: [1] } },
    `${IAE}[rank_features] fields take hashes that map a feature to a strictly positive float, but ` +
      'got unexpected token START_ARRAY',
  ],
  [
    { topics: [{ a: 1 }, { a: 2 }] },
    `${IAE}[rank_features] fields do not support indexing multiple values for the same rank feature ` +
      '[topics.a] in the same document',
  ],
])('refuses %o', async (document, reason) => {
  expect(await refusal(rest, 'PUT /i/_doc/1', document)).toBe(reason)
})
