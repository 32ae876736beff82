/** `Float`, `Double` and `Boolean`. */
import { doubleText, floatText } from '../../../util/json/float-text.ts'
import { Float32, Float64 } from '../../../util/json/json-value.ts'
import type { Long } from '../../../util/long.ts'
import { compareDoubles } from '../../value/compare.ts'
import { doubleHash, floatHash } from '../../value/hash.ts'
import { toDouble, wrapLong } from '../../value/java-numbers.ts'
import { doubleValue, type ScriptValue } from '../../value/script-value.ts'
import { notNumeric } from './call-function.ts'
import { classOf } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { members } from './members.ts'
import { parseDoubleText } from './parse-number.ts'

const BITS = new DataView(new ArrayBuffer(8))

const FLOAT: ClassType = {
  ...classOf('Float', 'java.lang.Float', value => value instanceof Float32),
  supers: ['Number', 'Comparable', 'Object'],
  constants: {
    BYTES: { type: 'int', value: 4 },
    MAX_EXPONENT: { type: 'int', value: 127 },
    MAX_VALUE: { type: 'float', value: 3.4028234663852886e38 },
    MIN_EXPONENT: { type: 'int', value: -126 },
    MIN_NORMAL: { type: 'float', value: 2 ** -126 },
    MIN_VALUE: { type: 'float', value: 2 ** -149 },
    NEGATIVE_INFINITY: { type: 'float', value: -Infinity },
    NaN: { type: 'float', value: Number.NaN },
    POSITIVE_INFINITY: { type: 'float', value: Infinity },
    SIZE: { type: 'int', value: 32 },
  },
  methods: members({
    'boolean isInfinite()': (_run, value: Float32) => Math.abs(value.value) === Infinity,
    'boolean isNaN()': (_run, value: Float32) => Number.isNaN(value.value),
  }),
  statics: members({
    'int compare(float, float)': (_run, _, a: number, b: number) => compareDoubles(a, b),
    'int floatToIntBits(float)': (_run, _, value: number) => floatHash(value),
    'int floatToRawIntBits(float)': (_run, _, value: number) => floatHash(value),
    'int hashCode(float)': (_run, _, value: number) => floatHash(value),
    'float intBitsToFloat(int)': (_run, _, bits: number) => {
      BITS.setInt32(0, bits)
      return BITS.getFloat32(0)
    },
    'boolean isFinite(float)': (_run, _, value: number) => Number.isFinite(value),
    'boolean isInfinite(float)': (_run, _, value: number) => Math.abs(value) === Infinity,
    'boolean isNaN(float)': (_run, _, value: number) => Number.isNaN(value),
    'float max(float, float)': (_run, _, a: number, b: number) => Math.max(a, b),
    'float min(float, float)': (_run, _, a: number, b: number) => Math.min(a, b),
    'float parseFloat(String)': (_run, _, text: string) => Math.fround(parseDoubleText(text)),
    'float sum(float, float)': (_run, _, a: number, b: number) => Math.fround(a + b),
    'String toHexString(float)': (_run, _, value: number) => hexText(value),
    'String toString(float)': (_run, _, value: number) => floatText(value),
    'Float valueOf(def)': (_run, _, value: ScriptValue) => new Float32(doubleOf(value)),
  }),
}

