import type { Long } from '../../../util/long.ts'
import { neighbour } from '../../../util/neighbour.ts'
import { arithmetic } from '../../java-faults.ts'
import { doubleToLong, wrapLong } from '../../value/java-numbers.ts'
import { staticClass } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { members } from './members.ts'

/** A function of one double. */
const unary =
  (of: (value: number) => number) =>
  (_run: unknown, _receiver: unknown, value: number): number =>
    of(value)

/** A function of two doubles. */
const binary =
  (of: (a: number, b: number) => number) =>
  (_run: unknown, _receiver: unknown, a: number, b: number): number =>
    of(a, b)

/** A function of one or two longs whose result must fit 64 bits. */
const exact =
  (of: (a: bigint, b: bigint) => bigint) =>
  (_run: unknown, _receiver: unknown, a: Long, b: Long = 0): Long => {
    const result = of(BigInt(a), BigInt(b))
    if (BigInt.asIntN(64, result) !== result) throw arithmetic('long overflow')
    return wrapLong(result)
  }

/** `Math` and `StrictMath`: doubles, and longs where a function is about integers. */
export const MATH_CLASSES: readonly ClassType[] = ['Math', 'StrictMath'].map(name => ({
  ...staticClass(name, `java.lang.${name}`),
  constants: {
    E: { type: 'double', value: Math.E },
    PI: { type: 'double', value: Math.PI },
  },
  statics: members({
    'double IEEEremainder(double, double)': binary(remainder),
    'double abs(double)': unary(Math.abs),
    'double acos(double)': unary(Math.acos),
    'long addExact(long, long)': exact((a, b) => a + b),
    'double asin(double)': unary(Math.asin),
    'double atan(double)': unary(Math.atan),
    'double atan2(double, double)': binary(Math.atan2),
    'double cbrt(double)': unary(Math.cbrt),
    'double ceil(double)': unary(Math.ceil),
    'double copySign(double, double)': binary((a, b) =>
      b < 0 || Object.is(b, -0) ? -Math.abs(a) : Math.abs(a),
    ),
    'double cos(double)': unary(Math.cos),
    'double cosh(double)': unary(Math.cosh),
    'long decrementExact(long)': exact(a => a - 1n),
    'double exp(double)': unary(Math.exp),
    'double expm1(double)': unary(Math.expm1),
    'double floor(double)': unary(Math.floor),
    'long floorDiv(long, long)': (_run, _, a: Long, b: Long) => floorDiv(BigInt(a), BigInt(b)),
    'long floorMod(long, long)': (_run, _, a: Long, b: Long) =>
      wrapLong(BigInt(a) - BigInt(floorDiv(BigInt(a), BigInt(b))) * BigInt(b)),
    'int getExponent(double)': (_run, _, value: number) => exponentOf(value),
    'double hypot(double, double)': binary(Math.hypot),
    'long incrementExact(long)': exact(a => a + 1n),
    'double log(double)': unary(Math.log),
    'double log10(double)': unary(Math.log10),
    'double log1p(double)': unary(Math.log1p),
    'double max(double, double)': binary(Math.max),
    'double min(double, double)': binary(Math.min),
    'long multiplyExact(long, long)': exact((a, b) => a * b),
    'long negateExact(long)': exact(a => -a),
    'double nextAfter(double, double)': binary((a, b) =>
      Number.isNaN(a + b) ? Number.NaN : a === b ? b : neighbour(a, b > a),
    ),
    'double nextDown(double)': unary(value => neighbour(value, false)),
    'double nextUp(double)': unary(value => neighbour(value, true)),
    'double pow(double, double)': binary(Math.pow),
    'double random()': () => Math.random(),
    'double rint(double)': unary(roundHalfEven),
    'long round(double)': (_run, _, value: number) => doubleToLong(roundHalfUp(value)),
    'double scalb(double, int)': (_run, _, value: number, exponent: number) =>
      scale(value, exponent),
    'double signum(double)': unary(Math.sign),
    'double sin(double)': unary(Math.sin),
    'double sinh(double)': unary(Math.sinh),
    'double sqrt(double)': unary(Math.sqrt),
    'long subtractExact(long, long)': exact((a, b) => a - b),
    'double tan(double)': unary(Math.tan),
    'double tanh(double)': unary(Math.tanh),
    'double toDegrees(double)': unary(value => value * (180 / Math.PI)),
    'int toIntExact(long)': (_run, _, value: Long) => {
      if (BigInt.asIntN(32, BigInt(value)) !== BigInt(value)) throw arithmetic('integer overflow')
      return Number(value)
    },
    'double toRadians(double)': unary(value => value * (Math.PI / 180)),
    'double ulp(double)': unary(value =>
      Number.isFinite(value)
        ? Math.abs(value) === Number.MAX_VALUE
          ? 2 ** 971
          : neighbour(Math.abs(value), true) - Math.abs(value)
        : Math.abs(value),
    ),
  }),
}))

function roundHalfUp(value: number): number {
  return Math.abs(value) >= 2 ** 52 ? value : Math.round(value)
}

function roundHalfEven(value: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 52 || value === 0) return value
  const floor = Math.floor(value)
  const fraction = value - floor
  const up = fraction > 0.5 || (fraction === 0.5 && floor % 2 !== 0)
  const rounded = up ? floor + 1 : floor
  return rounded === 0 && value < 0 ? -0 : rounded
}

function remainder(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b) || !Number.isFinite(a) || b === 0) return Number.NaN
  if (!Number.isFinite(b)) return a
  const size = Math.abs(b)
  // In doubles the remainder of a division by 2 b is exact.
  let rest = size < 2 ** 1022 ? Math.abs(a) % (2 * size) : Math.abs(a)
  if (rest > size / 2) {
    rest -= size
    if (rest >= size / 2) rest -= size
  }
  return a < 0 || Object.is(a, -0) ? -rest : rest
}

function floorDiv(a: bigint, b: bigint): Long {
  if (b === 0n) throw arithmetic('/ by zero')
  const quotient = a / b
  return wrapLong(quotient * b !== a && a < 0n !== b < 0n ? quotient - 1n : quotient)
}

const BITS = new DataView(new ArrayBuffer(8))

/** value · 2^exponent in steps that lose nothing. */
function scale(value: number, exponent: number): number {
  let left = Math.min(Math.max(exponent, -2200), 2200)
  let result = value
  for (; left > 1000; left -= 1000) result *= 2 ** 1000
  for (; left < -1000; left += 1000) result *= 2 ** -1000
  return result * 2 ** left
}

/** The exponent of a double's binary form, without its bias. */
function exponentOf(value: number): number {
  BITS.setFloat64(0, value)
  return ((BITS.getUint16(0) >> 4) & 0x7ff) - 1023
}
