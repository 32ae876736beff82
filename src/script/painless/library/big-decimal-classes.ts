/** `BigDecimal`, `MathContext` and `RoundingMode`. */
import { doubleText } from '../../../util/json/float-text.ts'
import type { Long } from '../../../util/long.ts'
import { arithmetic, illegalArgument, numberFormat } from '../../java-faults.ts'
import type { ScriptRun } from '../../script-run.ts'
import {
  BigDecimalValue,
  divided,
  MAX_DIGITS,
  power10,
  ROUNDING_MODES,
  type RoundingMode,
} from '../../value/big-decimal.ts'
import { EnumValue } from '../../value/date/enum-value.ts'
import { wrapLong } from '../../value/java-numbers.ts'
import { ScriptObject } from '../../value/script-value.ts'
import { absolute, greatestDivisor, integer } from './big-integer-class.ts'
import { classOf } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { enumClass } from './enum-class.ts'
import { constructors, members } from './members.ts'

/** A `java.math.MathContext`. */
class ContextValue extends ScriptObject {
  readonly className: string = 'java.math.MathContext'
  readonly precision: number
  readonly mode: RoundingMode

  constructor(precision: number, mode: RoundingMode) {
    super()
    this.precision = precision
    this.mode = mode
  }

  override text(): string {
    return `precision=${this.precision} roundingMode=${this.mode}`
  }
}

const MODE_NAME = 'java.math.RoundingMode'
const MODES = ROUNDING_MODES.map((name, i) => new EnumValue(MODE_NAME, name, i))

function contextOf(precision: number, mode: RoundingMode): ContextValue {
  if (precision < 0) throw illegalArgument('Digits < 0')
  return new ContextValue(precision, mode)
}

function modeOf(mode: EnumValue): RoundingMode {
  return ROUNDING_MODES[mode.ordinal]!
}

const CONTEXT: ClassType = {
  ...classOf('MathContext', 'java.math.MathContext', value => value instanceof ContextValue),
  constants: {
    DECIMAL128: { type: 'MathContext', value: contextOf(34, 'HALF_EVEN') },
    DECIMAL32: { type: 'MathContext', value: contextOf(7, 'HALF_EVEN') },
    DECIMAL64: { type: 'MathContext', value: contextOf(16, 'HALF_EVEN') },
    UNLIMITED: { type: 'MathContext', value: contextOf(0, 'HALF_UP') },
  },
  constructors: constructors('MathContext', {
    '(int)': (_run, _, precision: number) => contextOf(precision, 'HALF_UP'),
    '(int, RoundingMode)': (_run, _, precision: number, mode: EnumValue) =>
      contextOf(precision, modeOf(mode)),
  }),
  methods: members({
    'int getPrecision()': (_run, context: ContextValue) => context.precision,
  }),
}

/**
 * Reads a decimal number.
 * @throws {ScriptFault} `number_format_exception`
 */
function parseDecimal(text: string): BigDecimalValue {
  const shape =
    text.length > MAX_DIGITS ? null : /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?$/.exec(text)
  const [, sign, whole = '', fraction = '', exponent = '0'] = shape ?? []
  if (shape === null || whole + fraction === '')
    throw numberFormat(
      `Character array is missing "exponent" mark 'e' or 'E', or is no number: [${text.slice(0, 256)}]`,
    )
  const digits = BigInt(whole + fraction)
  return new BigDecimalValue(sign === '-' ? -digits : digits, fraction.length - Number(exponent))
}

/** Two numbers with the larger of their scales. */
function aligned(a: BigDecimalValue, b: BigDecimalValue): readonly [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale)
  return [a.unscaled * power10(scale - a.scale), b.unscaled * power10(scale - b.scale), scale]
}

const sum =
  (sign: 1n | -1n) =>
  (_run: unknown, a: BigDecimalValue, b: BigDecimalValue): BigDecimalValue => {
    const [left, right, scale] = aligned(a, b)
    return new BigDecimalValue(left + sign * right, scale)
  }

