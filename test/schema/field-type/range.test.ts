import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DocumentParser } from '../../../src/schema/document-parser.ts'
import {
  doubleOfOrder,
  doubleOrder,
  floatOfOrder,
  floatOrder,
} from '../../../src/schema/field-type/ordered-bits.ts'
import { RANGE_ENDS, type RangeTypeName } from '../../../src/schema/field-type/range-ends.ts'
import { IGNORED_FIELD } from '../../../src/schema/parsed-document.ts'
import { encodePoint } from '../../../src/search/query/point-value.ts'
import { encodeUtf8 } from '../../../src/util/bytes.ts'
import { EngineError } from '../../../src/util/errors.ts'
import { type Definition, mappingOf, reasonOf } from '../../support/one-field.ts'

const types = Object.keys(RANGE_ENDS) as RangeTypeName[]

/** The intervals that a document `{"f": ⟨json⟩}` adds, as their ends print. */
function readerOf(definition: Definition & { type: RangeTypeName }): (json: string) => string[] {
  const parser = new DocumentParser(mappingOf(definition), 20)
  const { words, offset, print } = RANGE_ENDS[definition.type]
  return json => {
    const source = encodeUtf8(`{"f":${json}}`)
    parser.parse(source, 0, source.length, '1')
    const { document } = parser
    return Array.from({ length: document.count }, (_, i) => {
      if (document.fields[i] === IGNORED_FIELD) return 'ignored'
      const bytes = document.scratch.subarray(document.a[i], document.b[i])
      const end = (at: number): string => {
        const hex = Buffer.from(bytes.subarray(at, at + 4 * words)).toString('hex')
        return print(BigInt(`0x${hex}`) - offset)
      }
      return `${end(0)}…${end(4 * words)}`
    })
  }
}

describe('range fields', () => {
  it.each<[RangeTypeName, string, string[]]>([
    ['integer_range', '{"gte":1,"lte":5}', ['1…5']],
    ['integer_range', '{"gt":1,"lt":5}', ['2…4']],
    ['integer_range', '{"gte":"1.9","lte":2.9}', ['1…2']],
    ['integer_range', '{}', ['-2147483648…2147483647']],
    ['integer_range', '{"gte":null,"lt":-2147483647}', ['-2147483648…-2147483648']],
    ['long_range', '[{"gt":9007199254740993},null]', ['9007199254740994…9223372036854775807']],
    ['float_range', '{"gte":0.1,"lte":"1.5"}', ['0.10000000149011612…1.5']],
    ['double_range', '{"gte":0.1}', ['0.1…Infinity']],
    ['double_range', '{"lt":5}', ['-Infinity…4.999999999999999']],
    ['date_range', '{"gte":"1970-01-02","lt":"1970-01-03||+1d"}', ['86400000…259199999']],
    ['date_range', '{"gte":0,"lte":"2020"}', ['0…1577836800000']],
    ['ip_range', '{"gte":"10.0.0.1","lt":"10.0.0.9"}', ['10.0.0.1…10.0.0.8']],
    ['ip_range', '["10.1.0.0/16","::1/128"]', ['10.1.0.0…10.1.255.255', '::1…::1']],
  ])('%s reads %s', (type, json, intervals) => {
    expect(readerOf({ type })(json)).toEqual(intervals)
  })

  it.each<[RangeTypeName, string, string]>([
    ['integer_range', '5', 'error parsing field [f], expected an object but got f'],
    ['ip_range', '5', 'error parsing field [f], expected an object but got f'],
    ['date_range', '"2020"', 'error parsing field [f], expected an object but got f'],
    ['long_range', '{"from":1}', 'error parsing field [f], with unknown parameter [from]'],
    ['long_range', '{"gte":5,"lte":4}', 'min value (5) is greater than max value (4)'],
    ['double_range', '{"gte":5,"lte":4.5}', 'min value (5.0) is greater than max value (4.5)'],
    ['long_range', '{"gt":4,"lt":5}', 'min value (5) is greater than max value (4)'],
    [
      'long_range',
      '{"gt":9223372036854775807}',
      'min value (9223372036854775808) is greater than max value (9223372036854775807)',
    ],
    ['ip_range', '{"gte":"::2","lte":"::1"}', 'min value (::2) is greater than max value (::1)'],
    ['integer_range', '{"gte":"x"}', 'For input string: "x"'],
    [
      'integer_range',
      '{"gte":3000000000}',
      'Numeric value (3000000000) out of range of int (-2147483648 - 2147483647)',
    ],
    ['integer_range', '{"gte":true}', 'For input string: "true"'],
    ['integer_range', '{"gte":[1]}', "Can't get text on a START_ARRAY"],
    ['integer_range', '{"gte":{}}', "Can't get text on a START_OBJECT"],
    ['float_range', '{"gte":1e39}', '[float] supports only finite values, but got [1e+39]'],
    ['date_range', '{"gte":"now-1d"}', 'now is not used at indexing time'],
    [
      'date_range',
      '{"gte":"x"}',
      'failed to parse date field [x] with format [strict_date_optional_time||epoch_millis]: ' +
        '[failed to parse date field [x] with format [strict_date_optional_time||epoch_millis]]',
    ],
    ['ip_range', '{"gte":"x"}', "'x' is not an IP string literal."],
    [
      'ip_range',
      '"10.0.0.0/33"',
      'Illegal prefix length [33] in [10.0.0.0/33]. Must be 0-32 for IPv4 ranges, 0-128 for IPv6 ranges',
    ],
  ])('%s refuses %s', (type, json, reason) => {
    expect(reasonOf(() => readerOf({ type })(json))).toBe(reason)
    expect(readerOf({ type, ignore_malformed: true })(json)).toEqual(['ignored'])
  })

  it('take no text and no fraction without coercion', () => {
    const read = readerOf({ type: 'integer_range', coerce: false })
    expect(reasonOf(() => read('{"gte":"1"}'))).toBe('Integer value passed as String')
    expect(reasonOf(() => read('{"gte":1.5}'))).toBe('Value [1.5] has a decimal part')
  })

  it.each(types)('of %s give an interval or a documented error, whatever is written', type => {
    const read = readerOf({ type })
    const key = fc.constantFrom('gt', 'gte', 'lt', 'lte', 'x')
    const end = fc.oneof(
      fc.jsonValue({ maxDepth: 1 }),
      fc.integer(),
      fc.ipV4(),
      fc.date({ noInvalidDate: true }).map(date => date.toISOString()),
    )
    const value = fc.oneof(fc.dictionary(key, end, { maxKeys: 3 }), fc.jsonValue(), fc.ipV4())
    fc.assert(
      fc.property(value, written => {
        try {
          read(JSON.stringify(written))
        } catch (error) {
          if (!(error instanceof EngineError)) throw error
          expect(['mapper_parsing_exception', 'json_parse_exception']).toContain(error.type)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('order their decimals as the index does', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), value => {
        expect(doubleOrder(value)).toBe(encodePoint(value, 'double'))
        expect(doubleOfOrder(doubleOrder(value))).toBe(value)
        const float = Math.fround(value)
        expect(floatOrder(float)).toBe(encodePoint(float, 'float'))
        expect(floatOfOrder(floatOrder(float))).toBe(float)
      }),
    )
  })
})
