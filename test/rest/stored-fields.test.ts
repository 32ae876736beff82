import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'

/** A value of each type whose fields may be kept in no way but stored. */
const VALUES = {
  keyword: 'a',
  long: 1,
  half_float: 1.5,
  boolean: true,
  date: '2020',
  ip: '::1',
  binary: 'AQI=',
  long_range: { gte: 1 },
  geo_point: [1, 2],
} as const

describe('a field that is stored, without index and doc values', () => {
  let index: FieldIndex
  beforeAll(async () => {
    const bare = { index: false, doc_values: false, store: true }
    const types = Object.keys(VALUES)
    const properties = types.map(type => [
      type,
      { type, ...(type === 'binary' ? { store: true } : bare) },
    ])
    index = await fieldIndex(Object.fromEntries(properties))
    await index.add(VALUES, {})
  })
  afterAll(() => index.close())

  it.each(Object.keys(VALUES))('of type %s is found by its presence', async field => {
    expect(await index.find({ exists: { field } })).toEqual(['0'])
  })

  it('prints that it is', async () => {
    const { text } = await index.rest.call('GET /i/_mapping')
    expect(text).toContain('"ip":{"type":"ip","index":false,"doc_values":false,"store":true}')
  })
})
