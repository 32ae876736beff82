import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Answered, openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

let rest: Rest
const folder = tempFolder('disable-objects')

beforeEach(async () => {
  rest = await openRest({}, folder)
})
afterEach(async () => {
  await rest.call('DELETE /_all')
  await rest.call('DELETE /_index_template/*')
  await rest.close()
})

const ok = async (line: string, body?: object): Promise<Answered['json']> => {
  const { json } = await rest.call(line, body)
  expect([line, json.error]).toEqual([line, undefined])
  return json
}

const refused = async (line: string, body?: object): Promise<unknown[]> => {
  const { status, json } = await rest.call(line, body)
  return [status, json.error.type, json.error.reason]
}

const mapping = async (): Promise<unknown> => (await ok('GET /i/_mapping')).i.mappings
const ids = async (query: object): Promise<string[]> =>
  (await ok('POST /i/_search', { query })).hits.hits.map((hit: { _id: string }) => hit._id).sort()

const TEXT = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } }

describe('disable_objects', () => {
  it('at the root keeps dotted names, and flattens objects and lists of them', async () => {
    await ok('PUT /i', { mappings: { disable_objects: true } })
    await ok('PUT /i/_doc/1?refresh', { 'metrics.cpu.usage': 0.82 })
    await ok('PUT /i/_doc/2?refresh', { metrics: { cpu: { usage: 0.65 }, 'cpu.load': [1, 2] } })
    await ok('PUT /i/_doc/3?refresh', { metrics: [{ cpu: [{ usage: 0.5 }, null] }, [], [{}]] })
    expect(await mapping()).toEqual({
      disable_objects: true,
      properties: {
        'metrics.cpu.load': { type: 'long' },
        'metrics.cpu.usage': { type: 'float' },
      },
    })
    expect(await ids({ range: { 'metrics.cpu.usage': { gte: 0.6 } } })).toEqual(['1', '2'])
    expect(await ids({ exists: { field: 'metrics.cpu.usage' } })).toEqual(['1', '2', '3'])
    const { hits } = await ok('POST /i/_search', {
      query: { term: { 'metrics.cpu.load': 2 } },
      fields: ['metrics.*'],
      docvalue_fields: ['metrics.cpu.load'],
    })
    expect(hits.hits[0]._source).toEqual({ metrics: { cpu: { usage: 0.65 }, 'cpu.load': [1, 2] } })
    expect(hits.hits[0].fields).toEqual({ 'metrics.cpu.usage': [0.65], 'metrics.cpu.load': [1, 2] })
  })

  it('lets a field and names below it stand beside each other, whichever comes first', async () => {
    const properties = { attributes: { type: 'object', disable_objects: true } }
    await ok('PUT /i', { mappings: { properties } })
    await ok('PUT /i/_doc/1', { attributes: { 'address.city': 'Austin' } })
    await ok('PUT /i/_doc/2', { attributes: { address: 'US' } })
    await ok('PUT /i/_doc/3?refresh', {
      attributes: { address: { city: 'Oslo' } },
      'attributes.address': 'NO',
      'attributes.zip.code': 7,
    })
    expect(await mapping()).toEqual({
      properties: {
        attributes: {
          disable_objects: true,
          properties: { address: TEXT, 'address.city': TEXT, 'zip.code': { type: 'long' } },
        },
      },
    })
    expect(await ids({ match: { 'attributes.address.city': 'oslo' } })).toEqual(['3'])
    expect(await ids({ match: { 'attributes.address': 'us no' } })).toEqual(['2', '3'])
    expect(await ids({ term: { 'attributes.zip.code': 7 } })).toEqual(['3'])
  })

  it('holds for mapped fields, after a restart too, and leaves other objects alone', async () => {
    await ok('PUT /i', {
      mappings: {
        properties: {
          flat: {
            properties: {
              'a.b': { type: 'keyword', copy_to: 'flat.all.of' },
              'a.at': { type: 'geo_point' },
            },
            disable_objects: true,
          },
          deep: { properties: { x: { type: 'long' } } },
          off: { type: 'object', disable_objects: false },
        },
      },
    })
    await rest.close()
    rest = await openRest({}, folder)
    await ok('PUT /i/_doc/1?refresh', {
      flat: { a: { b: ['k', 'l'], at: { lat: 1, lon: 2 } } },
      deep: { y: { z: 1 } },
      off: { p: { q: true } },
    })
    expect(await mapping()).toEqual({
      properties: {
        deep: { properties: { x: { type: 'long' }, y: { properties: { z: { type: 'long' } } } } },
        flat: {
          disable_objects: true,
          properties: {
            'a.at': { type: 'geo_point' },
            'a.b': { type: 'keyword', copy_to: ['flat.all.of'] },
            'all.of': TEXT,
          },
        },
        off: {
          disable_objects: false,
          properties: { p: { properties: { q: { type: 'boolean' } } } },
        },
      },
    })
    expect(await ids({ term: { 'flat.a.b': 'l' } })).toEqual(['1'])
    expect(await ids({ match: { 'flat.all.of': 'k' } })).toEqual(['1'])
    expect(await ids({ exists: { field: 'flat.a.at' } })).toEqual(['1'])
  })

  it('keeps to `dynamic` of its object, and to its templates', async () => {
    await ok('PUT /i', {
      mappings: {
        properties: {
          quiet: {
            type: 'object',
            disable_objects: true,
            dynamic: false,
            properties: { 'a.b': { type: 'long' } },
          },
          strict: { type: 'object', disable_objects: true, dynamic: 'strict' },
        },
        dynamic_templates: [
          {
            flat: {
              match: 'attributes',
              match_mapping_type: 'object',
              mapping: { type: 'object', disable_objects: true },
            },
          },
          { words: { path_match: 'attributes.w*', mapping: { type: 'keyword' } } },
        ],
      },
    })
    await ok('PUT /i/_doc/1?refresh', {
      quiet: { a: { b: 1, c: 2 }, d: {} },
      attributes: { foo: { bar: 'baz' }, word: { x: 'y' }, count: 42 },
    })
    const { properties } = (await mapping()) as { properties: Record<string, object> }
    expect(properties['quiet']).toEqual({
      dynamic: 'false',
      disable_objects: true,
      properties: { 'a.b': { type: 'long' } },
    })
    expect(properties['attributes']).toEqual({
      disable_objects: true,
      properties: { count: { type: 'long' }, 'foo.bar': TEXT, 'word.x': { type: 'keyword' } },
    })
    expect(await ids({ term: { 'quiet.a.b': 1 } })).toEqual(['1'])
    expect(await refused('PUT /i/_doc/2', { strict: { a: { b: 1 } } })).toEqual([
      400,
      'strict_dynamic_mapping_exception',
      'mapping set to strict, dynamic introduction of [a] within [strict] is not allowed',
    ])
  })

  it('makes nested documents of flat objects', async () => {
    const kids = { type: 'nested', disable_objects: true }
    await ok('PUT /i', { mappings: { properties: { kids } } })
    await ok('PUT /i/_doc/1?refresh', {
      kids: [
        { a: { b: 1 }, c: 1 },
        { a: { b: 2 }, c: 2 },
      ],
    })
    const both = (b: number, c: number): object => ({
      nested: {
        path: 'kids',
        query: { bool: { filter: [{ term: { 'kids.a.b': b } }, { term: { 'kids.c': c } }] } },
      },
    })
    expect([await ids(both(2, 2)), await ids(both(1, 2))]).toEqual([['1'], []])
  })

  it('is in field capabilities without the objects that there are not', async () => {
    const properties = { attributes: { type: 'object', disable_objects: true } }
    await ok('PUT /i', { mappings: { properties } })
    await ok('PUT /i/_doc/1?refresh', { attributes: { foo: { bar: 'baz' } } })
    const { fields } = await ok('GET /i/_field_caps?fields=attributes*')
    expect(Object.keys(fields).sort()).toEqual([
      'attributes',
      'attributes.foo.bar',
      'attributes.foo.bar.keyword',
    ])
    expect(Object.keys(fields.attributes)).toEqual(['object'])
  })

  it('comes with templates, of which the later one wins', async () => {
    const component = (mappings: object): object => ({ template: { mappings } })
    await ok('PUT /_component_template/a', component({ disable_objects: true }))
    await ok('PUT /_component_template/b', component({ properties: { n: { type: 'long' } } }))
    await ok('PUT /_index_template/t', { index_patterns: ['i'], composed_of: ['a', 'b'] })
    await ok('PUT /i/_doc/1', { x: { y: true } })
    expect(await mapping()).toEqual({
      disable_objects: true,
      properties: { n: { type: 'long' }, 'x.y': { type: 'boolean' } },
    })
    await ok('DELETE /_index_template/t')
    await ok('DELETE /_component_template/a,b')
  })

  const INNER = (name: string, within: string): string =>
    `Field mapping conflict: Cannot add nested object field [${name}] when disable_objects is ` +
    `enabled for [${within}]. With disable_objects=true, all fields must use flat field notation ` +
    "(e.g., 'field.name' as a single field) rather than nested object structures."

  it.each([
    [
      { disable_objects: 'no' },
      'Failed to parse mapping [_doc]: Configuration error: Parameter [disable_objects] must be a ' +
        'boolean value (true or false), but got [no]. Could not convert ' +
        '[disable_objects.disable_objects] to boolean',
    ],
    [
      { disable_objects: true, properties: { o: { properties: {} } } },
      `Failed to parse mapping [_doc]: ${INNER('o', '_doc')}`,
    ],
    [
      {
        properties: {
          p: { disable_objects: true, type: 'object', properties: { 'a.b': { type: 'nested' } } },
        },
      },
      `Failed to parse mapping [_doc]: ${INNER('p.a.b', 'p')}`,
    ],
    [
      { properties: { n: { type: 'long', disable_objects: true } } },
      'Failed to parse mapping [_doc]: unknown parameter [disable_objects] on mapper [n] of type [long]',
    ],
  ])('is refused: %j', async (mappings, reason) => {
    expect(await refused('PUT /i', { mappings })).toEqual([400, 'mapper_parsing_exception', reason])
  })

  it.each([
    [{ a: { '': 1 } }, 'field name cannot be an empty string'],
    [{ a: { ' ': 1 } }, "object field cannot contain only whitespace: [' ']"],
    [
      { 'a..b': 1 },
      'object field starting or ending with a [.] makes object resolution ambiguous: [a..b]',
    ],
    [
      JSON.parse(`${'{"a":'.repeat(21)}1${'}'.repeat(21)}`),
      `The depth of the field [${Array(20).fill('a').join('.')}] has exceeded the allowed limit of [20]. ` +
        'This limit can be set by changing the [index.mapping.depth.limit] index level setting.',
    ],
    [
      { _id: '1' },
      'Field [_id] is a metadata field and cannot be added inside a document. Use the index API ' +
        'request parameters.',
    ],
  ])('refuses %j', async (source, reason) => {
    await ok('PUT /i', { mappings: { disable_objects: true } })
    const { status, json } = await rest.call('PUT /i/_doc/1', source)
    expect([status, (json.error.caused_by ?? json.error).reason]).toEqual([400, reason])
    expect(await mapping()).toEqual({ disable_objects: true })
  })

  it('cannot change, and takes no objects later', async () => {
    const properties = { o: { type: 'object', disable_objects: true } }
    await ok('PUT /i', { mappings: { disable_objects: false, properties } })
    const put = (body: object): Promise<unknown[]> => refused('PUT /i/_mapping', body)
    expect(await put({ disable_objects: true })).toEqual([
      400,
      'mapper_exception',
      'Cannot update parameter [disable_objects] from [false] to [true] for object mapping [_doc]. ' +
        'The disable_objects setting is immutable after index creation.',
    ])
    expect(await put({ properties: { o: { type: 'object', disable_objects: false } } })).toEqual([
      400,
      'mapper_exception',
      'Cannot update parameter [disable_objects] from [true] to [false] for object mapping [o]. ' +
        'The disable_objects setting is immutable after index creation.',
    ])
    expect(await put({ properties: { 'o.p.q': { type: 'long' } } })).toEqual([
      400,
      'mapper_exception',
      INNER('o.p', 'o'),
    ])
    await ok('PUT /i/_mapping', {
      properties: {
        o: { type: 'object', disable_objects: true, properties: { 'p.q': { type: 'long' } } },
      },
    })
    expect((await ok('GET /i/_mapping/field/o.p.q')).i.mappings['o.p.q'].full_name).toBe('o.p.q')
  })
})
