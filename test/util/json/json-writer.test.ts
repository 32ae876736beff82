import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeUtf8, encodeUtf8 } from '../../../src/util/bytes.ts'
import { parseJsonTree } from '../../../src/util/json/json-tree.ts'
import {
  DeferredJson,
  Float32,
  Float64,
  type JsonValue,
  RawJson,
} from '../../../src/util/json/json-value.ts'
import { jsonValueOf, writeJson } from '../../../src/util/json/json-writer.ts'

const plain = (value: JsonValue): string => decodeUtf8(writeJson(value))
const pretty = (value: JsonValue): string => decodeUtf8(writeJson(value, { pretty: true }))

describe('writing JSON', () => {
  it('tells integers, longs, floats and doubles apart', () => {
    const value = [1, 2n ** 63n - 1n, new Float32(1), new Float64(0.1), 0.5, 2 ** 60]
    expect(plain(value)).toBe('[1,9223372036854775807,1.0,0.1,0.5,1152921504606846976]')
  })

  it('quotes the names of numbers that JSON cannot hold', () => {
    expect(plain([new Float64(Number.NaN), new Float32(1e39)])).toBe('["NaN","Infinity"]')
  })

  it('leaves out keys without a value and keeps those that users chose in their order', () => {
    const value = {
      b: 1,
      none: undefined,
      a: new Map([
        ['2', 1],
        ['__proto__', 2],
        ['1', 3],
      ]),
    }
    expect(plain(value)).toBe('{"b":1,"a":{"2":1,"__proto__":2,"1":3}}')
  })

  it('copies raw JSON byte for byte', () => {
    const source = '{ "a" : 1.0,  "b":[1e2 ] , "c":"\\u00e9" }'
    expect(plain({ _source: new RawJson(encodeUtf8(source)) })).toBe(`{"_source":${source}}`)
  })

  it('lays raw JSON out anew in the pretty form, numbers as they were written', () => {
    const value = { id: 'x', _source: new RawJson(encodeUtf8('{"a":1.0,"b":[],"c":{},"d":[1e2]}')) }
    expect(pretty(value)).toBe(
      [
        '{',
        '  "id" : "x",',
        '  "_source" : {',
        '    "a" : 1.0,',
        '    "b" : [ ],',
        '    "c" : { },',
        '    "d" : [',
        '      1e2',
        '    ]',
        '  }',
        '}',
        '',
      ].join('\n'),
    )
  })

  it('escapes control characters in upper case and nothing else', () => {
    expect(plain('a\u001f\n"\\/é\u2028')).toBe('"a\\u001F\\n\\"\\\\/é\u2028"')
    expect(plain('\\u001f')).toBe('"\\\\u001f"')
    expect(plain('\\\u001f')).toBe('"\\\\\\u001F"')
  })

  it('writes what JSON.parse reads back, in both layouts', () => {
    fc.assert(
      fc.property(fc.json(), text => {
        const parsed = JSON.parse(text)
        const value = jsonValueOf(parseJsonTree(encodeUtf8(text)))
        expect(JSON.parse(plain(value))).toEqual(parsed)
        expect(JSON.parse(pretty(value))).toEqual(parsed)
      }),
      { seed: 5, numRuns: 500 },
    )
  })

  it('makes deferred values one at a time, and only as they are written', () => {
    const steps: string[] = []
    const part = (name: string): DeferredJson =>
      new DeferredJson(() => {
        steps.push(name)
        return { name, list: [] }
      })
    const value = new Map([
      ['a', part('a')],
      ['b', part('b')],
    ])
    expect(steps).toEqual([])
    expect(plain(value)).toBe('{"a":{"name":"a","list":[]},"b":{"name":"b","list":[]}}')
    expect(pretty({ a: part('c') })).toContain('\n    "list" : [ ]\n')
    expect(steps).toEqual(['a', 'b', 'c'])
  })
})
