import { tileOf } from '../../../aggregation/geo/cells/geotile-grid.ts'
import type { CompositeSource } from '../../../aggregation/tuple/composite.ts'
import type { TupleValue } from '../../../aggregation/tuple/tuple-source.ts'
import type { AnyValueSource, ValueFormat } from '../../../aggregation/value-source.ts'
import { encodeUtf8 } from '../../../util/bytes.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { parseAddress } from '../../../util/ip-address.ts'
import type { JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { readInteger, scalarText } from '../json-scalars.ts'
import { contentError, parsingError, tokenName } from '../parse-error.ts'
import type { QueryContext } from '../query-context.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import { type ParsedSource, readSource } from './composite-source.ts'
import { readFields } from './object-fields.ts'
import { numberOf } from './request-number.ts'

const DEFAULT_SIZE = 10

/** `composite`. */
export const composite: AggregationParser = {
  takesChildren: true,
  sortable: 'no',
  parse({ name, node }) {
    let sources: readonly ParsedSource[] | null = null
    let size = DEFAULT_SIZE
    let after: JsonObjectNode | null = null
    readFields(node, 'composite', {
      sources: value => {
        sources = readSources(value)
      },
      size: value => {
        size = readInteger(value)
        if (size <= 0)
          throw new IllegalArgumentError(
            `[size] must be greater than 0. Found [${size}] in [${name}]`,
          )
      },
      after: value => {
        if (value.kind !== 'object')
          throw parsingError(
            value,
            `[after] expected an object but found [${tokenName(value.kind)}]`,
          )
        after = value
      },
    })
    if (sources === null) throw new IllegalArgumentError('Required [sources]')
    const all: readonly ParsedSource[] = sources
    checkSources(all)
    const given: JsonObjectNode | null = after
    checkAfter(given, all)
    return {
      maxBuckets: size,
      warnings: all.flatMap(({ warnings }) => warnings),
      bind(context, children) {
        const bound = all.map(source => boundSource(source, context))
        const plan = {
          kind: 'composite' as const,
          name,
          children,
          sources: bound,
          size,
          after: given === null ? null : afterKey(given, all, bound, context),
        }
        const isEmpty = bound.some(({ values, hasNull }) => values === null && !hasNull)
        return isEmpty ? { kind: 'unmapped', name, children: [], model: plan } : plan
      },
    }
  },
}

function readSources(node: JsonNode): readonly ParsedSource[] {
  if (node.kind === 'object') return node.entries.map(readSource)
  if (node.kind !== 'array')
    throw parsingError(
      node,
      `[composite] [sources] expected a list but found [${tokenName(node.kind)}]`,
    )
  return node.items.flatMap(item => {
    if (item.kind !== 'object')
      throw contentError(item, `[composite] expected a source but found [${tokenName(item.kind)}]`)
    return item.entries.map(readSource)
  })
}

function checkSources(sources: readonly ParsedSource[]): void {
  if (sources.length === 0)
    throw new IllegalArgumentError('Composite [sources] cannot be null or empty')
  const names = sources.map(({ name }) => name)
  const twice = [...new Set(names.filter((name, i) => names.indexOf(name) !== i))]
  if (twice.length > 0)
    throw new IllegalArgumentError(
      `Composite source names must be unique, found duplicates: [${twice.join(',')}]`,
    )
}

function checkAfter(after: JsonObjectNode | null, sources: readonly ParsedSource[]): void {
  if (after === null) return
  if (after.entries.length !== sources.length)
    throw new IllegalArgumentError(
      `[after] has ${after.entries.length} value(s) but [sources] has ${sources.length}`,
    )
  for (const { name } of sources)
    if (!after.entries.some(({ key }) => key === name))
      throw new IllegalArgumentError(`Missing value for [after.${name}]`)
}

function boundSource(source: ParsedSource, context: QueryContext): CompositeSource {
  const { name, rounding, hasNull, nullsFirst, descending } = source
  const values = source.bind(context)
  return {
    name,
    values,
    rounding,
    hasNull,
    descending,
    nullsFirst: nullsFirst ?? !descending,
    format: formatOf(values, source.format),
    isDouble:
      source.isDouble ||
      (rounding.kind === 'none' && values?.kind === 'numbers' && values.type === 'double'),
  }
}

/** Dates without a format print as numbers. */
function formatOf(values: AnyValueSource | null, format: string | null): ValueFormat {
  if (values === null || (values.format.kind === 'date' && format === null)) return { kind: 'raw' }
  return values.format
}

/** The values of `after`, as the sources have them. */
function afterKey(
  after: JsonObjectNode,
  sources: readonly ParsedSource[],
  bound: readonly CompositeSource[],
  context: QueryContext,
): readonly TupleValue[] {
  return sources.map(({ name }, place) => {
    const node = after.entries.find(({ key }) => key === name)!.value
    const text = scalarText(node)
    if (node.kind === 'null') {
      if (bound[place]!.hasNull) return null
      throw new IllegalArgumentError(`Missing value for [after.${name}]`)
    }
    if (text === null)
      throw new IllegalArgumentError(
        `Invalid value for [after.${name}], found [${tokenName(node.kind)}]`,
      )
    return afterValue(text, bound[place]!, context)
  })
}

function afterValue(text: string, source: CompositeSource, context: QueryContext): TupleValue {
  const { values, format, rounding } = source
  if (rounding.kind === 'cell') return tileOf(text)
  if (values === null) return encodeUtf8(text)
  if (values.kind !== 'numbers')
    return values.format.kind === 'ip' ? (parseAddress(text) ?? encodeUtf8(text)) : encodeUtf8(text)
  const isPlain = format.kind === 'raw' || format.kind === 'decimal'
  if (values.type !== 'double' && rounding.kind === 'none' && /^-?\d+$/.test(text))
    return BigInt(text)
  const number = isPlain ? Number(text) : numberOf(values, text, context)
  if (Number.isNaN(number))
    throw new IllegalArgumentError(`failed to parse value [${text}] of [after]`)
  return values.type !== 'double' && rounding.kind === 'none' ? BigInt(Math.trunc(number)) : number
}
