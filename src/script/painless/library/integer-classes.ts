/** `Number`, `Byte`, `Short`, `Integer` and `Long`. */
import type { Long } from '../../../util/long.ts'
import { arithmetic } from '../../java-faults.ts'
import { longHash } from '../../value/hash.ts'
import { isNumber, toDouble, toInt, toLong, wrapLong } from '../../value/java-numbers.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import { notNumeric } from './call-function.ts'
import { classOf } from './class-of.ts'
import type { ClassType, Member } from './class-type.ts'
import { members } from './members.ts'
import {
  decodeInteger,
  digitsIn,
  parseInteger,
  parseLongText,
  parseUnsigned,
} from './parse-number.ts'

const NUMBER: ClassType = {
  ...classOf('Number', 'java.lang.Number', isNumber),
  methods: members({
    'byte byteValue()': (_run, value: ScriptValue) => (toInt(value)! << 24) >> 24,
    'double doubleValue()': (_run, value: ScriptValue) => toDouble(value)!,
    'float floatValue()': (_run, value: ScriptValue) => Math.fround(toDouble(value)!),
    'int intValue()': (_run, value: ScriptValue) => toInt(value)!,
    'long longValue()': (_run, value: ScriptValue) => toLong(value)!,
    'short shortValue()': (_run, value: ScriptValue) => (toInt(value)! << 16) >> 16,
  }),
}

/** Reads an input that may be a text or a number already. */
function intOf(value: ScriptValue, bits: number): number {
  if (typeof value === 'string') return Number(parseInteger(value, 10, bits))
  const int = toInt(value)
  if (int === null) throw notNumeric(value)
  return Number(BigInt.asIntN(bits, BigInt(int)))
}

function longOf(value: ScriptValue): bigint {
  const long = toLong(value)
  if (long === null) throw notNumeric(value)
  return BigInt(long)
}

function isInt(value: ScriptValue): boolean {
  return typeof value === 'number' && Number.isInteger(value)
}

/** `Byte` and `Short`; their values are integers. */
function smallClass(name: string, type: string, bits: number): ClassType {
  const last = 2 ** (bits - 1) - 1
  return {
    ...classOf(
      name,
      `java.lang.${name}`,
      value => isInt(value) && (value as number) <= last && (value as number) >= -last - 1,
    ),
    supers: ['Number', 'Comparable', 'Object'],
    constants: {
      MIN_VALUE: { type, value: -last - 1 },
      MAX_VALUE: { type, value: last },
      SIZE: { type: 'int', value: bits },
      BYTES: { type: 'int', value: bits / 8 },
    },
    statics: members({
      [`int compare(${type}, ${type})`]: (_run, _, a: number, b: number) => a - b,
      [`${name} decode(String)`]: (_run, _, text: string) => Number(decodeInteger(text, bits)),
      [`int hashCode(${type})`]: (_run, _, value: number) => value,
      [`${type} parse${name}(String)`]: (_run, _, text: string) =>
        Number(parseInteger(text, 10, bits)),
      [`${type} parse${name}(String, int)`]: (_run, _, text: string, radix: number) =>
        Number(parseInteger(text, radix, bits)),
      [`String toString(${type})`]: (_run, _, value: number) => String(value),
      [`int toUnsignedInt(${type})`]: (_run, _, value: number) => value & (2 ** bits - 1),
      [`long toUnsignedLong(${type})`]: (_run, _, value: number) => value & (2 ** bits - 1),
      [`${name} valueOf(def)`]: (_run, _, value: ScriptValue) => intOf(value, bits),
      [`${name} valueOf(String, int)`]: (_run, _, text: string, radix: number) =>
        Number(parseInteger(text, radix, bits)),
    }),
  }
}

/**
 * Members that `Integer` and `Long` share, over bits.
 * @param form gives an integer its form as the primitive type
 */
