/** Ends of intervals by the type of a range: how they are written, ordered and printed. */
import { assert } from '../../util/assert.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { addressNumber, numberAddress, parseAddress, printAddress } from '../../util/ip-address.ts'
import { notAnAddress } from '../address-block.ts'
import type { DateFormat } from '../date-format.ts'
import { type FloatingField, floatingReader } from './floating.ts'
import { type IntegerField, integerReader } from './integer.ts'
import { javaText, MAX_LONG, MIN_LONG } from './number-text.ts'
import type { NumberReader, NumericField } from './numeric-field.ts'
import { doubleOfOrder, doubleOrder, floatOfOrder, floatOrder } from './ordered-bits.ts'
import { ParsedNumber } from './parsed-number.ts'
import { readRangeDate } from './range-dates.ts'

/** The types of ranges. */
export type RangeTypeName =
  | 'integer_range'
  | 'long_range'
  | 'float_range'
  | 'double_range'
  | 'date_range'
  | 'ip_range'

/** Settings of a field about its ends. */
export interface EndOptions {
  readonly name: string
  readonly coerce: boolean
  /** Of dates; null for other ends. */
  readonly format: DateFormat | null
}

/** The ends of one type: integers of the order of the values. */
export interface RangeEnds {
  /** 32-bit words of an end. */
  readonly words: 2 | 4
  /** The ends of an interval that is open on that side. */
  readonly min: bigint
  readonly max: bigint
  /** Added to an end, it gives an unsigned number of the words. */
  readonly offset: bigint
  /**
   * The end that a document writes.
   * @param isNumber the text stands as a number, and not as text
   * @throws {EngineError} it is none
   */
  read(text: string, isNumber: boolean, options: EndOptions): bigint
  /** An end as messages and descriptions show it. */
  print(end: bigint): string
}

const SIGN = 2n ** 63n

/** The ends by type. */
export const RANGE_ENDS: { readonly [T in RangeTypeName]: RangeEnds } = {
  integer_range: {
    ...numbers('integer', integerReader('integer'), integerOf),
    min: -(2n ** 31n),
    max: 2n ** 31n - 1n,
    print: String,
  },
  long_range: {
    ...numbers('long', integerReader('long'), integerOf),
    min: MIN_LONG,
    max: MAX_LONG,
    print: String,
  },
  float_range: {
    ...numbers('float', floatingReader('float'), ({ value }) => floatOrder(value)),
    min: floatOrder(Number.NEGATIVE_INFINITY),
    max: floatOrder(Number.POSITIVE_INFINITY),
    print: end => printDecimal(floatOfOrder(end)),
  },
  double_range: {
    ...numbers('double', floatingReader('double'), ({ value }) => doubleOrder(value)),
    min: doubleOrder(Number.NEGATIVE_INFINITY),
    max: doubleOrder(Number.POSITIVE_INFINITY),
    print: end => printDecimal(doubleOfOrder(end)),
  },
  date_range: {
    words: 2,
    offset: SIGN,
    min: MIN_LONG,
    max: MAX_LONG,
    read: readDate,
    print: String,
  },
  ip_range: {
    words: 4,
    offset: 0n,
    min: 0n,
    max: 2n ** 128n - 1n,
    read(text) {
      const address = parseAddress(text)
      if (address === null) throw new IllegalArgumentError(notAnAddress(text))
      return addressNumber(address)
    },
    print: end => printAddress(numberAddress(end)),
  },
}

/** Ends that a number type reads. */
function numbers<F extends IntegerField | FloatingField>(
  type: F['type'],
  reader: NumberReader<F>,
  order: (number: ParsedNumber) => bigint,
): Pick<RangeEnds, 'words' | 'offset' | 'read'> {
  const number = new ParsedNumber()
  return {
    words: 2,
    offset: SIGN,
    read(text, isNumber, { name, coerce }) {
      const field: NumericField & { readonly coerce: boolean } = {
        name,
        type,
        indexed: true,
        parameters: new Map(),
        docValues: true,
        ignoreMalformed: false,
        nullValue: null,
        coerce,
      }
      const bytes = Buffer.from(text)
      const isInteger = /^-?\d+$/.test(text)
      const isRead = isNumber
        ? reader.number(field as F, bytes, 0, bytes.length, isInteger, number)
        : reader.text(field as F, text, false, number)
      if (isRead) return order(number)
      throw new EngineError({
        type: number.problemType,
        reason: number.problem === '' ? `For input string: "${text}"` : number.problem,
      })
    },
  }
}

function integerOf({ hi, lo }: ParsedNumber): bigint {
  return (BigInt(hi) << 32n) + BigInt(lo)
}

function readDate(text: string, _isNumber: boolean, { format }: EndOptions): bigint {
  assert(format !== null, 'a range of dates has a format')
  return readRangeDate(text, format)
}

function printDecimal(value: number): string {
  return Number.isFinite(value) ? javaText(value) : String(value)
}
