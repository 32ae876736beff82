import { describe, expect, it } from 'vitest'
import { ScriptArray } from '../../../../src/script/value/script-array.ts'
import type { ScriptValue } from '../../../../src/script/value/script-value.ts'
import { Float64 } from '../../../../src/util/json/json-value.ts'
import { call, callStatic, classNamed, construct, freeRun, methodOf } from './library-caller.ts'

describe('members of String', () => {
  const rows: readonly [string, ScriptValue, string, ...ScriptValue[]][] = [
    ['charAt', 98, 'abc', 1],
    ['codePointAt', 0x1f600, '😀x', 0],
    ['codePointBefore', 0x1f600, '😀x', 2],
    ['codePointCount', 2, '😀x', 0, 3],
    ['offsetByCodePoints', 3, '😀x', 0, 2],
    ['compareTo', -1, 'a', 'b'],
    ['compareTo', -2, 'a', 'abc'],
    ['compareToIgnoreCase', 0, 'ABC', 'abc'],
    ['concat', 'ab', 'a', 'b'],
    ['contains', true, 'abc', 'bc'],
    ['endsWith', true, 'abc', 'bc'],
    ['equalsIgnoreCase', true, 'STRASSE', 'strasse'],
    ['equalsIgnoreCase', false, 'a', null],
    ['hashCode', 96354, 'abc'],
    ['hashCode', -1808118735, 'String'],
    ['indexOf', 2, 'abcb', 'c'],
    ['indexOf', 3, 'abcb', 'b', 2],
    ['isEmpty', true, ''],
    ['lastIndexOf', 3, 'abcb', 'b'],
    ['lastIndexOf', -1, 'abcb', 'a', -1],
    ['length', 3, 'abc'],
    ['regionMatches', true, 'Hello', true, 1, 'xELL', 1, 3],
    ['regionMatches', false, 'Hello', 1, 'xELL', 1, 3],
    ['replace', 'xbxb', 'abab', 'a', 'x'],
    ['replace', '-a-b-', 'ab', '', '-'],
    ['replace', '$&b', 'ab', 'a', '$&'],
    ['startsWith', true, 'abc', 'b', 1],
    ['startsWith', false, 'abc', 'a', -1],
    ['subSequence', 'bc', 'abc', 1, 3],
    ['substring', 'bc', 'abc', 1],
    ['substring', 'b', 'abc', 1, 2],
    ['toLowerCase', 'äb', 'ÄB'],
    ['toUpperCase', 'SS', 'ß'],
    ['toString', 'a', 'a'],
    ['trim', 'a b', '\u0000 a b\t\n'],
    ['encodeBase64', 'Y2Fmw6k=', 'café'],
    ['decodeBase64', 'café', 'Y2Fmw6k='],
  ]
  for (const [name, expected, text, ...inputs] of rows)
    it(`${JSON.stringify(text)}.${name}(${inputs.map(String).join(', ')})`, () => {
      expect(call(text, name, ...inputs)).toEqual(expected)
    })

  it('splits on a token, which is no pattern, and keeps empty parts', () => {
    const split = (...inputs: [string, string, number?]): ScriptValue[] =>
      (
        call(
          inputs[0],
          'splitOnToken',
          ...inputs.slice(1).map(input => input ?? null),
        ) as ScriptArray
      ).items
    expect(split('a.b..c.', '.')).toEqual(['a', 'b', '', 'c', ''])
    expect(split('a.b.c', '.', 2)).toEqual(['a', 'b.c'])
    expect(split('a.b.c', '.', 1)).toEqual(['a.b.c'])
    expect(split('abc', '')).toEqual(['abc'])
    expect(split('', '.')).toEqual([''])
  })

  it('names the bounds that a part leaves', () => {
    expect(() => call('abc', 'substring', 2, 1)).toThrow('begin 2, end 1, length 3')
    expect(() => call('abc', 'substring', 4)).toThrow('begin 4, end 3, length 3')
    expect(() => call('abc', 'charAt', 5)).toThrow('Index 5 out of bounds for length 3')
  })

  it('throws for a null', () => {
    expect(() => call('abc', 'contains', null)).toThrow('argument [1] must not be null')
  })

  it('says which character is not of Base64', () => {
    expect(() => call('a!b', 'decodeBase64')).toThrow('Illegal base64 character 21')
  })

  it('joins, formats and prints', () => {
    expect(callStatic('String', 'join', '-', ['a', 1, null])).toBe('a-1-null')
    expect(callStatic('String', 'valueOf', new Float64(1))).toBe('1.0')
    expect(callStatic('String', 'copyValueOf', new ScriptArray('char', [97, 98]))).toBe('ab')
  })

  it('refuses a text past a million units before it is made', () => {
    const long = 'x'.repeat(1 << 19)
    const replace = methodOf(classNamed('String'), 'replace/2')!
    expect(() => replace.call(freeRun(), long as never, ...(['', 'yy'] as never[]))).toThrow(
      '[script] string length limit of [1048576] exceeded',
    )
    const concat = methodOf(classNamed('String'), 'concat/1')!
    expect(() =>
      concat.call(freeRun(1000), long as never, ...(['y'.repeat(600)] as never[])),
    ).toThrow('[script] memory limit of [1000] exceeded')
  })
})