/** The quotient with a scale. */
function quotient(
  a: BigDecimalValue,
  b: BigDecimalValue,
  scale: number,
  mode: RoundingMode,
): BigDecimalValue {
  const exponent = scale + b.scale - a.scale
  if (!(Math.abs(exponent) <= 3 * MAX_DIGITS))
    throw arithmetic(exponent > 0 ? 'Underflow' : 'Overflow')
  return new BigDecimalValue(
    exponent >= 0
      ? divided(a.unscaled * power10(exponent), b.unscaled, mode)
      : divided(a.unscaled, b.unscaled * power10(-exponent), mode),
    scale,
  )
}

/** The exact quotient, with the smallest scale that is not below the difference of the scales. */
function exactQuotient(run: ScriptRun, a: BigDecimalValue, b: BigDecimalValue): BigDecimalValue {
  if (b.unscaled === 0n)
    throw arithmetic(a.unscaled === 0n ? 'Division undefined' : 'Division by zero')
  const preferred = a.scale - b.scale
  if (a.unscaled === 0n)
    return new BigDecimalValue(0n, Math.min(Math.max(preferred, -MAX_DIGITS), MAX_DIGITS))
  let divisor = absolute(b.unscaled) / greatestDivisor(run, a.unscaled, b.unscaled)
  let twos = 0
  let fives = 0
  for (; divisor % 2n === 0n; divisor /= 2n) {
    run.step(16)
    twos++
  }
  for (; divisor % 5n === 0n; divisor /= 5n) {
    run.step(16)
    fives++
  }
  if (divisor !== 1n)
    throw arithmetic('Non-terminating decimal expansion; no exact representable decimal result.')
  return quotient(a, b, preferred + Math.max(twos, fives), 'UNNECESSARY')
}

function quotientIn(
  run: ScriptRun,
  a: BigDecimalValue,
  b: BigDecimalValue,
  { precision, mode }: ContextValue,
): BigDecimalValue {
  if (precision === 0) return exactQuotient(run, a, b)
  // Enough digits that one of them is rounded; it is cut, and not rounded twice.
  const scale = precision + 3 + b.precision - a.precision + a.scale - b.scale
  const cut = quotient(a, b, scale, 'DOWN')
  const isExact =
    cut.unscaled * b.unscaled * power10(Math.max(0, a.scale - b.scale - scale)) ===
    a.unscaled * power10(Math.max(0, scale + b.scale - a.scale))
  // The cut digits decide a tie.
  const sticky = isExact
    ? cut
    : new BigDecimalValue(
        cut.unscaled * 10n + (isNegative(a) === isNegative(b) ? 1n : -1n),
        scale + 1,
      )
  const result = sticky.rounded(precision, mode)
  const stripped = result.stripped()
  const preferred = Math.max(stripped.scale, Math.min(a.scale - b.scale, result.scale))
  return isExact ? result.withScale(preferred, 'UNNECESSARY') : result
}

function isNegative(a: BigDecimalValue): boolean {
  return a.unscaled < 0n
}

function larger(sign: 1 | -1) {
  return (_run: unknown, a: BigDecimalValue, b: BigDecimalValue): BigDecimalValue =>
    sign * (a.compareTo(b) ?? 0) >= 0 ? a : b
}

