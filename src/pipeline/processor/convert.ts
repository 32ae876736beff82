import { javaText } from '../../script/value/java-text.ts'
import { doubleValue, type ScriptValue } from '../../script/value/script-value.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { parseAddress } from '../../util/ip-address.ts'
import { Float32 } from '../../util/json/json-value.ts'
import { copyValue, sizeOfValue } from '../copy-value.ts'
import { changes, type ProcessorType } from '../processor.ts'

/** Java's texts of floating-point numbers. */
const DECIMAL = /^\s*[+-]?(?:NaN|Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?)\s*$/
const HEX_LEAD = /^-?0x/

/** Conversions by the name of their type; null: the value has no such form. */
const CONVERSIONS: ReadonlyMap<string, (value: ScriptValue, text: string) => ScriptValue> = new Map(
  [
    [
      'integer',
      (_value, text) => {
        const number = integer(text)
        return number === null || BigInt.asIntN(32, number) !== number ? null : Number(number)
      },
    ],
    [
      'long',
      (_value, text) => {
        const number = integer(text)
        return number === null || BigInt.asIntN(64, number) !== number ? null : number
      },
    ],
    [
      'float',
      (_value, text) => {
        const number = decimal(text)
        return number === null ? null : new Float32(number)
      },
    ],
    [
      'double',
      (_value, text) => {
        const number = decimal(text)
        return number === null ? null : doubleValue(number)
      },
    ],
    ['boolean', (_value, text) => flag(text)],
    ['string', (_value, text) => text],
    ['ip', (value, text) => (parseAddress(text) === null ? null : value)],
    ['auto', automatic],
  ],
)

/** `convert`: a value, or each of a list, as another type. */
export const CONVERT: ProcessorType = {
  name: 'convert',
  parse(config) {
    const field = config.path('field')
    const type = config.text('type').toLowerCase()
    const conversion = CONVERSIONS.get(type)
    if (conversion === undefined)
      throw config.fault('type', `type [${type}] not supported, cannot convert field.`)
    const given = config.optionalText('target_field')
    const target = given === null ? field : config.pathOf('target_field', given)
    const ignoresMissing = config.flag('ignore_missing', false)
    const convert = (value: ScriptValue): ScriptValue => {
      const text = javaText(value)
      const converted = conversion(value, text)
      if (converted === null) throw unconvertible(text, type)
      return converted
    }
    return changes(document => {
      const value = ignoresMissing ? document.find(field) : document.get(field)
      if (value === null) {
        if (ignoresMissing) return
        throw new IllegalArgumentError(
          `Field [${field.text}] is null, cannot be converted to type [${type}]`,
        )
      }
      if (typeof value === 'object') document.charge(sizeOfValue(value))
      document.set(target, Array.isArray(value) ? value.map(convert) : convert(value))
    })
  },
}

function unconvertible(text: string, type: string): IllegalArgumentError {
  if (type === 'boolean')
    return new IllegalArgumentError(`[${text}] is not a boolean value, cannot convert to boolean`)
  if (type === 'ip') return new IllegalArgumentError(`[${text}] is not a valid ipv4/ipv6 address`)
  return new IllegalArgumentError(`unable to convert [${text}] to ${type}`)
}

/** A whole number, in digits of ten or, behind `0x`, of sixteen; null for any other text. */
function integer(text: string): bigint | null {
  if (text.length > 40) return null
  if (HEX_LEAD.test(text)) {
    const digits = text.replace(HEX_LEAD, '')
    if (!/^[\da-fA-F]+$/.test(digits)) return null
    return text.startsWith('-') ? -BigInt(`0x${digits}`) : BigInt(`0x${digits}`)
  }
  return /^[+-]?\d+$/.test(text) ? BigInt(text.replace('+', '')) : null
}

function decimal(text: string): number | null {
  return DECIMAL.test(text) ? Number(text.trim().replace(/[fFdD]$/, '')) : null
}

function flag(text: string): boolean | null {
  const lower = text.toLowerCase()
  return lower === 'true' ? true : lower === 'false' ? false : null
}

/** The first type that a text has the form of. */
function automatic(value: ScriptValue, text: string): ScriptValue {
  // A target within the value must not make it hold itself.
  if (typeof value !== 'string') return copyValue(value)
  for (const type of ['boolean', 'integer', 'long', 'float', 'double']) {
    const converted = CONVERSIONS.get(type)!(value, text)
    if (converted !== null) return converted
  }
  return text
}
