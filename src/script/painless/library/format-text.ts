/** Java's `String.format`, in English: `%s %S %d %f %e %x %o %c %b %n %%` with flags, width, precision. */
import { ScriptFault } from '../../script-fault.ts'
import { chargeText } from '../../script-growth.ts'
import type { ScriptRun } from '../../script-run.ts'
import { BigIntegerValue } from '../../value/big-integer.ts'
import { CharacterValue } from '../../value/character-value.ts'
import { isIntegral, toDouble } from '../../value/java-numbers.ts'
import { classNameOf, type ScriptValue } from '../../value/script-value.ts'
import { textOfValue } from '../../value/value-text.ts'

const SPECIFIER = /%(?:(\d{1,4})\$)?([-#+ 0,(]*)(\d{1,4})?(?:\.(\d{1,4}))?([a-zA-Z%])|%/g

interface Specifier {
  readonly whole: string
  readonly flags: string
  readonly width: number
  /** −1: none is given. */
  readonly precision: number
  readonly letter: string
}

/**
 * A text with inputs at its specifiers.
 * @throws {ScriptFault} `illegal_format_exception`: an unknown specifier, a missing input, or one of
 *   another kind
 * @throws {EngineError} `circuit_breaking_exception`: too long
 */
export function formatText(run: ScriptRun, format: string, inputs: readonly ScriptValue[]): string {
  let text = ''
  let copied = 0
  let next = 0
  const append = (part: string): void => {
    chargeText(run, text.length + part.length, part.length)
    text += part
  }
  for (const found of format.matchAll(SPECIFIER)) {
    run.step()
    const [whole, ord, flags = '', width = '0', precision = '-1', letter] = found
    append(format.slice(copied, found.index))
    copied = found.index + whole.length
    if (letter === undefined) throw formatFault(`Conversion = '%'`)
    const specifier = { whole, flags, width: Number(width), precision: Number(precision), letter }
    if (letter === 'n') append('\n')
    else if (letter === '%') append(padded('%', specifier))
    else {
      const index = ord === undefined ? next++ : Number(ord) - 1
      if (index < 0 || index >= inputs.length) throw formatFault(`Format specifier '${whole}'`)
      const part = formatted(run, specifier, inputs[index]!)
      append(padded(/[SXEBC]/.test(letter) ? part.toUpperCase() : part, specifier))
    }
  }
  append(format.slice(copied))
  return text
}

function formatFault(reason: string): ScriptFault {
  return new ScriptFault('illegal_format_exception', 'java.util.IllegalFormatException', reason)
}

function padded(text: string, { flags, width }: Specifier): string {
  return flags.includes('-') ? text.padEnd(width) : text.padStart(width)
}

function formatted(run: ScriptRun, specifier: Specifier, input: ScriptValue): string {
  const { letter, precision } = specifier
  switch (letter.toLowerCase()) {
    case 's': {
      const text = textOfValue(input, run)
      return precision < 0 ? text : text.slice(0, precision)
    }
    case 'b':
      return String(typeof input === 'boolean' ? input : input !== null)
    case 'c':
      if (input === null) return 'null'
      if (input instanceof CharacterValue) return input.text()
      if (typeof input === 'number' && input >= 0 && input <= 0x10ffff && Number.isInteger(input))
        return String.fromCodePoint(input)
      break
    case 'd':
    case 'x':
    case 'o':
      if (input === null) return 'null'
      if (isIntegral(input)) return integerText(specifier, input)
      break
    case 'f':
    case 'e': {
      if (input === null) return 'null'
      const value = isIntegral(input) ? null : toDouble(input)
      if (value !== null) return doubleFormat(specifier, value)
      break
    }
    default:
      throw formatFault(`Conversion = '${letter}'`)
  }
  throw formatFault(`${letter} != ${classNameOf(input)}`)
}

function integerText(specifier: Specifier, input: number | bigint | BigIntegerValue): string {
  const value = input instanceof BigIntegerValue ? input.value : BigInt(input)
  const letter = specifier.letter.toLowerCase()
  if (letter === 'd') return signed(specifier, value < 0n, String(value < 0n ? -value : value))
  const bits = typeof input === 'number' ? 32 : 64
  const unsigned = input instanceof BigIntegerValue ? value : BigInt.asUintN(bits, value)
  const digits = unsigned.toString(letter === 'x' ? 16 : 8)
  const prefix = specifier.flags.includes('#') ? (letter === 'x' ? '0x' : '0') : ''
  const zeros = specifier.flags.includes('0') ? specifier.width - prefix.length : 0
  return prefix + digits.padStart(zeros, '0')
}

function doubleFormat(specifier: Specifier, value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  const isNegative = value < 0 || Object.is(value, -0)
  if (!Number.isFinite(value)) return isNegative ? '-Infinity' : 'Infinity'
  const precision = specifier.precision < 0 ? 6 : Math.min(specifier.precision, 100)
  const size = Math.abs(value)
  if (specifier.letter.toLowerCase() === 'e') {
    const [mantissa = '', exponent = ''] = size.toExponential(precision).split('e')
    const digits = exponent.slice(1).padStart(2, '0')
    return signed(specifier, isNegative, `${mantissa}e${exponent[0]}${digits}`)
  }
  return signed(specifier, isNegative, fixedText(size, precision))
}

/** Decimal digits of a number, rounded half up by its shortest digits, as Java does. */
function fixedText(size: number, precision: number): string {
  const [digits = '', exponent = '0'] = size.toExponential().replace('.', '').split('e')
  const point = Number(exponent) + 1
  const scaled = BigInt(digits) * 10n ** BigInt(Math.max(0, precision + point - digits.length))
  const cut = digits.length - point - precision
  let units = scaled
  if (cut > 0) {
    const divisor = 10n ** BigInt(cut)
    units = (scaled + divisor / 2n) / divisor
  }
  const text = String(units).padStart(precision + 1, '0')
  return precision === 0 ? text : `${text.slice(0, -precision)}.${text.slice(-precision)}`
}

function signed({ flags, width }: Specifier, isNegative: boolean, digits: string): string {
  const grouped = flags.includes(',') ? digits.replace(/^\d+/, groups) : digits
  const parenthesis = isNegative && flags.includes('(')
  const sign = isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  const head = parenthesis ? '(' : sign
  const tail = parenthesis ? ')' : ''
  const zeros = flags.includes('0') ? width - head.length - tail.length : 0
  return head + grouped.padStart(zeros, '0') + tail
}

function groups(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',')
}
