import { notAnAddress, readAddressBlock } from '../../../schema/address-block.ts'
import type { IpField } from '../../../schema/field-type/ip.ts'
import { matchNone, type Query } from '../../../search/query/query.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { addressNumber, parseAddress, printAddress } from '../../../util/ip-address.ts'
import type { FieldSearch } from './field-search.ts'
import type { RangeEnd } from './range-end.ts'
import { checkSearchable } from './searchable.ts'
import { type TermForm, termSort, unmappedTermSort } from './term-sort.ts'
import {
  anyOf,
  existsByDocValues,
  refuseFuzzy,
  refusePattern,
  refusePhrasePrefix,
  refusePrefix,
  wholeMatch,
} from './whole-value.ts'

const MAX_ADDRESS = 2n ** 128n - 1n

const ADDRESS: TermForm = { read: readAddress, print: printAddress }

/** Searches in addresses; a term may be a block of them, `10.0.0.0/8`. */
export const ip: FieldSearch<IpField> = {
  isNumber: false,
  term,
  terms(field, texts) {
    checkSearchable(field)
    const blocks = texts.filter(text => text.includes('/'))
    const numbers = texts.flatMap(text =>
      text.includes('/') ? [] : addressNumber(readAddress(text)),
    )
    const addresses = [...new Set(numbers)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    const { name, indexed, docValues } = field
    const single: Query | null =
      addresses.length === 0
        ? null
        : { kind: 'addressInSet', field: name, addresses, indexed, docValues }
    if (single !== null && blocks.length === 0) return single
    const inBlocks = anyOf(blocks, text => term(field, text))
    if (single === null) return inBlocks
    const clauses = [single, inBlocks].map(query => ({ occur: 'should' as const, query }))
    return { kind: 'constantScore', query: { kind: 'boolean', clauses, minimumShouldMatch: 0 } }
  },
  range(field, lower, upper) {
    checkSearchable(field)
    const from = lower === null ? 0n : endOf(lower, 1n)
    const to = upper === null ? MAX_ADDRESS : endOf(upper, -1n)
    return between(field, from, to)
  },
  exists: existsByDocValues,
  prefix: refusePrefix,
  pattern: refusePattern,
  fuzzy: refuseFuzzy,
  match(field, match, context) {
    refusePhrasePrefix(field, match)
    return wholeMatch(field, match, context, { term, fuzzy: refuseFuzzy })
  },
  sort: (field, level) => termSort(field, level, ADDRESS),
  unmappedSort: level => unmappedTermSort(level, ADDRESS),
}

function term(field: IpField, text: string): Query {
  checkSearchable(field)
  if (text.includes('/')) {
    const { first, last } = readAddressBlock(text)
    return between(field, addressNumber(first), addressNumber(last))
  }
  const address = addressNumber(readAddress(text))
  return between(field, address, address)
}

function between(field: IpField, lower: bigint, upper: bigint): Query {
  if (lower > upper) return matchNone('no value lies in the range')
  const { name, indexed, docValues } = field
  return { kind: 'addressRange', field: name, lower, upper, indexed, docValues }
}

/** The first address within an end; `step` leads inward from it. */
function endOf({ text, isIncluded }: RangeEnd, step: 1n | -1n): bigint {
  const address = addressNumber(readAddress(text))
  return isIncluded ? address : address + step
}

function readAddress(text: string): Uint8Array {
  const address = parseAddress(text)
  if (address === null) throw new IllegalArgumentError(notAnAddress(text))
  return address
}
