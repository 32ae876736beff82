import { sortableOf } from '../../../aggregation/sortable-of.ts'
import type { ValueFormat, ValueSource } from '../../../aggregation/value-source.ts'
import { encodeUtf8 } from '../../../util/bytes.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { parseAddress, printAddress } from '../../../util/ip-address.ts'
import type { QueryContext } from '../query-context.ts'
import { numberOf } from './request-number.ts'

/** A source whose documents without a value have one. */
export function withMissing(source: ValueSource, text: string, context: QueryContext): ValueSource {
  switch (source.kind) {
    case 'constant':
      return source
    case 'terms':
      return { ...source, missing: missingTerm(source.format, text) }
    case 'numbers':
      return { ...source, missing: sortableOf(source, numberOf(source, text, context)) }
  }
}

/** The text that documents without one have; addresses have one text each. */
export function missingText(format: ValueFormat, text: string): string {
  return format.kind === 'ip' ? printAddress(missingTerm(format, text)) : text
}

function missingTerm(format: ValueFormat, text: string): Uint8Array {
  if (format.kind !== 'ip') return encodeUtf8(text)
  const address = parseAddress(text)
  if (address === null) throw new IllegalArgumentError(`'${text}' is not an IP string literal.`)
  return address
}
