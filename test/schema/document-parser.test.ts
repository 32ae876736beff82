import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DocumentParser } from '../../src/schema/document-parser.ts'
import { GrowingMapping } from '../../src/schema/growing-mapping.ts'
import { DEFAULT_MAPPING_LIMITS } from '../../src/schema/mapping.ts'
import { type MappingContext, parseMapping } from '../../src/schema/mapping-parser.ts'
import { OPERATIONS } from '../../src/schema/parsed-document.ts'
import { EngineError } from '../../src/util/errors.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'
import { writeJson } from '../../src/util/json/json-writer.ts'

const context: MappingContext = {
  limits: DEFAULT_MAPPING_LIMITS,
  hasAnalyzer: () => true,
  hasNormalizer: () => true,
  hasSimilarity: () => true,
}
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
const parserOf = (mapping: unknown): DocumentParser =>
  new DocumentParser(parseMapping(parseJsonTree(encode(JSON.stringify(mapping))), context), 20)
const parserFor = (properties: unknown): DocumentParser => parserOf({ properties })

/** The operations of a document as `field=value` texts. */
function operations(parser: DocumentParser, json: string): string[] {
  const source = encode(json)
  expect(parser.parse(source, 0, source.length, '1')).toBe(true)
  const d = parser.document
  return Array.from({ length: d.count }, (_, i) => {
    const ordinal = d.fields[i]!
    const name = ordinal < 0 ? '_ignored' : parser.mapping.leaves[ordinal]!.name
    const range = (bytes: Uint8Array): string =>
      new TextDecoder().decode(bytes.subarray(d.a[i]!, d.b[i]!))
    switch (d.kinds[i]) {
      case OPERATIONS.text:
      case OPERATIONS.keyword:
        return `${name}=${range(d.source)}`
      case OPERATIONS.scratchText:
      case OPERATIONS.scratchKeyword:
        return `${name}=${range(d.scratch)}`
      case OPERATIONS.long:
        return `${name}=${(BigInt(d.a[i]!) << 32n) + BigInt(d.b[i]!)}`
      default:
        return `${name}=${d.values[i]}`
    }
  })
}

function failure(parser: DocumentParser, json: string): EngineError {
  try {
    const source = encode(json)
    parser.parse(source, 0, source.length, '7')
  } catch (error) {
    expect(error).toBeInstanceOf(EngineError)
    expect(parser.document.count).toBe(0)
    return error as EngineError
  }
  throw new Error('the document was taken')
}

/** The mapping that documents leave behind. */
function grow(mapping: unknown, ...documents: string[]): unknown {
  const current = parseMapping(parseJsonTree(encode(JSON.stringify(mapping))), context)
  const growing = new GrowingMapping(new DocumentParser(current, 20), context, null)
  let grown = current
  for (const json of documents) {
    const source = encode(json)
    const read = growing.read(source, 0, source.length, '1')
    growing.adopt(read)
    grown = read.parser.mapping
  }
  return JSON.parse(new TextDecoder().decode(writeJson(grown.toJson())))
}

const proposed = (json: string, mapping: object = {}): unknown =>
  (grow(mapping, json) as { properties?: unknown }).properties

