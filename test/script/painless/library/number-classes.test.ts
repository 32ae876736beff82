import { describe, expect, it } from 'vitest'
import { ScriptObject, type ScriptValue } from '../../../../src/script/value/script-value.ts'
import { Float64 } from '../../../../src/util/json/json-value.ts'
import { call, callStatic, classNamed, construct } from './library-caller.ts'

describe('functions of the boxed classes and Math', () => {
  const rows: readonly [ScriptValue, string, string, ...ScriptValue[]][] = [
    [-12, 'Integer', 'parseInt', '-12'],
    [7, 'Integer', 'parseInt', '+7'],
    [255, 'Integer', 'parseInt', 'fF', 16],
    [-1, 'Integer', 'parseUnsignedInt', '4294967295'],
    [16, 'Integer', 'decode', '0x10'],
    [-8, 'Integer', 'decode', '-010'],
    [31, 'Integer', 'bitCount', 2147483647],
    [-1, 'Integer', 'compare', 1, 2],
    [4, 'Integer', 'highestOneBit', 7],
    [-2147483648, 'Integer', 'highestOneBit', -1],
    [31, 'Integer', 'numberOfLeadingZeros', 1],
    [32, 'Integer', 'numberOfTrailingZeros', 0],
    [-2147483648, 'Integer', 'reverse', 1],
    [16777216, 'Integer', 'reverseBytes', 1],
    [-2147483648, 'Integer', 'rotateRight', 1, 1],
    ['ffffffff', 'Integer', 'toHexString', -1],
    ['-zz', 'Integer', 'toString', -1295, 36],
    ['4294967295', 'Integer', 'toUnsignedString', -1],
    [4294967295, 'Integer', 'toUnsignedLong', -1],
    [2147483647, 'Integer', 'divideUnsigned', -1, 2],
    [9223372036854775807n, 'Long', 'parseLong', '9223372036854775807'],
    [5, 'Long', 'parseLong', '5'],
    [
      '1000000000000000000000000000000000000000000000000000000000000000',
      'Long',
      'toBinaryString',
      -(2n ** 63n),
    ],
    [0, 'Long', 'hashCode', -1],
    [1.5, 'Double', 'parseDouble', ' 1.5d '],
    [Infinity, 'Double', 'parseDouble', 'Infinity'],
    [6, 'Double', 'parseDouble', '0x1.8p2'],
    ['1.0E10', 'Double', 'toString', 1e10],
    ['0x1.8p1', 'Double', 'toHexString', 3],
    [-1, 'Double', 'compare', -0, 0],
    [1072693248, 'Double', 'hashCode', 1],
    [4607182418800017408n, 'Double', 'doubleToLongBits', 1],
    [1, 'Double', 'longBitsToDouble', 4607182418800017408n],
    [Math.fround(0.1), 'Float', 'parseFloat', '0.1'],
    ['0.1', 'Float', 'toString', Math.fround(0.1)],
    [true, 'Boolean', 'parseBoolean', 'TRUE'],
    [false, 'Boolean', 'parseBoolean', 'yes'],
    [true, 'Character', 'isDigit', 53],
    [65, 'Character', 'toUpperCase', 97],
    [10, 'Character', 'digit', 97, 16],
    [true, 'Character', 'isWhitespace', 9],
    [false, 'Character', 'isWhitespace', 160],
    [3, 'Math', 'round', 2.5],
    [-2, 'Math', 'round', -2.5],
    [0, 'Math', 'round', Number.NaN],
    [9223372036854775807n, 'Math', 'round', 1e300],
    [2, 'Math', 'rint', 2.5],
    [-0, 'Math', 'rint', -0.4],
    [1, 'Math', 'signum', 0.1],
    [-1, 'Math', 'IEEEremainder', 5, 3],
    [-2, 'Math', 'floorDiv', -3, 2],
    [1, 'Math', 'floorMod', -3, 2],
    [Number.MIN_VALUE, 'Math', 'nextUp', 0],
    [2 ** -52, 'Math', 'ulp', 1],
    [12, 'Math', 'scalb', 3, 2],
    [5, 'Math', 'hypot', 3, 4],
    [180, 'Math', 'toDegrees', Math.PI],
    [-1, 'Math', 'copySign', 1, -0],
  ]
  for (const [expected, type, name, ...inputs] of rows)
    it(`${type}.${name}(${inputs.map(String).join(', ')})`, () => {
      expect(callStatic(type, name, ...inputs)).toBe(expected)
    })

  it('says which text is no number', () => {
    const parse = (text: string): ScriptValue => callStatic('Integer', 'parseInt', text)
    expect(() => parse('x')).toThrow('For input string: "x"')
    expect(() => parse('')).toThrow('For input string: ""')
    expect(() => parse('2147483648')).toThrow('For input string: "2147483648"')
    expect(() => callStatic('Integer', 'parseInt', 'z', 16)).toThrow(
      'For input string: "z" under radix 16',
    )
    expect(() => callStatic('Integer', 'parseInt', '1', 37)).toThrow(
      'radix 37 greater than Character.MAX_RADIX',
    )
    expect(() => callStatic('Double', 'parseDouble', 'x')).toThrow('For input string: "x"')
    expect(() => callStatic('Double', 'parseDouble', ' ')).toThrow('empty String')
    expect(() => callStatic('Long', 'divideUnsigned', 1, 0)).toThrow('/ by zero')
    expect(() => callStatic('Math', 'addExact', 2n ** 63n - 1n, 1)).toThrow('long overflow')
    expect(() => callStatic('Math', 'toIntExact', 2 ** 31)).toThrow('integer overflow')
  })
})