const DOUBLE: ClassType = {
  ...classOf(
    'Double',
    'java.lang.Double',
    value => value instanceof Float64 || (typeof value === 'number' && !Number.isInteger(value)),
  ),
  supers: ['Number', 'Comparable', 'Object'],
  constants: {
    BYTES: { type: 'int', value: 8 },
    MAX_EXPONENT: { type: 'int', value: 1023 },
    MAX_VALUE: { type: 'double', value: Number.MAX_VALUE },
    MIN_EXPONENT: { type: 'int', value: -1022 },
    MIN_NORMAL: { type: 'double', value: 2 ** -1022 },
    MIN_VALUE: { type: 'double', value: Number.MIN_VALUE },
    NEGATIVE_INFINITY: { type: 'double', value: -Infinity },
    NaN: { type: 'double', value: Number.NaN },
    POSITIVE_INFINITY: { type: 'double', value: Infinity },
    SIZE: { type: 'int', value: 64 },
  },
  methods: members({
    'boolean isInfinite()': (_run, value: ScriptValue) => Math.abs(toDouble(value)!) === Infinity,
    'boolean isNaN()': (_run, value: ScriptValue) => Number.isNaN(toDouble(value)),
  }),
  statics: members({
    'int compare(double, double)': (_run, _, a: number, b: number) => compareDoubles(a, b),
    'long doubleToLongBits(double)': (_run, _, value: number) => doubleBits(value),
    'long doubleToRawLongBits(double)': (_run, _, value: number) => doubleBits(value),
    'int hashCode(double)': (_run, _, value: number) => doubleHash(value),
    'boolean isFinite(double)': (_run, _, value: number) => Number.isFinite(value),
    'boolean isInfinite(double)': (_run, _, value: number) => Math.abs(value) === Infinity,
    'boolean isNaN(double)': (_run, _, value: number) => Number.isNaN(value),
    'double longBitsToDouble(long)': (_run, _, bits: Long) => {
      BITS.setBigInt64(0, BigInt(bits))
      return BITS.getFloat64(0)
    },
    'double max(double, double)': (_run, _, a: number, b: number) => Math.max(a, b),
    'double min(double, double)': (_run, _, a: number, b: number) => Math.min(a, b),
    'double parseDouble(String)': (_run, _, text: string) => parseDoubleText(text),
    'double sum(double, double)': (_run, _, a: number, b: number) => a + b,
    'String toHexString(double)': (_run, _, value: number) => hexText(value),
    'String toString(double)': (_run, _, value: number) => doubleText(value),
    'Double valueOf(def)': (_run, _, value: ScriptValue) => doubleValue(doubleOf(value)),
  }),
}

const BOOLEAN: ClassType = {
  ...classOf('Boolean', 'java.lang.Boolean', value => typeof value === 'boolean'),
  supers: ['Comparable', 'Object'],
  constants: {
    FALSE: { type: 'Boolean', value: false },
    TRUE: { type: 'Boolean', value: true },
  },
  methods: members({ 'boolean booleanValue()': (_run, value: boolean) => value }),
  statics: members({
    'int compare(boolean, boolean)': (_run, _, a: boolean, b: boolean) => Number(a) - Number(b),
    'int hashCode(boolean)': (_run, _, value: boolean) => (value ? 1231 : 1237),
    'boolean logicalAnd(boolean, boolean)': (_run, _, a: boolean, b: boolean) => a && b,
    'boolean logicalOr(boolean, boolean)': (_run, _, a: boolean, b: boolean) => a || b,
    'boolean logicalXor(boolean, boolean)': (_run, _, a: boolean, b: boolean) => a !== b,
    'boolean parseBoolean(String?)': (_run, _, text: string | null) => isTrue(text),
    'String toString(boolean)': (_run, _, value: boolean) => String(value),
    'Boolean valueOf(def)': (_run, _, value: ScriptValue) => isTrue(value),
  }),
}

/** `Float`, `Double`, `Boolean`. */
export const FLOAT_CLASSES: readonly ClassType[] = [FLOAT, DOUBLE, BOOLEAN]

function isTrue(value: ScriptValue): boolean {
  return typeof value === 'string' ? value.toLowerCase() === 'true' : value === true
}

/** Reads an input that may be a text or a number already. */
function doubleOf(value: ScriptValue): number {
  if (typeof value === 'string') return parseDoubleText(value)
  const double = toDouble(value)
  if (double === null) throw notNumeric(value)
  return double
}

function doubleBits(value: number): Long {
  BITS.setFloat64(0, Number.isNaN(value) ? Number.NaN : value)
  return wrapLong(BITS.getBigInt64(0))
}

/** `0x1.8p1`: a normal number's digits begin with 1. */
function hexText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const size = Math.abs(value)
  if (size === Infinity) return `${sign}Infinity`
  if (size === 0) return `${sign}0x0.0p0`
  BITS.setFloat64(0, size)
  const bits = BITS.getBigInt64(0)
  const exponent = Number(bits >> 52n)
  const digits = (bits & (2n ** 52n - 1n)).toString(16).padStart(13, '0').replace(/0+$/, '')
  const head = exponent === 0 ? '0x0.' : '0x1.'
  return `${sign}${head}${digits || '0'}p${exponent === 0 ? -1022 : exponent - 1023}`
}
