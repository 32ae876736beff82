import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let node: Rest
const ok = okOf(() => node)
const FIELDS = {
  place: { type: 'geo_point' },
  shape: { type: 'geo_shape' },
  ages: { type: 'integer_range' },
  net: { type: 'ip_range' },
  blob: { type: 'binary', doc_values: true },
  kept: { type: 'binary' },
  group: { type: 'keyword' },
  parts: { type: 'nested', properties: { place: { type: 'geo_point' } } },
} as const

/** Documents whose fields have none, one, the same and several values. */
const DOCUMENTS = [
  { group: 'a', place: '1,2', shape: 'POINT(1 2)', ages: { gte: 1, lte: 5 }, blob: 'aGVsbG8=' },
  { group: 'a', place: ['1,2', '3,4'], ages: [{ gte: 1, lte: 5 }, { gt: 7 }], net: '10.0.0.0/8' },
  { group: 'b', shape: ['POINT(1 2)', 'LINESTRING(0 0, 5 5)'], blob: ['aGVsbG8=', 'd29ybGQ='] },
  { group: 'b', kept: 'aGVsbG8=', parts: [{ place: '5,6' }, { place: '7,8' }, {}] },
  { group: 'b', ages: { gte: 1, lte: 5 }, net: '10.0.0.0/8' },
] as const

type Buckets = Record<string, { value?: number; doc_count?: number }>

async function counted(kind: string, keys: object = {}, index = 'all'): Promise<unknown[]> {
  const names = ['place', 'shape', 'ages', 'net', 'blob']
  const aggs = Object.fromEntries(names.map(field => [field, { [kind]: { field, ...keys } }]))
  const { aggregations } = await ok(`POST /${index}/_search`, { size: 0, aggs })
  return names.map(name => {
    const { value, doc_count } = (aggregations as Buckets)[name]!
    return value ?? doc_count
  })
}

async function refusal(kind: string, keys: object): Promise<unknown> {
  const aggs = { x: { [kind]: keys } }
  const { status, json: body } = await node.call('POST /all/_search', { size: 0, aggs })
  return [status, body.error?.root_cause[0].type, body.error?.root_cause[0].reason]
}

beforeAll(async () => {
  node = await openRest({})
  const mappings = { properties: FIELDS }
  for (const [index, shards] of [
    ['all', 1],
    ['apart', 3],
  ] as const) {
    await ok(`PUT /${index}`, { mappings, settings: { number_of_shards: shards } })
    for (const [i, each] of DOCUMENTS.entries()) {
      await ok(`PUT /${index}/_doc/${i}?refresh=${i % 2 === 0}`, each)
    }
    await ok(`PUT /${index}/_doc/gone?refresh=true`, DOCUMENTS[1])
    await ok(`DELETE /${index}/_doc/gone`)
    await ok(`POST /${index}/_refresh`)
  }
})
afterAll(() => node.close())