describe('String.format', () => {
  const rows: readonly [string, readonly ScriptValue[], string][] = [
    ['%s and %S', ['a', 'b'], 'a and B'],
    ['%2$s %1$s', ['a', 'b'], 'b a'],
    ['%5s|%-5s|', ['a', 'b'], '    a|b    |'],
    ['%.2s', ['abc'], 'ab'],
    ['%d %05d %+d %,d', [1, 42, 7, 1234567], '1 00042 +7 1,234,567'],
    ['%(d', [-5], '(5)'],
    ['%x %X %o', [255, 255, 8], 'ff FF 10'],
    ['%x', [-1], 'ffffffff'],
    ['%.2f', [0.125], '0.13'],
    ['%.1f', [0.25], '0.3'],
    ['%f', [new Float64(1)], '1.000000'],
    ['%08.3f', [-3.14201], '-003.142'],
    ['%.0f', [2.5], '3'],
    ['%.3e', [12345.678], '1.235e+04'],
    ['%b %b', [true, null], 'true false'],
    ['%c', [97], 'a'],
    ['100%%%n', [], '100%\n'],
    ['%s', [[1, new Float64(2)]], '[1, 2.0]'],
    ['%d', [null], 'null'],
  ]
  for (const [format, inputs, expected] of rows)
    it(`writes ${format}`, () => {
      expect(callStatic('String', 'format', format, new ScriptArray('def', [...inputs]))).toBe(
        expected,
      )
    })

  it('refuses what does not fit', () => {
    const format = (text: string, ...inputs: ScriptValue[]): ScriptValue =>
      callStatic('String', 'format', text, new ScriptArray('def', inputs))
    expect(() => format('%s')).toThrow("Format specifier '%s'")
    expect(() => format('%d', 'a')).toThrow('d != java.lang.String')
    expect(() => format('%q', 'a')).toThrow("Conversion = 'q'")
    expect(() => format('%', 'a')).toThrow("Conversion = '%'")
  })
})

describe('StringBuilder', () => {
  it('grows, is cut and turned', () => {
    const builder = construct('StringBuilder', 'abc')
    call(builder, 'append', new Float64(1))
    call(builder, 'append', null)
    expect(call(builder, 'toString')).toBe('abc1.0null')
    call(builder, 'insert', 1, [1])
    call(builder, 'deleteCharAt', 0)
    call(builder, 'delete', 8, 100)
    expect(call(builder, 'toString')).toBe('[1]bc1.0')
    call(builder, 'replace', 0, 3, 'x')
    call(builder, 'setCharAt', 1, 66)
    call(builder, 'reverse')
    expect(call(builder, 'toString')).toBe('0.1cBx')
    call(builder, 'setLength', 2)
    expect(call(builder, 'length')).toBe(2)
    expect(call(builder, 'indexOf', '.')).toBe(1)
  })

  it('says what lies outside', () => {
    const builder = construct('StringBuilder', 'abc')
    expect(() => call(builder, 'insert', 4, 'x')).toThrow('offset 4, length 3')
    expect(() => call(builder, 'delete', 4, 5)).toThrow('start 4, end 3, length 3')
  })
})