function bitMembers(
  name: string,
  type: string,
  bits: number,
  form: (value: bigint) => Long,
): Record<string, Member> {
  const unsigned = (value: Long): bigint => BigInt.asUintN(bits, BigInt(value))
  const digits = (value: Long, radix: number): string => unsigned(value).toString(radix)
  const binary = (value: Long): string => digits(value, 2).padStart(bits, '0')
  const nonZero = (value: Long): Long => {
    if (BigInt(value) === 0n) throw arithmetic('/ by zero')
    return value
  }
  const rotate = (value: Long, distance: number): Long => {
    const by = BigInt(distance & (bits - 1))
    const all = unsigned(value)
    return form((all << by) | (all >> (BigInt(bits) - by)))
  }
  return members({
    [`int bitCount(${type})`]: (_run, _, value: Long) =>
      digits(value, 2).replaceAll('0', '').length,
    [`int compare(${type}, ${type})`]: (_run, _, a: Long, b: Long) => (a < b ? -1 : a > b ? 1 : 0),
    [`int compareUnsigned(${type}, ${type})`]: (_run, _, a: Long, b: Long) =>
      unsigned(a) < unsigned(b) ? -1 : unsigned(a) > unsigned(b) ? 1 : 0,
    [`${type} divideUnsigned(${type}, ${type})`]: (_run, _, a: Long, b: Long) =>
      form(unsigned(a) / unsigned(nonZero(b))),
    [`${type} highestOneBit(${type})`]: (_run, _, value: Long) =>
      BigInt(value) === 0n ? 0 : form(1n << BigInt(digits(value, 2).length - 1)),
    [`${type} lowestOneBit(${type})`]: (_run, _, value: Long) =>
      form(BigInt(value) & -BigInt(value)),
    [`${type} max(${type}, ${type})`]: (_run, _, a: Long, b: Long) => (a > b ? a : b),
    [`${type} min(${type}, ${type})`]: (_run, _, a: Long, b: Long) => (a < b ? a : b),
    [`int numberOfLeadingZeros(${type})`]: (_run, _, value: Long) =>
      /^0*/.exec(binary(value))![0].length,
    [`int numberOfTrailingZeros(${type})`]: (_run, _, value: Long) =>
      /0*$/.exec(binary(value))![0].length,
    [`${type} remainderUnsigned(${type}, ${type})`]: (_run, _, a: Long, b: Long) =>
      form(unsigned(a) % unsigned(nonZero(b))),
    [`${type} reverse(${type})`]: (_run, _, value: Long) =>
      form(BigInt(`0b${[...binary(value)].reverse().join('')}`)),
    [`${type} reverseBytes(${type})`]: (_run, _, value: Long) =>
      form(BigInt(`0b${binary(value).match(/.{8}/g)!.reverse().join('')}`)),
    [`${type} rotateLeft(${type}, int)`]: (_run, _, value: Long, distance: number) =>
      rotate(value, distance),
    [`${type} rotateRight(${type}, int)`]: (_run, _, value: Long, distance: number) =>
      rotate(value, -distance),
    [`int signum(${type})`]: (_run, _, value: Long) => (value < 0 ? -1 : value > 0 ? 1 : 0),
    [`${type} sum(${type}, ${type})`]: (_run, _, a: Long, b: Long) => form(BigInt(a) + BigInt(b)),
    [`String toBinaryString(${type})`]: (_run, _, value: Long) => digits(value, 2),
    [`String toHexString(${type})`]: (_run, _, value: Long) => digits(value, 16),
    [`String toOctalString(${type})`]: (_run, _, value: Long) => digits(value, 8),
    [`String toString(${type})`]: (_run, _, value: Long) => String(value),
    [`String toString(${type}, int)`]: (_run, _, value: Long, radix: number) =>
      digitsIn(value, radix),
    [`String toUnsignedString(${type})`]: (_run, _, value: Long) => digits(value, 10),
    [`String toUnsignedString(${type}, int)`]: (_run, _, value: Long, radix: number) =>
      digitsIn(unsigned(value), radix),
    [`${name} decode(String)`]: (_run, _, text: string) =>
      boxedForm(form, decodeInteger(text, bits)),
    [`${name} valueOf(String, int)`]: (_run, _, text: string, radix: number) =>
      boxedForm(form, parseInteger(text, radix, bits)),
  })
}

/** A `Long` is a bigint as a value, an `Integer` a number. */
function boxedForm(form: (value: bigint) => Long, value: bigint): ScriptValue {
  return form === wrapLong ? value : form(value)
}

const intForm = (value: bigint): number => Number(BigInt.asIntN(32, value))

const INTEGER: ClassType = {
  ...classOf('Integer', 'java.lang.Integer', isInt),
  supers: ['Number', 'Comparable', 'Object'],
  constants: {
    MIN_VALUE: { type: 'int', value: -2147483648 },
    MAX_VALUE: { type: 'int', value: 2147483647 },
    SIZE: { type: 'int', value: 32 },
    BYTES: { type: 'int', value: 4 },
  },
  statics: {
    ...bitMembers('Integer', 'int', 32, intForm),
    ...members({
      'int hashCode(int)': (_run, _, value: number) => value,
      'int parseInt(String)': (_run, _, text: string) => Number(parseInteger(text, 10, 32)),
      'int parseInt(String, int)': (_run, _, text: string, radix: number) =>
        Number(parseInteger(text, radix, 32)),
      'int parseUnsignedInt(String)': (_run, _, text: string) =>
        Number(parseUnsigned(text, 10, 32)),
      'int parseUnsignedInt(String, int)': (_run, _, text: string, radix: number) =>
        Number(parseUnsigned(text, radix, 32)),
      'long toUnsignedLong(int)': (_run, _, value: number) => value >>> 0,
      'Integer valueOf(def)': (_run, _, value: ScriptValue) => intOf(value, 32),
    }),
  },
}

const LONG: ClassType = {
  ...classOf('Long', 'java.lang.Long', value => typeof value === 'bigint'),
  supers: ['Number', 'Comparable', 'Object'],
  constants: {
    MIN_VALUE: { type: 'long', value: -(2n ** 63n) },
    MAX_VALUE: { type: 'long', value: 2n ** 63n - 1n },
    SIZE: { type: 'int', value: 64 },
    BYTES: { type: 'int', value: 8 },
  },
  statics: {
    ...bitMembers('Long', 'long', 64, wrapLong),
    ...members({
      'int hashCode(long)': (_run, _, value: Long) => longHash(BigInt(value)),
      'long parseLong(String)': (_run, _, text: string) => parseLongText(text, 10),
      'long parseLong(String, int)': (_run, _, text: string, radix: number) =>
        parseLongText(text, radix),
      'long parseUnsignedLong(String)': (_run, _, text: string) =>
        wrapLong(parseUnsigned(text, 10, 64)),
      'long parseUnsignedLong(String, int)': (_run, _, text: string, radix: number) =>
        wrapLong(parseUnsigned(text, radix, 64)),
      'Long valueOf(def)': (_run, _, value: ScriptValue) =>
        typeof value === 'string' ? parseInteger(value, 10, 64) : longOf(value),
    }),
  },
}

/** `Number`, `Byte`, `Short`, `Integer`, `Long`. */
export const INTEGER_CLASSES: readonly ClassType[] = [
  NUMBER,
  smallClass('Byte', 'byte', 8),
  smallClass('Short', 'short', 16),
  INTEGER,
  LONG,
]
