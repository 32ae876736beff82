import type { Long } from '../../../util/long.ts'
import { arithmetic, numberFormat } from '../../java-faults.ts'
import type { ScriptRun } from '../../script-run.ts'
import { exceedsDigits, MAX_DIGITS } from '../../value/big-decimal.ts'
import { BigIntegerValue } from '../../value/big-integer.ts'
import { ScriptArray } from '../../value/script-array.ts'
import { classOf } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { constructors, members } from './members.ts'
import { signedDigits } from './parse-number.ts'

/**
 * An integer of a bounded size.
 * @throws {ScriptFault} `arithmetic_exception`
 */
export function integer(value: bigint): BigIntegerValue {
  if (exceedsDigits(value)) throw arithmetic('BigInteger would overflow supported range')
  return new BigIntegerValue(value)
}

const unary =
  (of: (a: bigint) => bigint) =>
  (_run: unknown, a: BigIntegerValue): BigIntegerValue =>
    integer(of(a.value))

const binary =
  (of: (a: bigint, b: bigint) => bigint) =>
  (_run: unknown, a: BigIntegerValue, b: BigIntegerValue): BigIntegerValue =>
    integer(of(a.value, b.value))

/** An operator over an integer and a number of bits. */
const shift =
  (of: (a: bigint, bits: bigint) => bigint) =>
  (_run: unknown, a: BigIntegerValue, bits: number): BigIntegerValue => {
    if (Math.abs(bits) > 3 * MAX_DIGITS)
      throw arithmetic('BigInteger would overflow supported range')
    return integer(of(a.value, BigInt(bits)))
  }

function nonZero(value: bigint): bigint {
  if (value === 0n) throw arithmetic('BigInteger divide by zero')
  return value
}

function modulus(value: bigint): bigint {
  if (value <= 0n) throw arithmetic('BigInteger: modulus not positive')
  return value
}

/** Without its sign. */
export function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}

/** The greatest common divisor. */
export function greatestDivisor(run: ScriptRun, a: bigint, b: bigint): bigint {
  let x = absolute(a)
  let y = absolute(b)
  while (y !== 0n) {
    run.step(16)
    const rest = x % y
    x = y
    y = rest
  }
  return x
}

function parseBigInteger(text: string, radix: number): BigIntegerValue {
  const value = text.length > MAX_DIGITS ? null : signedDigits(text, radix)
  if (value === null)
    throw numberFormat(
      text === '' ? 'Zero length BigInteger' : `For input string: "${text.slice(0, 256)}"`,
    )
  return integer(value)
}

/** `BigInteger`. */
export const BIG_INTEGER: ClassType = {
  ...classOf('BigInteger', 'java.math.BigInteger', value => value instanceof BigIntegerValue),
  supers: ['Number', 'Comparable', 'Object'],
  constants: {
    ONE: { type: 'BigInteger', value: new BigIntegerValue(1n) },
    TEN: { type: 'BigInteger', value: new BigIntegerValue(10n) },
    ZERO: { type: 'BigInteger', value: new BigIntegerValue(0n) },
  },
  constructors: constructors('BigInteger', {
    '(String)': (_run, _, text: string) => parseBigInteger(text, 10),
    '(String, int)': (_run, _, text: string, radix: number) => parseBigInteger(text, radix),
  }),
  methods: members({
    'BigInteger abs()': unary(absolute),
    'BigInteger add(BigInteger)': binary((a, b) => a + b),
    'BigInteger and(BigInteger)': binary((a, b) => a & b),
    'BigInteger andNot(BigInteger)': binary((a, b) => a & ~b),
    'int bitLength()': (_run, a: BigIntegerValue) =>
      a.value === 0n || a.value === -1n
        ? 0
        : (a.value < 0n ? ~a.value : a.value).toString(2).length,
    'BigInteger divide(BigInteger)': binary((a, b) => a / nonZero(b)),
    'BigInteger[] divideAndRemainder(BigInteger)': (_run, a: BigIntegerValue, b: BigIntegerValue) =>
      new ScriptArray('BigInteger', [
        integer(a.value / nonZero(b.value)),
        integer(a.value % b.value),
      ]),
    'BigInteger gcd(BigInteger)': (run, a: BigIntegerValue, b: BigIntegerValue) =>
      integer(greatestDivisor(run, a.value, b.value)),
    'BigInteger max(BigInteger)': binary((a, b) => {
      if (a > b) return a
      return b
    }),
    'BigInteger min(BigInteger)': binary((a, b) => {
      if (a < b) return a
      return b
    }),
    'BigInteger mod(BigInteger)': binary((a, b) => ((a % modulus(b)) + b) % b),
    'BigInteger modPow(BigInteger, BigInteger)': (
      run,
      a: BigIntegerValue,
      exponent: BigIntegerValue,
      m: BigIntegerValue,
    ) => {
      const by = modulus(m.value)
      if (exponent.value < 0n) throw arithmetic('BigInteger not invertible.')
      let base = ((a.value % by) + by) % by
      let result = 1n % by
      for (const bit of exponent.value.toString(2).split('').reverse()) {
        run.step(64)
        if (bit === '1') result = (result * base) % by
        base = (base * base) % by
      }
      return integer(result)
    },
    'BigInteger multiply(BigInteger)': binary((a, b) => a * b),
    'BigInteger negate()': unary(a => -a),
    'BigInteger not()': unary(a => ~a),
    'BigInteger or(BigInteger)': binary((a, b) => a | b),
    'BigInteger pow(int)': (_run, a: BigIntegerValue, exponent: number) => {
      if (exponent < 0) throw arithmetic('Negative exponent')
      const size = a.value.toString(16).length
      if (size * exponent > MAX_DIGITS && absolute(a.value) > 1n)
        throw arithmetic('BigInteger would overflow supported range')
      if (absolute(a.value) <= 1n)
        return integer(exponent % 2 === 0 ? a.value * a.value || 0n : a.value)
      return integer(a.value ** BigInt(exponent))
    },
    'BigInteger remainder(BigInteger)': binary((a, b) => a % nonZero(b)),
    'BigInteger shiftLeft(int)': shift((a, bits) => a << bits),
    'BigInteger shiftRight(int)': shift((a, bits) => a >> bits),
    'int signum()': (_run, a: BigIntegerValue) => (a.value < 0n ? -1 : a.value > 0n ? 1 : 0),
    'BigInteger subtract(BigInteger)': binary((a, b) => a - b),
    'boolean testBit(int)': (_run, a: BigIntegerValue, bit: number) => {
      if (bit < 0) throw arithmetic('Negative bit address')
      return ((a.value >> BigInt(bit)) & 1n) === 1n
    },
    'String toString(int)': (_run, a: BigIntegerValue, radix: number) =>
      a.value.toString(radix < 2 || radix > 36 ? 10 : radix),
    'BigInteger xor(BigInteger)': binary((a, b) => a ^ b),
  }),
  statics: members({
    'BigInteger valueOf(long)': (_run, _, value: Long) => new BigIntegerValue(BigInt(value)),
  }),
}
