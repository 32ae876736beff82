/** The sources of `composite`. */
import type { TupleRounding } from '../../../aggregation/tuple/tuple-source.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { readBoolean, readNumber, readText } from '../json-scalars.ts'
import { notSupportedYet, parsingError, tokenName } from '../parse-error.ts'
import { Intervals, readOffset } from './date-intervals.ts'
import { readFields } from './object-fields.ts'
import { checkFieldGiven, newValueKeys, type ValueKeys, valueReaders } from './value-keys.ts'

/** A source as it was written. */
export interface ParsedSource {
  readonly name: string
  readonly type: 'terms' | 'histogram' | 'date_histogram'
  readonly keys: ValueKeys
  readonly rounding: TupleRounding
  readonly hasNull: boolean
  /** Null: as the order says. */
  readonly nullsFirst: boolean | null
  readonly descending: boolean
  /** What is said of old forms in it. */
  readonly warnings: readonly string[]
}

/** Reads `⟨name⟩: {⟨type⟩: {…}}`. */
export function readSource({ key: name, value }: JsonEntry): ParsedSource {
  const [entry, other] = value.kind === 'object' ? value.entries : []
  if (entry === undefined || other !== undefined || entry.value.kind !== 'object')
    throw parsingError(value, `[composite] source [${name}] must hold one object of its type`)
  return readTyped(name, entry.key, entry.value)
}

function readTyped(name: string, type: string, node: JsonObjectNode): ParsedSource {
  const keys = newValueKeys()
  let hasNull = false
  let nullsFirst: boolean | null = null
  let descending = false
  const common = {
    ...valueReaders(keys, { zone: type === 'date_histogram' }),
    missing_bucket: (value: JsonNode): void => {
      hasNull = readBoolean(value)
    },
    missing_order: (value: JsonNode): void => {
      nullsFirst = readNullOrder(value)
    },
    order: (value: JsonNode): void => {
      descending = readDirection(value)
    },
  }
  const made = (
    kind: ParsedSource['type'],
    rounding: TupleRounding,
    warnings: readonly string[] = [],
  ): ParsedSource => {
    checkFieldGiven(keys)
    if (nullsFirst !== null && !hasNull)
      throw new IllegalArgumentError('missingOrder can only be set if missingBucket is true')
    return { name, type: kind, keys, rounding, hasNull, nullsFirst, descending, warnings }
  }
  switch (type) {
    case 'terms':
      readFields(node, 'terms', common)
      return made('terms', { kind: 'none' })
    case 'histogram': {
      let interval = 0
      readFields(node, 'histogram', {
        ...common,
        interval: value => {
          interval = readNumber(value)
        },
      })
      if (!(interval > 0))
        throw new IllegalArgumentError('[interval] must be greater than 0 for [histogram] source')
      return made('histogram', { kind: 'interval', interval })
    }
    case 'date_histogram': {
      const intervals = new Intervals()
      let offset = 0
      readFields(node, 'date_histogram', {
        ...common,
        calendar_interval: value => intervals.calendar(value),
        fixed_interval: value => intervals.fixed(value),
        interval: value => intervals.either(value),
        offset: value => {
          offset = readOffset(value)
        },
      })
      const rounding = { interval: intervals.chosen(), zone: keys.timeZone, offset }
      return made('date_histogram', { kind: 'date', rounding }, intervals.warnings)
    }
    case 'geotile_grid':
      throw notSupportedYet('geotile_grid')
    default:
      throw new EngineError({
        type: 'parsing_exception',
        reason: `invalid source type: ${type}`,
        extra: { line: node.line, col: node.col },
      })
  }
}

function readDirection(node: JsonNode): boolean {
  const text = readText(node).toLowerCase()
  if (text === 'asc' || text === 'desc') return text === 'desc'
  throw new IllegalArgumentError(`Unknown SortOrder [${text}]`)
}

function readNullOrder(node: JsonNode): boolean | null {
  const text = readText(node).toLowerCase()
  if (text === 'default') return null
  if (text === 'first' || text === 'last') return text === 'first'
  throw parsingError(node, `Unknown missing order [${text}] of [${tokenName(node.kind)}]`)
}
