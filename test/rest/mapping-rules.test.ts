import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
let next = 0

beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /docs', {
    settings: { 'index.mapping.depth.limit': 4 },
    mappings: {
      date_detection: false,
      properties: {
        f: { type: 'keyword' },
        n: { type: 'long' },
        o: { properties: { x: { type: 'long' } } },
        off: { type: 'object', enabled: false },
      },
    },
  })
})
afterAll(() => rest.close())

/** Status, type, reason and the cause's type and reason of a refused document. */
async function refusal(source: string): Promise<unknown[]> {
  const { status, json, text } = await rest.call('PUT /docs/_doc/1', source)
  expect(json.error, text).toBeDefined()
  const { type, reason, caused_by: cause } = json.error
  return cause === undefined
    ? [status, type, reason]
    : [status, type, reason, cause.type, cause.reason]
}
const MPE = 'mapper_parsing_exception'
const IAE = 'illegal_argument_exception'

describe('documents that cannot be indexed', () => {
  it.each([
    ['{"":1}', 'field name cannot be an empty string'],
    ['{".":1}', 'field name cannot contain only the character [.]'],
    ['{"..":1}', 'field name cannot contain only the character [.]'],
    [
      '{"a.":1}',
      'object field starting or ending with a [.] makes object resolution ambiguous: [a.]',
    ],
    [
      '{".a":1}',
      'object field starting or ending with a [.] makes object resolution ambiguous: [.a]',
    ],
    ['{" ":1}', "object field cannot contain only whitespace: [' ']"],
    ['{"a. .b":1}', "object field cannot contain only whitespace: ['a. .b']"],
  ])('names like those of %s fail to parse', async (source, reason) => {
    expect(await refusal(source)).toEqual([400, MPE, 'failed to parse', IAE, reason])
  })

  it.each([
    ['[1]', 'Malformed content, must start with an object'],
    ['1', 'Malformed content, must start with an object'],
    [
      '{"o":1}',
      'object mapping for [o] tried to parse field [o] as object, but found a concrete value',
    ],
    [
      '{"f.x":1}',
      'Could not dynamically add mapping for field [f.x]. Existing mapping for [f] must be of ' +
        'type object but found [keyword].',
    ],
    [
      '{"_id":1}',
      'Field [_id] is a metadata field and cannot be added inside a document. Use the index API ' +
        'request parameters.',
    ],
    [
      '{"a":{"b":{"c":{"d":{"e":1}}}}}',
      'The depth of the field [a.b.c.d] has exceeded the allowed limit of [4]. This limit can be set ' +
        'by changing the [index.mapping.depth.limit] index level setting.',
    ],
    [
      '{"f":[[[[[1]]]]]}',
      'The depth of the field [f] has exceeded the allowed limit of [4]. This limit can be set by ' +
        'changing the [index.mapping.depth.limit] index level setting.',
    ],
  ])('%s is refused with its own reason', async (source, reason) => {
    expect(await refusal(source)).toEqual([400, MPE, reason])
  })

  it('are refused when they are empty', async () => {
    expect(await refusal('   ')).toEqual([400, MPE, 'failed to parse, document is empty'])
  })

  it.each([
    ['{"n":"x"}', 'n', 'long', 'x', 'For input string: "x"'],
    ['{"n":{"a":1,"b":[true,null]}}', 'n', 'long', '{a=1, b=[true, null]}', null],
    ['{"f":{"a":"b"}}', 'f', 'keyword', '{a=b}', null],
    ['{"o":{"x":"y"}}', 'o.x', 'long', 'y', 'For input string: "y"'],
  ])('%s names its field, with a preview in Java', async (source, field, type, preview, cause) => {
    const [status, kind, reason, , found] = await refusal(source)
    expect([status, kind, reason]).toEqual([
      400,
      MPE,
      `failed to parse field [${field}] of type [${type}] in document with id '1'. ` +
        `Preview of field's value: '${preview}'`,
    ])
    if (cause !== null) expect(found).toBe(cause)
  })

  it('may have any JSON where an object is not enabled, and lists within lists', async () => {
    const source = { off: [{ a: [1, 'x', { '': null }] }, 3], n: [[1], [[2]]], o: [[{ x: 5 }]] }
    expect((await rest.call('PUT /docs/_doc/2?refresh', source)).status).toBe(201)
    expect((await rest.call('GET /docs/_doc/2')).json._source).toEqual(source)
    for (const [field, value] of [
      ['n', 2],
      ['o.x', 5],
    ] as const) {
      const query = { term: { [field]: value } }
      expect((await rest.call('POST /docs/_count', { query })).json.count).toBe(1)
    }
    expect((await rest.call('GET /docs/_mapping')).text).not.toContain('"a"')
  })
})

