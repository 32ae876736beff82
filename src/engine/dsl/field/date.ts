import { parseDateMath, unreadableDate } from '../../../schema/date-math.ts'
import type { DateField } from '../../../schema/field-type/date.ts'
import { nanoProblem, nanosOf } from '../../../schema/nano-instant.ts'
import { MAX_LONG, MIN_LONG } from '../../../search/query/point-value.ts'
import type { Query } from '../../../search/query/query.ts'
import type { ParsedInstant } from '../../../util/date/resolve-date.ts'
import { timeZone, UTC } from '../../../util/date/time-zone.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { nowIn, type QueryContext } from '../query-context.ts'
import { requestFormat } from '../request-format.ts'
import type { FieldSearch } from './field-search.ts'
import { formattedSort, unmappedNumberSort } from './number-sort.ts'
import { pointBetween } from './point-queries.ts'
import type { RangeEnd, RangeOptions } from './range-end.ts'
import { checkSearchable } from './searchable.ts'
import { boostedBy } from './term-queries.ts'
import {
  anyOf,
  existsByDocValues,
  refuseFuzzy,
  refusePattern,
  refusePhrasePrefix,
  refusePrefix,
  wholeMatch,
} from './whole-value.ts'

const NO_OPTIONS: RangeOptions = { format: null, timeZone: null }

/** Searches in `date` and `date_nanos`: a value stands for the span of its unit, and may have maths. */
export const dateSearch: FieldSearch<DateField> = {
  isNumber: false,
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
  pattern: refusePattern,
  fuzzy: refuseFuzzy,
  match(field, match, context) {
    refusePhrasePrefix(field, match)
    return wholeMatch(field, match, context, { term, fuzzy: refuseFuzzy })
  },
  sort: (field, level) => formattedSort(field, level, text => instantOf(field, text)),
  unmappedSort: unmappedNumberSort,
}

function term(field: DateField, text: string, context: QueryContext): Query {
  checkSearchable(field)
  const end = { text, isIncluded: true }
  return boostedBy(field.boost, span(field, end, end, NO_OPTIONS, context))
}

/** One date, without maths, as the field keeps it. */
function instantOf(field: DateField, text: string): bigint {
  const { format } = field
  const instant: ParsedInstant = { millis: 0, nanos: 0 }
  if (format.read(text, false, UTC, instant)) return kept(field, instant)
  throw unreadableDate(text, format)
}

/** Missing parts are filled downward for gte and lt, upward for gt and lte. */
function span(
  field: DateField,
  lower: RangeEnd | null,
  upper: RangeEnd | null,
  options: RangeOptions,
  context: QueryContext,
): Query {
  const format = options.format === null ? field.format : requestFormat(field, options.format)
  const zone = options.timeZone === null ? UTC : timeZone(options.timeZone)
  const value = (end: RangeEnd, roundUp: boolean): bigint => {
    const nowInMillis = nowIn(end.text, context)
    return kept(field, parseDateMath(end.text, { format, nowInMillis, roundUp, zone }))
  }
  let from = MIN_LONG
  let to = MAX_LONG
  if (lower !== null) from = lower.isIncluded ? value(lower, false) : value(lower, true) + 1n
  if (upper !== null) to = upper.isIncluded ? value(upper, true) : value(upper, false) - 1n
  return pointBetween(field, from, to, String)
}

/**
 * An instant in the field's unit.
 * @throws {IllegalArgumentError} nanoseconds do not reach it
 */
function kept(field: DateField, instant: Readonly<ParsedInstant>): bigint {
  if (field.type === 'date') return BigInt(instant.millis)
  const problem = nanoProblem(instant)
  if (problem !== null) throw new IllegalArgumentError(problem)
  return nanosOf(instant)
}
