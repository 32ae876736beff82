import { describe, expect, it } from 'vitest'
import { BytesValue } from '../../../src/script/doc/bytes-value.ts'
import { type DocValuesKind, docValuesClass } from '../../../src/script/doc/doc-classes.ts'
import { DocFields, DocValues, unknownField } from '../../../src/script/doc/doc-values.ts'
import { GeoPointValue } from '../../../src/script/doc/geo-point-value.ts'
import {
  compilePainless,
  type PainlessScript,
} from '../../../src/script/painless/compile-painless.ts'
import type { Typed } from '../../../src/script/painless/library/class-type.ts'
import { doubleValue, type ScriptValue } from '../../../src/script/value/script-value.ts'
import { textOfValue } from '../../../src/script/value/value-text.ts'
import { jsonOfValue } from '../../../src/script/value/write-value.ts'
import { EngineError, type ErrorRecord } from '../../../src/util/errors.ts'
import type { Long } from '../../../src/util/long.ts'
import { freeRun, SETTINGS } from '../painless/run-script.ts'

const FIELDS: Readonly<Record<string, [DocValuesKind, readonly (Long | ScriptValue)[]]>> = {
  likes: ['Longs', [3, 5]],
  big: ['Longs', [2n ** 62n]],
  rank: ['Doubles', [2, 2.5]],
  name: ['Strings', ['a', 'b']],
  flag: ['Booleans', [true]],
  none: ['Longs', []],
  noName: ['Strings', []],
  place: ['GeoPoints', [new GeoPointValue(52, 13)]],
  noPlace: ['GeoPoints', []],
  bytes: ['BytesRefs', [new BytesValue(new Uint8Array([0x6d, 0x6f]))]],
}

class Values extends DocValues {
  readonly className: string
  readonly numbers: 'long' | 'double' | null
  readonly size: number
  readonly #items: readonly (Long | ScriptValue)[]

  constructor(kind: DocValuesKind, items: readonly (Long | ScriptValue)[]) {
    super()
    this.className = docValuesClass(kind)
    this.numbers = kind === 'Longs' ? 'long' : kind === 'Doubles' ? 'double' : null
    this.size = items.length
    this.#items = items
  }

  override at(index: number): ScriptValue {
    const item = this.#items[index]!
    if (this.numbers === 'long') return BigInt(item as Long)
    return this.numbers === 'double' ? doubleValue(item as number) : (item as ScriptValue)
  }

  override bareAt(index: number): Long {
    return this.#items[index] as Long
  }
}

class Fields extends DocFields {
  asked = 0

  override field(name: string): DocValues {
    this.asked++
    const found = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined
    if (found === undefined) throw unknownField(name)
    return new Values(...found)
  }

  override has(name: string): boolean {
    return Object.hasOwn(FIELDS, name)
  }
}

const VARIABLES = [
  { name: 'doc', type: 'Map' },
  { name: '_score', type: 'double' },
]

function compile(source: string, returns = 'def'): PainlessScript {
  return compilePainless(source, { variables: VARIABLES, returns }, SETTINGS)
}

function run(source: string, returns = 'def'): Typed {
  return compile(source, returns).execute([new Fields(), 1.5], freeRun())
}

function failure(source: string): ErrorRecord {
  try {
    run(source)
  } catch (error) {
    if (error instanceof EngineError) return error.record
    throw error
  }
  return expect.fail('did not fail')
}