const BIG_DECIMAL: ClassType = {
  ...classOf('BigDecimal', 'java.math.BigDecimal', value => value instanceof BigDecimalValue),
  supers: ['Number', 'Comparable', 'Object'],
  constants: {
    ONE: { type: 'BigDecimal', value: new BigDecimalValue(1n, 0) },
    TEN: { type: 'BigDecimal', value: new BigDecimalValue(10n, 0) },
    ZERO: { type: 'BigDecimal', value: new BigDecimalValue(0n, 0) },
  },
  constructors: constructors('BigDecimal', {
    '(String)': (_run, _, text: string) => parseDecimal(text),
    '(String, MathContext)': (_run, _, text: string, { precision, mode }: ContextValue) =>
      parseDecimal(text).rounded(precision, mode),
  }),
  methods: members({
    'BigDecimal abs()': (_run, a: BigDecimalValue) =>
      new BigDecimalValue(absolute(a.unscaled), a.scale),
    'BigDecimal add(BigDecimal)': sum(1n),
    'BigDecimal divide(BigDecimal)': exactQuotient,
    'BigDecimal divide(BigDecimal, MathContext)': quotientIn,
    'BigDecimal divide(BigDecimal, int, RoundingMode)': (
      _run,
      a: BigDecimalValue,
      b: BigDecimalValue,
      scale: number,
      mode: EnumValue,
    ) => quotient(a, b, scale, modeOf(mode)),
    'BigDecimal max(BigDecimal)': larger(1),
    'BigDecimal min(BigDecimal)': larger(-1),
    'BigDecimal movePointLeft(int)': (_run, a: BigDecimalValue, places: number) => moved(a, places),
    'BigDecimal movePointRight(int)': (_run, a: BigDecimalValue, places: number) =>
      moved(a, -places),
    'BigDecimal multiply(BigDecimal)': (_run, a: BigDecimalValue, b: BigDecimalValue) =>
      new BigDecimalValue(a.unscaled * b.unscaled, a.scale + b.scale),
    'BigDecimal negate()': (_run, a: BigDecimalValue) => new BigDecimalValue(-a.unscaled, a.scale),
    'BigDecimal pow(int)': (_run, a: BigDecimalValue, exponent: number) => {
      if (exponent < 0) throw arithmetic('Invalid operation')
      if (a.precision * exponent > MAX_DIGITS) throw arithmetic('Overflow')
      return new BigDecimalValue(a.unscaled ** BigInt(exponent), a.scale * exponent)
    },
    'int precision()': (_run, a: BigDecimalValue) => a.precision,
    'BigDecimal remainder(BigDecimal)': (_run, a: BigDecimalValue, b: BigDecimalValue) => {
      const [left, right, scale] = aligned(a, b)
      if (right === 0n) throw arithmetic(left === 0n ? 'Division undefined' : 'Division by zero')
      return new BigDecimalValue(left % right, scale)
    },
    'BigDecimal round(MathContext)': (
      _run,
      a: BigDecimalValue,
      { precision, mode }: ContextValue,
    ) => a.rounded(precision, mode),
    'int scale()': (_run, a: BigDecimalValue) => a.scale,
    'BigDecimal setScale(int)': (_run, a: BigDecimalValue, scale: number) =>
      a.withScale(scale, 'UNNECESSARY'),
    'BigDecimal setScale(int, RoundingMode)': (
      _run,
      a: BigDecimalValue,
      scale: number,
      mode: EnumValue,
    ) => a.withScale(scale, modeOf(mode)),
    'int signum()': (_run, a: BigDecimalValue) => (a.unscaled < 0n ? -1 : a.unscaled > 0n ? 1 : 0),
    'BigDecimal stripTrailingZeros()': (_run, a: BigDecimalValue) => a.stripped(),
    'BigDecimal subtract(BigDecimal)': sum(-1n),
    'BigInteger toBigInteger()': (_run, a: BigDecimalValue) => integer(a.toBigInt()),
    'String toPlainString()': (_run, a: BigDecimalValue) => a.plainText(),
    'BigInteger unscaledValue()': (_run, a: BigDecimalValue) => integer(a.unscaled),
    'long longValueExact()': (_run, a: BigDecimalValue) => {
      const value = a.withScale(0, 'UNNECESSARY').unscaled
      if (BigInt.asIntN(64, value) !== value) throw arithmetic('Overflow')
      return wrapLong(value)
    },
  }),
  statics: members({
    'BigDecimal valueOf(double)': (_run, _, value: number) => {
      if (!Number.isFinite(value)) throw numberFormat(`For input string: "${doubleText(value)}"`)
      return parseDecimal(doubleText(value))
    },
    'BigDecimal valueOf(long, int)': (_run, _, unscaled: Long, scale: number) =>
      new BigDecimalValue(BigInt(unscaled), scale),
  }),
}

/** The point moved to the left; the scale never gets negative. */
function moved(a: BigDecimalValue, places: number): BigDecimalValue {
  const result = new BigDecimalValue(a.unscaled, a.scale + places)
  return result.scale < 0 ? result.withScale(0, 'UNNECESSARY') : result
}

/** `BigDecimal`, `MathContext`, `RoundingMode`. */
export const BIG_DECIMAL_CLASSES: readonly ClassType[] = [
  BIG_DECIMAL,
  CONTEXT,
  enumClass('RoundingMode', MODE_NAME, MODES, []),
]
