import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder('binary')

describe('binary fields', () => {
  let index: FieldIndex
  beforeAll(async () => {
    index = await fieldIndex(
      {
        f: { type: 'binary', doc_values: true },
        kept: { type: 'binary', meta: { a: 'b' } },
        stored: { type: 'binary', store: true },
      },
      folder,
    )
    await index.add(
      { f: 'AQI=' },
      { kept: 'AQI=', stored: 'AQI=' },
      { f: ['AQI=', 'AAAA', 'AQI='] },
      { f: null },
    )
    await index.add({ f: '' }, {})
  })
  afterAll(() => index.close())

  const checkAll = async (): Promise<void> => {
    expect(await index.find({ exists: { field: 'f' } })).toEqual(['0', '2', '4'])
    expect(await index.find({ exists: { field: 'kept' } })).toEqual([])
    expect(await index.find({ exists: { field: 'stored' } })).toEqual(['1'])
    const { json } = await index.rest.call('GET /i/_doc/2')
    expect(json._source).toEqual({ f: ['AQI=', 'AAAA', 'AQI='] })
  }

  it('are found by their presence', checkAll)

  it('refuse every other search', async () => {
    const asked: readonly [object, string][] = [
      [{ term: { f: 'AQI=' } }, 'Binary fields do not support searching'],
      [{ terms: { f: ['AQI='] } }, 'Binary fields do not support searching'],
      [{ match: { kept: 'AQI=' } }, 'Binary fields do not support searching'],
      [
        { range: { f: { gte: 'AQI=' } } },
        'Field [f] of type [binary] does not support range queries',
      ],
      [
        { prefix: { f: 'A' } },
        'Can only use prefix queries on keyword, text and wildcard fields - not on [f] which is of type [binary]',
      ],
    ]
    for (const [query, reason] of asked)
      expect(await index.refusal({ query })).toEqual([400, reason])
    expect(await index.refusal({ sort: ['f'] })).toEqual([400, "can't sort on binary field"])
    expect(await index.refusal({ sort: ['kept'] })).toEqual([
      400,
      "Can't load fielddata on [kept] because fielddata is unsupported on fields of type [binary]. Use doc values instead.",
    ])
  })

  it('refuse what is no Base64, and parameters that they lack', async () => {
    expect(await index.refused({ f: 'A' })).toEqual([
      'json_parse_exception',
      'Failed to decode VALUE_STRING as base64 (MIME-NO-LINEFEEDS)',
    ])
    const put = async (definition: object): Promise<string> => {
      const properties = { g: { type: 'binary', ...definition } }
      return (await index.rest.call('PUT /i/_mapping', { properties })).json.error.reason
    }
    expect(await put({ index: true })).toBe(
      'unknown parameter [index] on mapper [g] of type [binary]',
    )
    const changed = await index.rest.call('PUT /i/_mapping', {
      properties: { f: { type: 'binary' } },
    })
    expect(changed.json.error.reason).toBe(
      'Mapper for [f] conflicts with existing mapper:\n\tCannot update parameter [doc_values] from [true] to [false]',
    )
    const { text } = await index.rest.call('GET /i/_mapping')
    expect(text).toContain('"kept":{"type":"binary","meta":{"a":"b"}}')
  })

  it('are the same after a restart and in one segment', async () => {
    await index.restart()
    await checkAll()
    await index.merge()
    await checkAll()
  })
})
