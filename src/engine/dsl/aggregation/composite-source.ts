/** The sources of `composite`. */
import type { TupleRounding } from '../../../aggregation/tuple/tuple-source.ts'
import type { AnyValueSource } from '../../../aggregation/value-source.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { JsonEntry, JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { readBoolean, readNumber, readText } from '../json-scalars.ts'
import { parsingError, tokenName } from '../parse-error.ts'
import type { QueryContext } from '../query-context.ts'
import { bindAnyValues } from './bind-values.ts'
import { cellReaders, newCellKeys } from './cell-keys.ts'
import { Intervals, readOffset } from './date-intervals.ts'
import { type FieldReaders, readFields } from './object-fields.ts'
import { placeKeys } from './place-keys.ts'
import {
  checkFieldGiven,
  newValueKeys,
  type ValueKeys,
  type ValueTypeName,
  valueReaders,
} from './value-keys.ts'

/** A source as it was written. */
export interface ParsedSource {
  readonly name: string
  /** Whether whole numbers print as doubles, as the starts of intervals do. */
  readonly isDouble: boolean
  /** `format`; null: none is given. */
  readonly format: string | null
  readonly rounding: TupleRounding
  readonly hasNull: boolean
  /** Null: as the order says. */
  readonly nullsFirst: boolean | null
  readonly descending: boolean
  /** Deprecation notices of old forms in it. */
  readonly warnings: readonly string[]
  /**
   * Its values in an index; null: the index has none.
   * @throws {EngineError} it does not take the field
   */
  bind(context: QueryContext): AnyValueSource | null
}

/** Reads `⟨name⟩: {⟨type⟩: {…}}`. */
export function readSource({ key: name, value }: JsonEntry): ParsedSource {
  const [entry, other] = value.kind === 'object' ? value.entries : []
  if (entry === undefined || other !== undefined || entry.value.kind !== 'object')
    throw parsingError(value, `[composite] source [${name}] must hold one object of its type`)
  return readTyped(name, entry.key, entry.value)
}

function readTyped(name: string, type: string, node: JsonObjectNode): ParsedSource {
  const shared: SharedKeys = { hasNull: false, nullsFirst: null, descending: false }
  switch (type) {
    case 'terms': {
      const keys = newValueKeys()
      readFields(node, type, valueReaders(keys), sharedReaders(shared))
      return { name, ...valuesOf(keys, 'composite', 'string'), ...NO_ROUNDING, ...checked(shared) }
    }
    case 'histogram': {
      const keys = newValueKeys()
      let interval = 0
      readFields(node, type, valueReaders(keys), sharedReaders(shared), {
        interval: value => {
          interval = readNumber(value)
        },
      })
      if (!(interval > 0 && Number.isFinite(interval)))
        throw new IllegalArgumentError('[interval] must be greater than 0 for [histogram] source')
      const rounding = { kind: 'interval', interval } as const
      const values = valuesOf(keys, type, 'number')
      return { name, ...values, ...NO_ROUNDING, rounding, isDouble: true, ...checked(shared) }
    }
    case 'date_histogram': {
      const keys = newValueKeys()
      const intervals = new Intervals()
      let offset = 0
      readFields(node, type, valueReaders(keys, { zone: true }), sharedReaders(shared), {
        calendar_interval: value => intervals.calendar(value),
        fixed_interval: value => intervals.fixed(value),
        interval: value => intervals.either(value),
        offset: value => {
          offset = readOffset(value)
        },
      })
      const dates = { interval: intervals.chosen(), zone: keys.timeZone, offset }
      const rounding = { kind: 'date', rounding: dates } as const
      const { warnings } = intervals
      const values = valuesOf(keys, type, 'date')
      return { name, ...values, ...NO_ROUNDING, rounding, warnings, ...checked(shared) }
    }
    case 'geotile_grid': {
      const keys = placeKeys(type)
      const cells = newCellKeys('geotile')
      const { missing: _, ...readers } = keys.readers
      readFields(node, type, readers, sharedReaders(shared), cellReaders(cells))
      keys.check()
      const rounding = { kind: 'cell', cells } as const
      const bind = (context: QueryContext): AnyValueSource | null => keys.bind(context)
      return { name, ...NO_ROUNDING, rounding, format: null, bind, ...checked(shared) }
    }
    default:
      throw new EngineError({
        type: 'parsing_exception',
        reason: `invalid source type: ${type}`,
        extra: { line: node.line, col: node.col },
      })
  }
}

const NO_ROUNDING = { rounding: { kind: 'none' }, isDouble: false, warnings: [] } as const

/** The values of a field, and how they print. @param aggregation named in errors */
function valuesOf(
  keys: ValueKeys,
  aggregation: string,
  byDefault: ValueTypeName,
): Pick<ParsedSource, 'format' | 'bind'> {
  checkFieldGiven(keys)
  const taken = { aggregation, byDefault, takesTerms: byDefault === 'string' }
  return { format: keys.format, bind: context => bindAnyValues(keys, taken, context) }
}

/** The keys that sources of all types have. */
type SharedKeys = { -readonly [K in 'hasNull' | 'nullsFirst' | 'descending']: ParsedSource[K] }

function sharedReaders(shared: SharedKeys): FieldReaders {
  return {
    missing_bucket: value => {
      shared.hasNull = readBoolean(value)
    },
    missing_order: value => {
      shared.nullsFirst = readNullOrder(value)
    },
    order: value => {
      shared.descending = readDirection(value)
    },
  }
}

function checked(shared: SharedKeys): SharedKeys {
  if (shared.nullsFirst !== null && !shared.hasNull)
    throw new IllegalArgumentError('missingOrder can only be set if missingBucket is true')
  return shared
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