describe('members of numbers', () => {
  const rows: readonly [ScriptValue, Exclude<ScriptValue, null>, string, ...ScriptValue[]][] = [
    [3, 3.9, 'intValue'],
    [2147483647, 1e10 + 0.5, 'intValue'],
    [1410065408, 10000000000n, 'intValue'],
    [-1, 255, 'byteValue'],
    [5, 5, 'doubleValue'],
    [9007199254740993n, 9007199254740993n, 'longValue'],
    [-1, 1, 'compareTo', 2],
    [true, 1, 'equals', 1],
    [false, 1, 'equals', 1n],
    [false, new Float64(1), 'equals', 1],
    [true, new Float64(1), 'equals', new Float64(1)],
    ['1.0', new Float64(1), 'toString'],
    [true, Number.NaN, 'isNaN'],
    [1231, true, 'hashCode'],
    [32, 2n ** 37n, 'hashCode'],
  ]
  for (const [expected, receiver, name, ...inputs] of rows)
    it(`${String(receiver)} ${name}(${inputs.map(String).join(', ')})`, () => {
      expect(call(receiver, name, ...inputs)).toBe(expected)
    })

  it('has no order across classes', () => {
    expect(() => call(1, 'compareTo', 1n)).toThrow(
      'class java.lang.Long cannot be cast to class java.lang.Integer',
    )
  })
})

describe('BigInteger and BigDecimal', () => {
  const big = (text: string): Exclude<ScriptValue, null> => construct('BigInteger', text)
  const decimal = (text: string): Exclude<ScriptValue, null> => construct('BigDecimal', text)
  const mode = (name: string): ScriptValue => classNamed('RoundingMode').constants[name]!.value
  const shown = (value: ScriptValue): ScriptValue =>
    value instanceof ScriptObject ? value.text() : value

  it('compute with integers of any size', () => {
    expect(shown(call(big('18446744073709551616'), 'multiply', big('-3')))).toBe(
      '-55340232221128654848',
    )
    expect(shown(call(big('-7'), 'mod', big('3')))).toBe('2')
    expect(shown(call(big('-7'), 'divide', big('3')))).toBe('-2')
    expect(shown(call(big('2'), 'modPow', big('100'), big('1000007')))).toBe(
      String(2n ** 100n % 1000007n),
    )
    expect(shown(call(big('12'), 'gcd', big('18')))).toBe('6')
    expect(call(big('255'), 'toString', 16)).toBe('ff')
    expect(call(big('18446744073709551617'), 'longValue')).toBe(1)
    expect(() => call(big('1'), 'divide', big('0'))).toThrow('BigInteger divide by zero')
    expect(() => call(big('3'), 'pow', 1_000_000)).toThrow(
      'BigInteger would overflow supported range',
    )
    expect(() => big('x')).toThrow('For input string: "x"')
  })

  it('keep the scale of decimals', () => {
    expect(shown(call(decimal('1.10'), 'add', decimal('2.2')))).toBe('3.30')
    expect(shown(call(decimal('1.10'), 'multiply', decimal('2.2')))).toBe('2.420')
    expect(shown(call(decimal('1'), 'divide', decimal('8')))).toBe('0.125')
    expect(shown(call(decimal('10'), 'divide', decimal('3'), 2, mode('HALF_UP')))).toBe('3.33')
    expect(shown(call(decimal('1'), 'divide', decimal('3'), construct('MathContext', 5)))).toBe(
      '0.33333',
    )
    expect(shown(call(decimal('10'), 'divide', decimal('4'), construct('MathContext', 5)))).toBe(
      '2.5',
    )
    expect(() => call(decimal('1'), 'divide', decimal('3'))).toThrow(
      'Non-terminating decimal expansion',
    )
    expect(call(decimal('1.0'), 'equals', decimal('1.00'))).toBe(false)
    expect(call(decimal('1.0'), 'compareTo', decimal('1.00'))).toBe(0)
    expect(shown(call(decimal('100'), 'stripTrailingZeros'))).toBe('1E+2')
    expect(shown(decimal('0.0000001'))).toBe('1E-7')
    expect(call(decimal('1E+3'), 'toPlainString')).toBe('1000')
    expect(call(decimal('2.50'), 'doubleValue')).toBe(2.5)
    expect(shown(callStatic('BigDecimal', 'valueOf', 0.1))).toBe('0.1')
  })

  const rounded: readonly [string, string, string][] = [
    ['2.5', 'HALF_UP', '3'],
    ['-2.5', 'HALF_UP', '-3'],
    ['2.5', 'HALF_DOWN', '2'],
    ['2.5', 'HALF_EVEN', '2'],
    ['3.5', 'HALF_EVEN', '4'],
    ['2.1', 'UP', '3'],
    ['-2.9', 'DOWN', '-2'],
    ['-2.1', 'FLOOR', '-3'],
    ['-2.9', 'CEILING', '-2'],
  ]
  for (const [text, name, expected] of rounded)
    it(`rounds ${text} ${name}`, () => {
      expect(shown(call(decimal(text), 'setScale', 0, mode(name)))).toBe(expected)
    })

  it('refuse to round where they must not', () => {
    expect(() => call(decimal('2.5'), 'setScale', 0)).toThrow('Rounding necessary')
    expect(() => decimal('x')).toThrow('or is no number: [x]')
  })
})
