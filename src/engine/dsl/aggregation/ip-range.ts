import type { AddressRange } from '../../../aggregation/range/ip-range.ts'
import type { AnyValueSource, TermSource, TextSource } from '../../../aggregation/value-source.ts'
import { notAnAddress, readAddressBlock } from '../../../schema/address-block.ts'
import { compareBytes } from '../../../util/bytes.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { addressNumber, numberAddress, parseAddress } from '../../../util/ip-address.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { derivedField } from '../derived/derived-field.ts'
import { readBoolean, readText } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import type { QueryContext } from '../query-context.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { bindAddresses, overValues } from './bind-values.ts'
import { unsupportedField } from './field-values.ts'
import { readFields } from './object-fields.ts'
import { checkRanges, isRangeKey, OPEN_RANGE, rangeNodes, readEnd } from './ranges.ts'
import { sourceOfType } from './typed-source.ts'
import { checkFieldGiven, newValueKeys, valueReaders } from './value-keys.ts'

const TOP = 2n ** 128n - 1n

/** `ip_range`. */
export const ipRange: AggregationParser = {
  takesChildren: true,
  sortable: 'no',
  parse({ name, node }) {
    const keys = newValueKeys()
    let ranges: readonly AddressRange[] = []
    let keyed = false
    readFields(node, 'ip_range', valueReaders(keys), {
      ranges: value => {
        ranges = readAddressRanges(value)
      },
      keyed: value => {
        keyed = readBoolean(value)
      },
    })
    checkRanges(ranges, name)
    checkFieldGiven(keys)
    return {
      bind(context, children) {
        const taken = { aggregation: 'ip_range', byDefault: 'ip', takesTerms: true } as const
        const source = bindAddresses(keys, taken, context)
        if (source !== null && !hasAddresses(source))
          throw unsupportedField(askedField(keys.field ?? '', context), 'ip_range')
        const model = sourceOfType(keys.field ?? '', 'ip') as TermSource
        return overValues<TermSource | TextSource>(source, model, values => ({
          kind: 'ipRange',
          name,
          children,
          values,
          ranges,
          keyed,
        }))
      },
    }
  },
}

function hasAddresses(source: AnyValueSource): source is TermSource | TextSource {
  return source.format.kind === 'ip' && (source.kind === 'terms' || source.kind === 'texts')
}

/** The field as an error names it. */
function askedField(name: string, context: QueryContext): Parameters<typeof unsupportedField>[0] {
  const derived = derivedField(name, context)
  return derived ?? { name, type: context.mapping.field(name)?.type ?? 'keyword' }
}

/** Ranges in the order of their buckets. */
function readAddressRanges(node: JsonNode): readonly AddressRange[] {
  return rangeNodes(node, 'ip_range')
    .map(readRange)
    .sort((a, b) => compareEnds(a.from, b.from, -1) || compareEnds(a.to, b.to, 1))
}

/** @param open where an open end stands: below all addresses, −1, or above them, 1 */
function compareEnds(a: Uint8Array | null, b: Uint8Array | null, open: -1 | 1): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? open : -open
  return compareBytes(a, b)
}

function readRange(node: JsonNode): AddressRange {
  if (node.kind !== 'object')
    throw parsingError(node, `[ranges] must contain objects, but hit a ${tokenName(node.kind)}`)
  const range = { ...OPEN_RANGE }
  let mask: string | null = null
  for (const { key, value } of node.entries) {
    if (key === 'mask') mask = readText(value)
    else if (isRangeKey(key)) range[key] = readEnd(value)
    else throw parsingError(value, `Unexpected ip range parameter: [${key}]`)
  }
  const { key, from, to } = range
  if (mask === null)
    return { key, from: from === null ? null : address(from), to: to === null ? null : address(to) }
  // Of both, the real server takes the block and passes over the ends.
  const { first, last } = readAddressBlock(mask)
  const behind = addressNumber(last)
  return {
    key: key ?? mask,
    from: addressNumber(first) === 0n ? null : first,
    to: behind === TOP ? null : numberAddress(behind + 1n),
  }
}

function address(text: string): Uint8Array {
  const parsed = parseAddress(text)
  if (parsed === null) throw new IllegalArgumentError(notAnAddress(text))
  return parsed
}