describe.each(['all', 'apart'])(
  'values of fields that are no numbers and no terms, in [%s]',
  index => {
    it('are counted: ranges and shapes of a document as one', async () => {
      expect(await counted('value_count', {}, index)).toEqual([3, 2, 3, 2, 3])
    })

    it('are missing', async () => {
      expect(await counted('missing', {}, index)).toEqual([3, 3, 2, 3, 3])
    })

    it('are told apart, but shapes', async () => {
      const aggs = Object.fromEntries(
        ['place', 'ages', 'net', 'blob'].map(field => [field, { cardinality: { field } }]),
      )
      const { aggregations } = await ok(`POST /${index}/_search`, { size: 0, aggs })
      expect(aggregations).toEqual({
        place: { value: 2 },
        ages: { value: 2 },
        net: { value: 1 },
        blob: { value: 2 },
      })
    })

    it('are counted in buckets', async () => {
      const aggs = {
        groups: {
          terms: { field: 'group' },
          aggs: {
            places: { value_count: { field: 'place' } },
            without: {
              missing: { field: 'shape' },
              aggs: { blobs: { value_count: { field: 'blob' } } },
            },
            blobs: { cardinality: { field: 'blob' } },
          },
        },
      }
      const { aggregations } = await ok(`POST /${index}/_search`, { size: 0, aggs })
      expect(aggregations.groups.buckets).toEqual([
        {
          key: 'b',
          doc_count: 3,
          places: { value: 0 },
          without: { doc_count: 2, blobs: { value: 0 } },
          blobs: { value: 2 },
        },
        {
          key: 'a',
          doc_count: 2,
          places: { value: 3 },
          without: { doc_count: 1, blobs: { value: 0 } },
          blobs: { value: 1 },
        },
      ])
    })

    it('are counted within nested documents', async () => {
      const aggs = {
        parts: {
          nested: { path: 'parts' },
          aggs: {
            places: { value_count: { field: 'parts.place' } },
            without: { missing: { field: 'parts.place' } },
          },
        },
      }
      const { aggregations } = await ok(`POST /${index}/_search`, { size: 0, aggs })
      expect(aggregations.parts).toEqual({
        doc_count: 3,
        places: { value: 2 },
        without: { doc_count: 1 },
      })
    })
  },
)

describe('[missing] of such a field', () => {
  it('is a place, a shape or a text', async () => {
    const aggs = {
      places: { value_count: { field: 'place', missing: '9,9' } },
      distinct: { cardinality: { field: 'place', missing: '9,9' } },
      shapes: { value_count: { field: 'shape', missing: 'POINT(3 3)' } },
      blobs: { value_count: { field: 'blob', missing: 'x' } },
      kinds: { cardinality: { field: 'blob', missing: 'x' } },
      none: { missing: { field: 'blob', missing: 'x' } },
    }
    const { aggregations } = await ok('POST /all/_search', { size: 0, aggs })
    expect(aggregations).toEqual({
      places: { value: 6 },
      distinct: { value: 3 },
      shapes: { value: 5 },
      blobs: { value: 6 },
      kinds: { value: 3 },
      none: { doc_count: 0 },
    })
  })

  it('is refused where it is none', async () => {
    expect(await refusal('value_count', { field: 'ages', missing: '1' })).toEqual([
      400,
      'illegal_argument_exception',
      "Can't apply missing values on a class " +
        'org.opensearch.search.aggregations.support.ValuesSource$Range',
    ])
    expect(await refusal('missing', { field: 'shape', missing: 'POINT(3' })).toEqual([
      400,
      'parse_exception',
      'Unable to parse the missing value [POINT(3] provided in the input.',
    ])
    const [status, type] = (await refusal('value_count', {
      field: 'place',
      missing: 'nowhere',
    })) as [number, string]
    expect([status, type]).toEqual([400, 'parse_exception'])
  })
})

describe('refused are', () => {
  it('fields without values by document', async () => {
    for (const kind of ['value_count', 'missing', 'cardinality'])
      expect(await refusal(kind, { field: 'kept' })).toEqual([
        400,
        'illegal_argument_exception',
        "Can't load fielddata on [kept] because fielddata is unsupported on fields of type " +
          '[binary]. Use doc values instead.',
      ])
  })

  it('formats', async () => {
    expect(await refusal('value_count', { field: 'place', format: '0.0' })).toEqual([
      400,
      'illegal_argument_exception',
      'Field [place] of type [geo_point] does not support custom formats',
    ])
  })

  it('other aggregations', async () => {
    for (const [kind, field, type] of [
      ['cardinality', 'shape', 'geo_shape'],
      ['terms', 'place', 'geo_point'],
      ['stats', 'ages', 'integer_range'],
    ])
      expect(await refusal(kind!, { field })).toEqual([
        400,
        'illegal_argument_exception',
        `Field [${field}] of type [${type}] is not supported for aggregation [${kind}]`,
      ])
  })
})