describe('reading documents', () => {
  it('gives text and keywords as they stand and numbers as 64-bit integers or doubles', () => {
    const parser = parserFor({
      t: { type: 'text', fields: { k: { type: 'keyword' } } },
      l: { type: 'long' },
      d: { type: 'double' },
      f: { type: 'float' },
      b: { type: 'boolean' },
      s: { type: 'scaled_float', scaling_factor: 100 },
      day: { type: 'date' },
      o: { properties: { x: { type: 'short' } } },
    })
    expect(
      operations(
        parser,
        '{"t":["a b","c\\u0064"],"l":[-1,9223372036854775807,"12",3.9],"d":0.1,"f":0.1,"b":[true,"false",""],' +
          '"s":1.239,"day":["1970-01-02",5],"o":[{"x":1},[{"x":"2"}],null],"o.x":3}',
      ),
    ).toEqual([
      't=a b',
      't.k=a b',
      't=cd',
      't.k=cd',
      'l=-1',
      'l=9223372036854775807',
      'l=12',
      'l=3',
      'd=0.1',
      `f=${Math.fround(0.1)}`,
      'b=1',
      'b=0',
      'b=0',
      's=124',
      'day=86400000',
      'day=5',
      'o.x=1',
      'o.x=2',
      'o.x=3',
    ])
  })

  it('reads integers and decimals to the last bit', () => {
    const parser = parserFor({ l: { type: 'long' }, d: { type: 'double' } })
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (long, double) => {
          const text = JSON.stringify(double)
          expect(operations(parser, `{"l":[${long},"${long}"],"d":[${text},"${text}"]}`)).toEqual([
            `l=${long}`,
            `l=${long}`,
            `d=${Number(text)}`,
            `d=${Number(text)}`,
          ])
        },
      ),
      { seed: 2, numRuns: 500 },
    )
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 6 }), (n, places) => {
        const text = (n / 10 ** places).toFixed(places)
        expect(operations(parser, `{"d":${text}}`)).toEqual([`d=${Number(text)}`])
      }),
      { seed: 2, numRuns: 500 },
    )
  })

  it('keeps the sign of a decimal zero and drops that of an integer one', () => {
    const parser = parserFor({ d: { type: 'double' } })
    const source = encode('{"d":[-0,-0.0,-0e0]}')
    parser.parse(source, 0, source.length, '1')
    expect([...parser.document.values.subarray(0, 3)]).toEqual([0, -0, -0])
  })

  it('leaves out nulls, empty lists and long keywords, and puts null values in', () => {
    const parser = parserFor({
      k: { type: 'keyword', ignore_above: 3, null_value: 'no' },
      n: { type: 'long', null_value: 7 },
      t: { type: 'text' },
    })
    expect(
      operations(parser, '{"k":["abc","abcd","äöü","😀😀",null],"n":[null,"",1],"t":[null,[]]}'),
    ).toEqual(['k=abc', 'k=äöü', 'k=no', 'n=7', 'n=7', 'n=1'])
  })

  it('takes the JSON text of any scalar as text', () => {
    const parser = parserFor({ k: { type: 'keyword' }, t: { type: 'text' } })
    expect(operations(parser, '{"k":[1.0,true,1e3],"t":[false,-0]}')).toEqual([
      'k=1.0',
      'k=true',
      'k=1e3',
      't=false',
      't=-0',
    ])
  })

  it('copies values to other fields, without chaining', () => {
    const parser = parserFor({
      a: { type: 'keyword', copy_to: ['b', 'all'] },
      b: { type: 'keyword', copy_to: 'all' },
      all: { type: 'text' },
    })
    expect(operations(parser, '{"a":["x\\n",null]}')).toEqual(['a=x\n', 'b=x\n', 'all=x\n'])
  })

  it('skips malformed values where the field says so, and names the field', () => {
    const parser = parserFor({
      n: { type: 'integer', ignore_malformed: true },
      d: { type: 'date', ignore_malformed: true },
    })
    expect(operations(parser, '{"n":["x",5,{"a":[1]},3000000000],"d":"x"}')).toEqual([
      '_ignored=n',
      'n=5',
      '_ignored=n',
      '_ignored=n',
      '_ignored=d',
    ])
  })

  it('keeps objects that are not enabled, or not to be added, out of the index', () => {
    const parser = parserOf({
      dynamic: 'false',
      properties: { e: { type: 'object', enabled: false }, k: { type: 'keyword' } },
    })
    expect(operations(parser, '{"e":{"a":[{"b":1}]},"x":[{"k":1}],"k":"y","y.z":1}')).toEqual([
      'k=y',
    ])
    expect(operations(parser, '{"e":5,"k":"z"}')).toEqual(['k=z'])
  })

  const number = parserFor({
    n: { type: 'integer' },
    l: { type: 'long' },
    y: { type: 'byte' },
    h: { type: 'half_float' },
    strict: { type: 'long', coerce: false },
    b: { type: 'boolean' },
    d: { type: 'date' },
    t: { type: 'text' },
    o: { properties: { x: { type: 'text' } } },
  })
  it.each([
    [
      '{"n":"x"}',
      "failed to parse field [n] of type [integer] in document with id '7'. Preview of field's value: 'x'",
      'For input string: "x"',
    ],
    [
      '{"n":3000000000}',
      "field's value: '3000000000'",
      'Numeric value (3000000000) out of range of int (-2147483648 - 2147483647)',
    ],
    [
      '{"l":9223372036854775808}',
      'of type [long]',
      'Numeric value (9223372036854775808) out of range of long (-9223372036854775808 - 9223372036854775807)',
    ],
    ['{"l":"1e400"}', 'of type [long]', 'Value [1e400] is out of range for a long'],
    ['{"y":128}', 'of type [byte]', 'Value [128] is out of range for a byte'],
    [
      '{"h":65520}',
      'of type [half_float]',
      '[half_float] supports only finite values, but got [65520.0]',
    ],
    ['{"strict":1.5}', 'of type [long]', 'Value [1.5] has a decimal part'],
    ['{"strict":"1"}', 'of type [long]', 'Long value passed as String'],
    [
      '{"b":"yes"}',
      'of type [boolean]',
      'Failed to parse value [yes] as only [true] or [false] are allowed.',
    ],
    [
      '{"d":"x"}',
      'of type [date]',
      'failed to parse date field [x] with format [strict_date_optional_time||epoch_millis]',
    ],
    ['{"d":" "}', 'of type [date]', 'cannot parse empty date'],
    [
      '{"t":{"a":1}}',
      "Preview of field's value: '{a=1}'",
      "Can't get text on a START_OBJECT at 1:6",
    ],
    [
      '{"o":1}',
      'object mapping for [o] tried to parse field [o] as object, but found a concrete value',
      undefined,
    ],
    [
      '{"t.x":1}',
      'Could not dynamically add mapping for field [t.x]. Existing mapping for [t] must be of type object but found [text].',
      undefined,
    ],
    ['[1]', 'Malformed content, must start with an object', undefined],
    ['1', 'Malformed content, must start with an object', undefined],
    ['  ', 'failed to parse, document is empty', undefined],
    ['{"":1}', 'failed to parse', 'field name cannot be an empty string'],
    ['{"..":1}', 'failed to parse', 'field name cannot contain only the character [.]'],
    [
      '{"a.":1}',
      'failed to parse',
      'object field starting or ending with a [.] makes object resolution ambiguous: [a.]',
    ],
    ['{" ":1}', 'failed to parse', "object field cannot contain only whitespace: [' ']"],
    [
      '{"_id":1}',
      'Field [_id] is a metadata field and cannot be added inside a document. Use the index API request parameters.',
      undefined,
    ],
  ])('refuses %s', (json, reason, cause) => {
    const error = failure(number, json)
    expect(error.type).toBe('mapper_parsing_exception')
    expect(error.message).toContain(reason)
    if (cause === undefined) expect(error.record.causedBy).toBeUndefined()
    else expect(error.record.causedBy?.reason).toContain(cause)
  })

  it.each([
    ['{"n":1,"n":2}', 'json_parse_exception', "Duplicate field 'n'", 1, 8],
    ['{"n":1', 'json_e_o_f_exception', 'Unexpected end-of-input', 1, 7],
    ['{"n":1}\n x', 'json_parse_exception', 'Unexpected character', 2, 2],
    ['[1,', 'json_e_o_f_exception', 'Unexpected end-of-input', 1, 4],
    ['nonsense', 'json_parse_exception', 'Unrecognized token', 1, 1],
  ])('says of %s that it is no JSON, and where', (json, type, reason, line, col) => {
    const { record } = failure(number, json)
    expect(record).toMatchObject({ type, extra: { line, col } })
    expect(record.reason).toContain(reason)
    expect(record.causedBy).toBeUndefined()
  })

  it('holds the depth limit for objects, lists and new objects', () => {
    const deep = `${'{"a":'.repeat(21)}1${'}'.repeat(21)}`
    expect(failure(parserOf({}), deep).message).toContain('has exceeded the allowed limit of [20]')
    const lists = `{"k":${'['.repeat(21)}1${']'.repeat(21)}}`
    expect(failure(parserFor({ k: { type: 'keyword' } }), lists).message).toContain('limit of [20]')
  })

  it('never answers anything but true, false or an engine error', () => {
    const parser = parserFor({
      a: { type: 'long' },
      b: { type: 'text', fields: { d: { type: 'date', ignore_malformed: true } } },
      c: { properties: { a: { type: 'boolean' } } },
    })
    fc.assert(
      fc.property(
        fc.object({
          key: fc.constantFrom('a', 'b', 'c', 'a.b', 'c.a', 'd', '__proto__'),
          maxDepth: 3,
          values: [fc.integer(), fc.double(), fc.string(), fc.boolean(), fc.constant(null)],
        }),
        value => {
          const source = encode(JSON.stringify(value))
          try {
            parser.parse(source, 0, source.length, '1')
          } catch (error) {
            expect(error).toBeInstanceOf(EngineError)
          }
        },
      ),
      { seed: 4, numRuns: 1000 },
    )
  })
})

