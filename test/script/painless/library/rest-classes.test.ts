import { describe, expect, it } from 'vitest'
import { ExplainFault } from '../../../../src/script/painless/library/debug-class.ts'
import { PatternValue } from '../../../../src/script/value/pattern-value.ts'
import { ScriptArray } from '../../../../src/script/value/script-array.ts'
import type { ScriptList, ScriptValue } from '../../../../src/script/value/script-value.ts'
import { Float64 } from '../../../../src/util/json/json-value.ts'
import { call, callStatic, construct, lambda } from './library-caller.ts'

const array = (...items: ScriptValue[]): ScriptArray => new ScriptArray('def', items)

describe('Arrays and Collections', () => {
  it('turn arrays into lists, texts and orders', () => {
    expect(callStatic('Arrays', 'asList', array(1, 'a'))).toEqual([1, 'a'])
    expect(callStatic('Arrays', 'toString', new ScriptArray('double', [1, 0.5]))).toBe('[1.0, 0.5]')
    const ints = new ScriptArray('int', [3, 1, 2])
    callStatic('Arrays', 'sort', ints)
    expect(ints.items).toEqual([1, 2, 3])
    expect(callStatic('Arrays', 'binarySearch', ints, 2)).toBe(1)
    expect(callStatic('Arrays', 'binarySearch', ints, 9)).toBe(-4)
    expect((callStatic('Arrays', 'copyOf', ints, 4) as ScriptArray).items).toEqual([1, 2, 3, 0])
    expect(callStatic('Arrays', 'equals', ints, new ScriptArray('int', [1, 2, 3]))).toBe(true)
    const texts = new ScriptArray('String', ['a'])
    expect(() => callStatic('Arrays', 'fill', texts, 1)).toThrow('cannot be cast to class String')
    expect(() => call([1], 'toArray', texts)).toThrow('cannot be cast to class String')
    expect((call(['x', 'y'], 'toArray', texts) as ScriptArray).itemType).toBe('String')
    expect(() => callStatic('Arrays', 'toString', 'a')).toThrow('Argument is not an array')
    expect(() => callStatic('Arrays', 'copyOfRange', ints, 4, 5)).toThrow(
      'Index 4 out of bounds for length 3',
    )
  })

  it('give unmodifiable collections', () => {
    const list = callStatic('Collections', 'unmodifiableList', [1])!
    expect(() => call(list, 'add', 2)).toThrow('the list is unmodifiable')
    const map = callStatic('Collections', 'unmodifiableMap', new Map([[new Float64(1), 'x']]))!
    expect(call(map, 'get', new Float64(1))).toBe('x')
    expect(() => call(map, 'clear')).toThrow('the map is unmodifiable')
    expect(() => call(callStatic('Collections', 'emptyMap')!, 'put', 1, 1)).toThrow(
      'the map is unmodifiable',
    )
    expect(() => call(callStatic('Collections', 'singleton', 1)!, 'add', 1)).toThrow(
      'the set is unmodifiable',
    )
  })

  it('find extremes and move elements', () => {
    expect(callStatic('Collections', 'max', [1, 3, 2])).toBe(3)
    expect(
      callStatic('Collections', 'min', ['b', 'a'], callStatic('Comparator', 'reverseOrder')),
    ).toBe('b')
    expect(() => callStatic('Collections', 'max', [])).toThrow('the collection is empty')
    const list: ScriptList = [1, 2, 3, 4]
    callStatic('Collections', 'rotate', list, 1)
    expect(list).toEqual([4, 1, 2, 3])
    callStatic('Collections', 'swap', list, 0, 3)
    callStatic('Collections', 'reverse', list)
    expect(list).toEqual([4, 2, 1, 3])
    expect(callStatic('Collections', 'frequency', [1, 1n, 1], 1)).toBe(2)
    expect(() => callStatic('Collections', 'nCopies', -1, 0)).toThrow('List length = -1')
  })
})

describe('Objects and Optional', () => {
  it('are null-safe', () => {
    expect(callStatic('Objects', 'equals', null, null)).toBe(true)
    expect(callStatic('Objects', 'equals', 1, 1n)).toBe(false)
    expect(callStatic('Objects', 'hash', array(1, 2))).toBe(994)
    expect(() => callStatic('Objects', 'requireNonNull', null, 'no name')).toThrow('no name')
    const optional = callStatic('Optional', 'of', 2)!
    expect(
      call(
        call(
          optional,
          'map',
          lambda(x => Number(x) * 2),
        )!,
        'get',
      ),
    ).toBe(4)
    expect(
      call(
        call(
          optional,
          'filter',
          lambda(() => false),
        )!,
        'orElse',
        'none',
      ),
    ).toBe('none')
    expect(() => call(callStatic('Optional', 'empty')!, 'get')).toThrow('No value present')
    expect(call(optional, 'toString')).toBe('Optional[2]')
  })
})

