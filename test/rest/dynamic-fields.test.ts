import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest({})
})
afterAll(() => rest.close())

const fieldsOf = async (index: string): Promise<string[]> => {
  const { json } = await rest.call(`GET /${index}/_mapping`)
  return Object.keys(json[index].mappings.properties ?? {})
}

describe('fields that documents bring', () => {
  it('refuses a document with more fields than the limit, and maps none of them', async () => {
    await rest.call('PUT /wide', {})
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, i]))
    const refused = await rest.call('PUT /wide/_doc/1', wide)
    expect([refused.status, refused.json.error.type, refused.json.error.reason]).toEqual([
      400,
      'illegal_argument_exception',
      'Limit of total fields [1000] has been exceeded',
    ])
    expect(await fieldsOf('wide')).toEqual([])
  })

  it('maps no field of a document that is refused for anything else', async () => {
    await rest.call('PUT /refused', { mappings: { properties: { n: { type: 'long' } } } })
    const documents = [
      { a: 1, n: 'x' },
      { b: { c: 1 }, n: 'x' },
      { d: { match: { deep: 'x'.repeat(40_000) } } },
      { f: { type: 'x' }, '': 1 },
    ]
    const lines = documents.flatMap((source, i) => [{ index: { _id: String(i) } }, source])
    const { json } = await rest.call(
      'POST /refused/_bulk',
      ndjson(...lines, { index: { _id: 'good' } }, { good: true }),
    )
    const statuses = json.items.map(({ index }: { index: { status: number } }) => index.status)
    // A long text is cut up by its analyzer, and its keyword is ignored.
    expect(statuses).toEqual([400, 400, 201, 400, 201])
    expect(await fieldsOf('refused')).toEqual(['d', 'good', 'n'])
  })

  it('maps no field of a document with an immense term', async () => {
    await rest.call('PUT /immense', {
      mappings: {
        dynamic_templates: [
          { all: { match_mapping_type: 'string', mapping: { type: 'keyword' } } },
        ],
      },
    })
    const { status, json } = await rest.call('PUT /immense/_doc/1', {
      ok: 1,
      long: 'x'.repeat(40_000),
    })
    expect(status).toBe(400)
    expect(json.error.reason).toContain('immense term in field="long"')
    expect(await fieldsOf('immense')).toEqual([])
    expect((await rest.call('PUT /immense/_doc/1', { ok: 1 })).status).toBe(201)
    expect(await fieldsOf('immense')).toEqual(['ok'])
  })

  it('maps the fields of all documents of a bulk, whoever brings one first', async () => {
    await rest.call('PUT /many', { settings: { 'index.mapping.total_fields.limit': 60 } })
    const lines = Array.from({ length: 200 }, (_, i) => [
      { index: { _id: String(i) } },
      { [`f${i % 100}`]: i, [`o.p${i % 3}`]: 'x' },
    ]).flat()
    const { json } = await rest.call('POST /many/_bulk?refresh', ndjson(...lines))
    const failed = json.items.filter((item: { index: { error?: object } }) => item.index.error)
    // The object, its three texts with a multi-field each, and 53 numbers.
    expect(await fieldsOf('many')).toHaveLength(54)
    expect(failed).toHaveLength(2 * (100 - 53))
    for (const { index } of failed)
      expect(index.error.reason).toBe('Limit of total fields [60] has been exceeded')
    const { json: counted } = await rest.call('GET /many/_count')
    expect(counted.count).toBe(106)
  })
})
