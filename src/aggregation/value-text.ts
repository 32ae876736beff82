/** Values as text, by the format of their field or request. */
import { compileDateFormat } from '../schema/date-format.ts'
import { compileDecimalFormat } from '../schema/decimal-format.ts'
import { decodeUtf8, encodeUtf8 } from '../util/bytes.ts'
import { findTimeZone, UTC } from '../util/date/time-zone.ts'
import { parseAddress, printAddress } from '../util/ip-address.ts'
import { doubleText } from '../util/json/float-text.ts'
import type { ValueFormat } from './value-source.ts'

/** Writes numbers. */
export interface NumberText {
  /** Whether numbers have a text beside them, `…_as_string`. */
  readonly isShown: boolean
  of(value: number): string
}

const printers = new WeakMap<ValueFormat, NumberText>()

/** The writer of a format, made once. */
export function numberText(format: ValueFormat): NumberText {
  const known = printers.get(format)
  if (known !== undefined) return known
  const made = makePrinter(format)
  printers.set(format, made)
  return made
}

function makePrinter(format: ValueFormat): NumberText {
  switch (format.kind) {
    case 'raw':
    case 'ip':
      return { isShown: false, of: doubleText }
    case 'boolean':
      return { isShown: true, of: value => (value === 0 ? 'false' : 'true') }
    case 'decimal':
      return { isShown: true, of: compileDecimalFormat(format.pattern) }
    case 'date':
      return datePrinter(format)
  }
}

/** Max writers of dates that are kept for other searches. */
const MAX_KEPT = 16
/** The one used last at the end: dashboards print the same days in the same form again and again. */
const datePrinters = new Map<string, NumberText>()

function datePrinter(format: Extract<ValueFormat, { kind: 'date' }>): NumberText {
  const { pattern, locale, zone } = format
  const form = JSON.stringify([pattern, locale, zone])
  const printer = datePrinters.get(form) ?? makeDatePrinter(format)
  datePrinters.delete(form)
  datePrinters.set(form, printer)
  if (datePrinters.size > MAX_KEPT) datePrinters.delete(datePrinters.keys().next().value!)
  return printer
}

function makeDatePrinter(format: Extract<ValueFormat, { kind: 'date' }>): NumberText {
  const zone = format.zone === null ? UTC : (findTimeZone(format.zone) ?? UTC)
  const { print } = compileDateFormat(format.pattern, format.locale)
  return { isShown: true, of: remembered(value => print(Math.trunc(value), 0, zone)) }
}

/** Max texts that a printer remembers: those of a year's days. */
const MAX_TEXTS = 1024

/** The same buckets of time below each of several keys print the same texts. */
function remembered(print: (value: number) => string): (value: number) => string {
  const texts = new Map<number, string>()
  return value => {
    const known = texts.get(value)
    if (known !== undefined) return known
    const text = print(value)
    if (texts.size === MAX_TEXTS) texts.clear()
    texts.set(value, text)
    return text
  }
}

/** A term as text. */
export function termText(format: ValueFormat, term: Uint8Array): string {
  return format.kind === 'ip' ? printAddress(term) : decodeUtf8(term)
}

/** The term of a text: of an address its bytes, in whose order addresses stand. */
export function termOfText(format: ValueFormat, text: string): Uint8Array {
  const address = format.kind === 'ip' ? parseAddress(text) : null
  return address ?? encodeUtf8(text)
}
