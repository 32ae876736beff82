import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('geo-point')

describe('geo_point fields', () => {
  let index: FieldIndex
  beforeAll(async () => {
    index = await fieldIndex(
      {
        f: { type: 'geo_point' },
        bare: { type: 'geo_point', doc_values: false },
        values: {
          type: 'geo_point',
          index: false,
          ignore_malformed: true,
          null_value: { lat: 1, lon: 2 },
        },
        copied: { type: 'geo_point', copy_to: 'f', fields: { k: { type: 'keyword' } } },
      },
      folder,
    )
    await index.add({ f: [1, 2] }, { bare: '1,2' }, { values: 'a' }, { values: null })
    await index.add({ f: [{ lat: 1, lon: 2 }, 'u4pruyd'], bare: { geohash: 'u' } }, {}, { f: [] })
  })
  afterAll(() => index.close())

  const checkAll = async (): Promise<void> => {
    expect(await index.find({ exists: { field: 'f' } })).toEqual(['0', '4'])
    expect(await index.find({ exists: { field: 'bare' } })).toEqual(['1', '4'])
    expect(await index.find({ exists: { field: 'values' } })).toEqual(['3'])
    const { json } = await index.rest.call('GET /i/_doc/4')
    expect(json._source).toEqual({ f: [{ lat: 1, lon: 2 }, 'u4pruyd'], bare: { geohash: 'u' } })
  }

  it('are found by their presence', checkAll)

  it('refuse searches for values and sorts', async () => {
    const exact =
      'Geometry fields do not support exact searching, use dedicated geometry queries instead: [f]'
    const asked: readonly [object, string][] = [
      [{ term: { f: '1,2' } }, exact],
      [{ terms: { f: ['1,2'] } }, exact],
      [{ match: { f: '1,2' } }, exact],
      [
        { range: { f: { gte: 1 } } },
        'Field [f] of type [geo_point] does not support range queries',
      ],
      [
        { prefix: { f: '1' } },
        'Can only use prefix queries on keyword, text and wildcard fields - not on [f] which is of type [geo_point]',
      ],
    ]
    for (const [query, reason] of asked)
      expect(await index.refusal({ query })).toEqual([400, reason])
    expect(await index.refusal({ sort: ['f'] })).toEqual([
      400,
      "can't sort on geo_point field without using specific sorting feature, like geo_distance",
    ])
    expect(await index.refusal({ sort: ['bare'] })).toEqual([
      400,
      "Can't load fielddata on [bare] because fielddata is unsupported on fields of type [geo_point]. Use doc values instead.",
    ])
  })

  it('refuse documents with what is no place, showing it', async () => {
    const { status, json } = await index.rest.call('PUT /i/_doc/x', { f: { lat: 91, lon: 1 } })
    expect(status).toBe(400)
    expect(json.error).toMatchObject({
      type: 'mapper_parsing_exception',
      reason:
        "failed to parse field [f] of type [geo_point] in document with id 'x'. " +
        "Preview of field's value: '{lat=91, lon=1}'",
      caused_by: {
        type: 'illegal_argument_exception',
        reason: 'illegal latitude value [91.0] for f',
      },
    })
    expect(await index.refused({ f: { lat: 1 } })).toEqual([
      'parse_exception',
      'field [lon] missing',
    ])
  })

  it('copy no places to other fields', async () => {
    for (const value of [[1, 2], { lat: 1, lon: 2 }])
      expect(await index.refused({ copied: value })).toEqual([
        'illegal_argument_exception',
        '[copy_to] cannot copy the values of field [copied] of type [geo_point], which are objects',
      ])
  })

  it('complain of parameters in the words of the first field types', async () => {
    const put = async (definition: object, name = 'f') => {
      const properties = { [name]: { type: 'geo_point', ...definition } }
      const { json } = await index.rest.call('PUT /i/_mapping', { properties })
      return json.error?.reason
    }
    expect(await put({ coerce: true, meta: { a: 1 } }, 'g')).toBe(
      'Mapping definition for [g] has unsupported parameters:  [coerce : true] [meta : {a=1}]',
    )
    expect(await put({ index: false, doc_values: false })).toBe(
      'Mapper for [f] conflicts with existing mapping:\n' +
        '[mapper [f] has different [index] values, mapper [f] has different [doc_values] values]',
    )
    expect(await put({ ignore_malformed: true, ignore_z_value: false })).toBeUndefined()
    const { text } = await index.rest.call('GET /i/_mapping')
    expect(text).toContain(
      '"f":{"type":"geo_point","ignore_malformed":true,"ignore_z_value":false}',
    )
    expect(text).toContain(
      '"values":{"type":"geo_point","ignore_malformed":true,"null_value":{"lat":1,"lon":2},"index":false}',
    )
  })

  it('are the same after a restart and in one segment', async () => {
    await index.restart()
    await checkAll()
    await index.merge()
    await checkAll()
  })
})