describe('fields that a document brings', () => {
  it('maps new fields by the kind of their value', () => {
    expect(
      proposed(
        '{"l":1,"d":1.5,"b":true,"s":"x","day":"2020-01-02","slash":"2020/01/02","n":null,"e":[],' +
          '"num":"12","o":{"p":{"q":"y"},"r":{}},"list":[null,[2]],"a.b":1}',
      ),
    ).toEqual({
      l: { type: 'long' },
      d: { type: 'float' },
      b: { type: 'boolean' },
      s: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
      day: { type: 'date' },
      slash: { type: 'date', format: 'yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis' },
      num: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
      o: {
        properties: {
          p: {
            properties: {
              q: { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } },
            },
          },
          r: { type: 'object' },
        },
      },
      list: { type: 'long' },
      a: { properties: { b: { type: 'long' } } },
    })
  })

  it('obeys the detections', () => {
    expect(proposed('{"a":"1","b":"1.5"}', { numeric_detection: true })).toEqual({
      a: { type: 'long' },
      b: { type: 'float' },
    })
    expect(proposed('{"a":"2020-01-01"}', { date_detection: false })).toMatchObject({
      a: { type: 'text' },
    })
    expect(proposed('{"a":"01.02.2020"}', { dynamic_date_formats: ['dd.MM.yyyy'] })).toEqual({
      a: { type: 'date', format: 'dd.MM.yyyy' },
    })
  })

  it('refuses or ignores them where the mapping says so', () => {
    const strict = parserOf({ properties: { o: { dynamic: 'strict', properties: {} } } })
    const error = failure(strict, '{"new":1,"o":{"x":null}}')
    expect(error.type).toBe('strict_dynamic_mapping_exception')
    expect(error.message).toBe(
      'mapping set to strict, dynamic introduction of [x] within [o] is not allowed',
    )
    expect(strict.proposals).toEqual([])
    expect(failure(parserOf({ dynamic: 'strict' }), '{"a.b":1}').message).toBe(
      'mapping set to strict, dynamic introduction of [a] within [_doc] is not allowed',
    )
  })

  it('uses the first template that matches', () => {
    const templates = [
      { ids: { match: '*_id', match_mapping_type: 'string', mapping: { type: 'keyword' } } },
      { names: { path_match: 'name.*', path_unmatch: '*.middle', mapping: { copy_to: 'full' } } },
      {
        objects: {
          match_mapping_type: 'object',
          match: 'raw',
          mapping: { enabled: false, type: 'object' },
        },
      },
      {
        numbers: { match_mapping_type: 'long', mapping: { type: '{dynamic_type}', index: false } },
      },
    ]
    expect(
      proposed('{"x_id":"a","name":{"first":"b","middle":"c"},"raw":{"a":1},"n":1}', {
        dynamic_templates: templates,
      }),
    ).toMatchObject({
      x_id: { type: 'keyword' },
      name: {
        properties: { first: { type: 'text', copy_to: ['full'] }, middle: { type: 'text' } },
      },
      full: { type: 'text' },
      raw: { type: 'object', enabled: false },
      n: { type: 'long', index: false },
    })
    const only = { dynamic: 'strict_allow_templates', dynamic_templates: templates }
    expect(proposed('{"x_id":"a"}', only)).toEqual({ x_id: { type: 'keyword' } })
    expect(failure(parserOf(only), '{"s":"a"}').message).toContain('set to strict_allow_templates')
    expect(proposed('{"x_id":"a","s":1.5}', { ...only, dynamic: 'false_allow_templates' })).toEqual(
      {
        x_id: { type: 'keyword' },
      },
    )
  })

  it('lets the first of two documents decide', () => {
    expect(grow({}, '{"a":1}', '{"a":"2"}')).toEqual({ properties: { a: { type: 'long' } } })
  })
})