describe('doc', () => {
  it.each([
    ["doc['likes'].value", '3'],
    ['doc.likes.value', '3'],
    ["doc['likes'].value + 1", '4'],
    ["doc['likes'].value / 2", '1'],
    ["doc['likes'].value * 1.5", '4.5'],
    ["doc['likes'].value == 3", 'true'],
    ["doc['likes'].value > 2.5", 'true'],
    ["doc['likes'].value < doc['rank'].value", 'false'],
    ["doc['big'].value + 1", '4611686018427387905'],
    ["doc['big'].value * 2", '-9223372036854775808'],
    ["doc['big'].value == 4611686018427387904L", 'true'],
    ["doc['rank'].value", '2.0'],
    ["doc['rank'].value / 4", '0.5'],
    ["doc['rank'].get(1)", '2.5'],
    ["doc['rank'][1] + doc['rank'].size()", '4.5'],
    ["doc['rank'].length + doc['rank'].size()", '4'],
    ["doc['none'].size() == 0 ? 'none' : doc['none'].value", 'none'],
    ["doc['none'].empty", 'true'],
    ["doc['none'].isEmpty()", 'true'],
    ["doc['likes'].empty", 'false'],
    ["doc['name'].value + '!'", 'a!'],
    ["'!' + doc['name'].value", '!a'],
    ["doc['name'].value.length()", '1'],
    ["doc['name'].contains('b')", 'true'],
    ["doc['name'].indexOf('b')", '1'],
    ["doc['name']", '[a, b]'],
    ["String s = ''; for (n in doc['name']) { s += n } s", 'ab'],
    ["long s = 0; for (long n : doc['likes']) { s += n } s", '8'],
    ["doc['likes'].stream().mapToLong(x -> x).sum()", '8'],
    ["doc['name'].collect(x -> x + 'x')", '[ax, bx]'],
    ["List l = doc['name']; l.get(1)", 'b'],
    ["def f = 'likes'; doc[f].value", '3'],
    ["def f = 'likes'; doc.get(f).value", '3'],
    ["doc.containsKey('likes') && !doc.containsKey('x')", 'true'],
    ["doc['flag'].value ? 1 : 2", '1'],
    ["!doc['flag'].value", 'false'],
    ["def sum(List l) { return l.size() } sum(doc['likes'])", '2'],
    ["[1].collect(x -> x + doc['likes'].value)", '[4]'],
    ["(doc['noName'].size() == 0 ? 0 : doc['noName'].value.length()) + 1", '1'],
    ["doc['bytes'].value.utf8ToString()", 'mo'],
    ["doc['bytes'].value", '[6d 6f]'],
    ["doc['place'].lat + doc['place'].lon", '65.0'],
    ["doc['place'].value.lat", '52.0'],
    ["doc['place'].lats", '[52.0]'],
    ["doc['place'].lons", '[13.0]'],
    ["doc['place'].arcDistance(52, 13)", '0.0'],
    ["doc['place'].planeDistance(52, 13)", '0.0'],
    ["(int) (doc['place'].arcDistance(53, 13) / 1000)", '111'],
    ["(int) (doc['place'].geohashDistance('u33') / 1000)", '23'],
    ["doc['noPlace'].arcDistanceWithDefault(53, 13, 7)", '7.0'],
    ["doc['noPlace'].planeDistanceWithDefault(53, 13, 7)", '7.0'],
    ["doc['noPlace'].geohashDistanceWithDefault('u33', 7)", '7.0'],
  ])('%s gives %s', (source, expected) => {
    expect(textOfValue(run(source) as ScriptValue, freeRun())).toBe(expected)
  })

  it.each([
    ["doc['likes'].value", 3],
    ["2 + doc['likes'].value", 5],
    ["doc['likes'].value + 2.5", 5.5],
    ["doc['big'].value + 1", 2 ** 62],
    ["doc['likes'].value / 2", 1],
    ["doc['likes'].value - 0.5", 2.5],
    ["doc['likes'].value % 2 * _score", 1.5],
    ["Math.log(2 + doc['likes'].value) * _score", Math.log(5) * 1.5],
    ["Math.pow(doc['rank'].value, doc['likes'].value)", 8],
    ["doc['rank'].value", 2],
    ["doc['likes'].value == 3 && doc['rank'].value >= 2 ? 1 : 0", 1],
  ])('scores %s with %d', (source, expected) => {
    expect(run(source, 'double')).toBe(expected)
  })

  it('finds a field once for all documents', () => {
    const script = compile("doc['likes'].value * 2", 'double')
    const fields = new Fields()
    for (let i = 0; i < 5; i++) expect(script.execute([fields, 1], freeRun())).toBe(6)
    expect(fields.asked).toBe(1)
    const others = new Fields()
    expect(script.execute([others, 1], freeRun())).toBe(6)
    expect(others.asked).toBe(1)
  })

  it('tells which fields are read', () => {
    const { uses } = compile("doc['likes'].value + doc.rank.value * _score")
    expect([...uses].sort()).toEqual(['_score', "doc['likes']", "doc['rank']"])
    const named = compile("doc.containsKey('likes') ? 1 : 0")
    expect([...named.uses]).toEqual(["doc['likes']"])
    expect([...compile("String f = 'likes'; return doc[f].value").uses]).toContain('doc')
    expect([...compile('def d = doc; d.likes.value').uses]).toContain('doc')
  })

  it('writes places and bytes as JSON does', () => {
    expect(jsonOfValue(run("doc['place'].value") as ScriptValue)).toEqual(
      new Map([
        ['lat', doubleValue(52)],
        ['lon', doubleValue(13)],
      ]),
    )
    expect(jsonOfValue(run("doc['bytes'].value") as ScriptValue)).toBe('bW8=')
    expect(jsonOfValue(run("doc['name']") as ScriptValue)).toEqual(['a', 'b'])
  })

  const MISSING =
    "A document doesn't have a value for a field! Use doc[<field>].size()==0 to check if a document " +
    'is missing a field!'

  it.each([
    ["doc['none'].value", 'illegal_state_exception', MISSING],
    ["doc['none'].value + 1", 'illegal_state_exception', MISSING],
    ["doc['none'].get(0)", 'illegal_state_exception', MISSING],
    ["doc['none'][0]", 'illegal_state_exception', MISSING],
    ["doc['noName'].value", 'illegal_state_exception', MISSING],
    ["doc['noPlace'].lat", 'illegal_state_exception', MISSING],
    ["doc['likes'].get(2)", 'index_out_of_bounds_exception', 'Index 2 out of bounds for length 2'],
    ["doc['foo'].value", 'illegal_argument_exception', 'No field found for [foo] in mapping'],
    ['doc.foo', 'illegal_argument_exception', 'No field found for [foo] in mapping'],
    ["doc['__proto__']", 'illegal_argument_exception', 'No field found for [__proto__] in mapping'],
    ["def f = 'foo'; doc[f]", 'illegal_argument_exception', 'No field found for [foo] in mapping'],
    [
      "doc['place'].geohashDistance('!')",
      'illegal_argument_exception',
      'unsupported symbol [!] in geohash [!]',
    ],
    ["doc['name'].add('x')", 'unsupported_operation_exception', 'doc values are unmodifiable'],
    ["doc['name'].remove('a')", 'unsupported_operation_exception', 'doc values are unmodifiable'],
    ["doc['name'].set(0, 'a')", 'unsupported_operation_exception', 'doc values are unmodifiable'],
    ["doc['name'].clear()", 'unsupported_operation_exception', 'doc values are unmodifiable'],
    [
      "doc['name'].sort((a, b) -> 0)",
      'unsupported_operation_exception',
      'doc values are unmodifiable',
    ],
    ["doc['name'][0] = 'a'", 'unsupported_operation_exception', 'doc values are unmodifiable'],
    [
      "doc['name'].foo",
      'illegal_argument_exception',
      'dynamic getter [org.opensearch.index.fielddata.ScriptDocValues.Strings, foo] not found',
    ],
    [
      "doc['likes'].value.foo()",
      'illegal_argument_exception',
      'dynamic method [java.lang.Long, foo/0] not found',
    ],
    [
      "doc['name'].value - 1",
      'class_cast_exception',
      'Cannot apply [-] operation to types [java.lang.String] and [java.lang.Integer].',
    ],
    [
      "doc['name'].value > 1",
      'class_cast_exception',
      'Cannot apply [>] operation to types [java.lang.String] and [java.lang.Integer].',
    ],
    [
      "double d = doc['name'].value; d",
      'class_cast_exception',
      'cannot implicitly cast def [java.lang.String] to double',
    ],
    [
      "int d = doc['likes'].value; d",
      'class_cast_exception',
      'cannot implicitly cast def [java.lang.Long] to int',
    ],
    [
      'doc.likes = 1',
      'illegal_argument_exception',
      'dynamic setter [org.opensearch.search.lookup.LeafDocLookup, likes] not found',
    ],
  ])('%s fails', (source, type, reason) => {
    expect(failure(source).causedBy).toEqual({ type, reason })
  })
})