describe('detection', () => {
  const mapped = async (mappings: object, source: object): Promise<unknown> => {
    const index = `d${next++}`
    await rest.call(`PUT /${index}`, { mappings })
    const { status, text } = await rest.call(`PUT /${index}/_doc/1`, source)
    expect(status, text).toBe(201)
    return (await rest.call(`GET /${index}/_mapping`)).json[index].mappings
  }
  const TEXT = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } }

  it('maps values by what they look like', async () => {
    expect(
      await mapped({}, { i: 1, d: 1.5, b: false, s: 'x', day: '2020-01-02', slash: '2020/01/02' }),
    ).toEqual({
      properties: {
        i: { type: 'long' },
        d: { type: 'float' },
        b: { type: 'boolean' },
        s: TEXT,
        day: { type: 'date' },
        slash: { type: 'date', format: 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis' },
      },
    })
  })

  it('can be turned off, or to other formats', async () => {
    expect(await mapped({ date_detection: false }, { day: '2020-01-02' })).toEqual({
      date_detection: false,
      properties: { day: TEXT },
    })
    expect(await mapped({ numeric_detection: true }, { l: '12', d: '1.5', s: 'x' })).toEqual({
      numeric_detection: true,
      properties: { l: { type: 'long' }, d: { type: 'float' }, s: TEXT },
    })
    expect(
      await mapped({ dynamic_date_formats: ['dd.MM.yyyy'] }, { a: '01.02.2020', b: '2020-01-02' }),
    ).toEqual({
      dynamic_date_formats: ['dd.MM.yyyy'],
      properties: { a: { type: 'date', format: 'dd.MM.yyyy' }, b: TEXT },
    })
    const { json } = await rest.call(`PUT /d${next++}`, {
      mappings: { dynamic_date_formats: ['epoch_millis'] },
    })
    expect(json.error.reason).toBe(
      'Failed to parse mapping [_doc]: Epoch [epoch_millis] is not supported as dynamic date format',
    )
  })
})

describe('mappings that cannot be', () => {
  const put = async (mappings: object, settings: object = {}): Promise<unknown[]> => {
    const { status, json } = await rest.call(`PUT /m${next++}`, { mappings, settings })
    return [status, json.error?.caused_by?.type, json.error?.reason.replace(WRAP, '')]
  }
  const WRAP = 'Failed to parse mapping [_doc]: '
  const field = (definition: unknown): object => ({ properties: { f: definition } })

  it.each([
    [{ properties: 1 }, 'parse_exception', 'properties must be a map type'],
    [{ k: 'v' }, MPE, 'Root mapping definition has unsupported parameters:  [k : v]'],
    [
      field({ type: 'nested', k: 'v' }),
      MPE,
      'Mapping definition for [f] has unsupported parameters:  [k : v]',
    ],
    [field({ type: 'long', k: 'v' }), MPE, 'unknown parameter [k] on mapper [f] of type [long]'],
    [field({ type: 'wat' }), MPE, 'No handler for type [wat] declared on field [f]'],
    [field({}), MPE, 'No type specified for field [f]'],
    [
      field({ type: 'long', index: null }),
      MPE,
      '[index] on mapper [f] of type [long] must not have a [null] value',
    ],
    [
      field({ type: 'text', fields: { g: { type: 'nested' } } }),
      MPE,
      'Type [nested] cannot be used in multi field',
    ],
    [
      field({ type: 'text', fields: { g: { type: 'keyword', copy_to: 'x' } } }),
      MPE,
      '[copy_to] may not be used to copy from a multi-field: [f.g]',
    ],
    [
      { properties: { f: { type: 'text', copy_to: 'o' }, o: { properties: {} } } },
      IAE,
      'Cannot copy to field [o] since it is mapped as an object',
    ],
    [
      {
        properties: {
          f: { type: 'text', copy_to: 'g.h' },
          g: { type: 'text', fields: { h: { type: 'keyword' } } },
        },
      },
      IAE,
      '[copy_to] may not be used to copy to a multi-field: [g.h]',
    ],
  ])('%j', async (mappings, type, reason) => {
    expect(await put(mappings)).toEqual([400, type, reason])
  })

  it.each([
    [
      { 'index.mapping.total_fields.limit': 2 },
      { properties: { a: { type: 'text', fields: { b: { type: 'keyword' } } }, c: {} } },
      'No type specified for field [c]',
    ],
    [
      { 'index.mapping.total_fields.limit': 2 },
      {
        properties: {
          a: { type: 'text', fields: { b: { type: 'keyword' } } },
          c: { properties: {} },
        },
      },
      'Limit of total fields [2] has been exceeded',
    ],
    [
      { 'index.mapping.depth.limit': 2 },
      { properties: { 'a.b.c': { type: 'long' } } },
      'Limit of mapping depth [2] has been exceeded due to object field [a.b]',
    ],
    [
      { 'index.mapping.field_name_length.limit': 3 },
      { properties: { abcd: { type: 'long' } } },
      'Field name [abcd] is longer than the limit of [3] characters',
    ],
    [
      { 'index.mapping.nested_fields.limit': 1 },
      { properties: { a: { type: 'nested', properties: { b: { type: 'nested' } } } } },
      'Limit of nested fields [1] has been exceeded',
    ],
  ])('are held to %j', async (settings, mappings, reason) => {
    const [status, , found] = await put(mappings, settings)
    expect([status, found]).toEqual([400, reason])
  })

  it('hold documents to the same limits', async () => {
    await rest.call('PUT /limits', {
      settings: {
        'index.mapping.field_name_length.limit': 5,
        'index.mapping.nested_fields.limit': 0,
      },
      mappings: {
        dynamic_templates: [
          { n: { match_mapping_type: 'object', match: 'n*', mapping: { type: 'nested' } } },
        ],
      },
    })
    for (const [source, reason] of [
      [{ abcdef: 1 }, 'Field name [abcdef] is longer than the limit of [5] characters'],
      [{ n: {} }, 'Limit of nested fields [0] has been exceeded'],
    ] as const) {
      const { status, json } = await rest.call('PUT /limits/_doc/1', source)
      expect([status, json.error.caused_by?.reason ?? json.error.reason]).toEqual([400, reason])
    }
    expect((await rest.call('PUT /limits/_doc/1', { abcde: { abcde: 1 } })).status).toBe(201)
  })
})