describe('Pattern and Matcher', () => {
  const pattern = (text: string): PatternValue => new PatternValue(text, '', 6)

  it('find matches one after the other, with their groups', () => {
    const matcher = call(pattern('(?<key>\\w)=(\\d)?'), 'matcher', 'a=1 b=')!
    expect(() => call(matcher, 'group')).toThrow('No match found')
    expect(call(matcher, 'find')).toBe(true)
    expect(call(matcher, 'group', 2)).toBe('1')
    expect(call(matcher, 'find')).toBe(true)
    expect(call(matcher, 'namedGroup', 'key')).toBe('b')
    expect(call(matcher, 'group', 2)).toBeNull()
    expect(call(matcher, 'start')).toBe(4)
    expect(() => call(matcher, 'group', 3)).toThrow('No group 3')
    expect(() => call(matcher, 'namedGroup', 'x')).toThrow('No group with name <x>')
    expect(call(matcher, 'find')).toBe(false)
    expect(call(matcher, 'lookingAt')).toBe(true)
    expect(call(matcher, 'matches')).toBe(false)
    expect(call(matcher, 'replaceAll', '$2:$1\\$')).toBe('1:a$ :b$')
    expect(() => call(matcher, 'replaceAll', '$9')).toThrow('No group 9')
  })

  it('split texts', () => {
    const split = (text: string, input: string, limit = 0): ScriptValue[] =>
      (call(pattern(text), 'split', input, limit) as ScriptArray).items
    expect(split(',', 'a,b,,')).toEqual(['a', 'b'])
    expect(split(',', 'a,b,,', -1)).toEqual(['a', 'b', '', ''])
    expect(split(',', 'a,b,c', 2)).toEqual(['a', 'b,c'])
    expect(split('', 'abc')).toEqual(['a', 'b', 'c'])
    expect(split(',', '')).toEqual([''])
  })

  it('replace by a function', () => {
    const upper = lambda(matcher => String(call(matcher!, 'group')).toUpperCase())
    expect(call('abcabc', 'replaceAll', pattern('b|c'), upper)).toBe('aBCaBC')
    expect(
      call(
        'abcabc',
        'replaceFirst',
        pattern('b'),
        lambda(() => '$1'),
      ),
    ).toBe('a$1cabc')
  })

  it('stop a pattern that takes too long', () => {
    const matcher = call(pattern('(a+)+(?=b)c'), 'matcher', 'a'.repeat(3000))!
    expect(() => call(matcher, 'find')).toThrow('Regular expression considered too many characters')
  })
})

describe('StringTokenizer and Base64', () => {
  it('cut and encode texts', () => {
    const tokens = construct('StringTokenizer', 'a,b;c', ',;', true)
    expect(call(tokens, 'countTokens')).toBe(5)
    expect([1, 2, 3].map(() => call(tokens, 'nextToken'))).toEqual(['a', ',', 'b'])
    expect(() => call(construct('StringTokenizer', ' '), 'nextToken')).toThrow(
      'there is no further token',
    )
    const bytes = call(callStatic('Base64', 'getDecoder')!, 'decode', '+/8=') as ScriptArray
    expect(bytes.items).toEqual([-5, -1])
    expect(call(callStatic('Base64', 'getUrlEncoder')!, 'encodeToString', bytes)).toBe('-_8=')
  })
})

describe('Debug', () => {
  it('explains a value by an error', () => {
    const explain = (value: ScriptValue): ExplainFault => {
      try {
        callStatic('Debug', 'explain', value)
      } catch (error) {
        if (error instanceof ExplainFault) return error
      }
      throw new Error('nothing was explained')
    }
    expect(explain([1])).toMatchObject({
      type: 'painless_explain_error',
      extra: {
        painless_class: 'java.util.ArrayList',
        to_string: '[1]',
        java_class: 'java.util.ArrayList',
      },
    })
    expect(explain(null).extra).toEqual({})
  })
})
