import { compileDateFormat } from '../../../schema/date-format.ts'
import { parseDateMath } from '../../../schema/date-math.ts'
import type { DateField } from '../../../schema/field-type/date.ts'
import { MAX_LONG, MIN_LONG } from '../../../search/query/point-value.ts'
import type { Query } from '../../../search/query/query.ts'
import { EngineError } from '../../../util/errors.ts'
import type { QueryContext } from '../query-context.ts'
import type { FieldSearch } from './field-search.ts'
import { longSort, unmappedNumberSort } from './number-sort.ts'
import { pointBetween } from './point-queries.ts'
import type { RangeEnd, RangeOptions } from './range-end.ts'
import { checkSearchable } from './searchable.ts'
import { anyOf, existsByDocValues, refusePhrasePrefix, refusePrefix } from './whole-value.ts'
import { zoneOffset } from './zone-offset.ts'

const NO_OPTIONS: RangeOptions = { format: null, timeZone: null }

/** Searches in dates: a value stands for the span of its unit, and may have maths. */
export const date: FieldSearch<DateField> = {
  isNumber: false,
  takesPhrases: false,
  term,
  terms(field, texts, context) {
    checkSearchable(field)
    return anyOf(texts, text => term(field, text, context))
  },
  range(field, lower, upper, options, context) {
    checkSearchable(field)
    const query = span(field, lower, upper, options, context)
    return query.kind === 'pointRange' ? { ...query, isDateRange: true } : query
  },
  exists: existsByDocValues,
  prefix: refusePrefix,
  match(field, match, context) {
    refusePhrasePrefix(field, match)
    return term(field, match.text, context)
  },
  sort: (field, level) => longSort(field, level, text => instant(field, text)),
  unmappedSort: unmappedNumberSort,
}

function term(field: DateField, text: string, context: QueryContext): Query {
  checkSearchable(field)
  const end = { text, isIncluded: true }
  return span(field, end, end, NO_OPTIONS, context)
}

/** One date, without maths, in milliseconds. */
function instant({ format }: DateField, text: string): bigint {
  const millis = format.parse(text)
  if (millis !== null) return BigInt(millis)
  throw new EngineError({
    type: 'parse_exception',
    reason: `failed to parse date field [${text}] with format [${format.pattern}]`,
  })
}

/** Missing parts are filled downward for gte and lt, upward for gt and lte. */
function span(
  field: DateField,
  lower: RangeEnd | null,
  upper: RangeEnd | null,
  options: RangeOptions,
  context: QueryContext,
): Query {
  const format = options.format === null ? field.format : compileDateFormat(options.format)
  const offsetInMillis = options.timeZone === null ? 0 : zoneOffset(options.timeZone)
  const { nowInMillis } = context
  const millis = (end: RangeEnd, roundUp: boolean): bigint =>
    BigInt(parseDateMath(end.text, { format, nowInMillis, roundUp, offsetInMillis }))
  let from = MIN_LONG
  let to = MAX_LONG
  if (lower !== null) from = lower.isIncluded ? millis(lower, false) : millis(lower, true) + 1n
  if (upper !== null) to = upper.isIncluded ? millis(upper, true) : millis(upper, false) - 1n
  return pointBetween(field, from, to, String)
}
