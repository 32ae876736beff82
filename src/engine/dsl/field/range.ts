import { compileDateFormat, DEFAULT_DATE_PATTERN } from '../../../schema/date-format.ts'
import { parseDateMath } from '../../../schema/date-math.ts'
import { integerPart } from '../../../schema/field-type/number-text.ts'
import type { RangeField } from '../../../schema/field-type/range.ts'
import { RANGE_ENDS, type RangeTypeName } from '../../../schema/field-type/range-ends.ts'
import { matchNone } from '../../../search/query/query.ts'
import { timeZone, UTC } from '../../../util/date/time-zone.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { nowIn, type QueryContext } from '../query-context.ts'
import { requestFormat } from '../request-format.ts'
import type { FieldSearch } from './field-search.ts'
import { checkDocValues, unmappedNumberSort } from './number-sort.ts'
import type { RangeEnd, RangeOptions } from './range-end.ts'
import { checkIndexed } from './searchable.ts'
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

/** Searches in intervals of a kind: a value finds those that it lies in. */
export function rangeSearch(type: RangeTypeName): FieldSearch<RangeField> {
  const ends = RANGE_ENDS[type]
  const isWhole = type === 'integer_range' || type === 'long_range'
  const between: FieldSearch<RangeField>['range'] = (field, lower, upper, options, context) => {
    checkIndexed(field)
    const read = ({ text }: RangeEnd, roundUp: boolean): bigint => {
      if (type === 'date_range') return dateEnd(field, text, roundUp, options, context)
      if (isWhole && integerPart(text)?.hasFraction === true)
        throw new IllegalArgumentError(`Value [${text}] has a decimal part`)
      return ends.read(text, false, { name: field.name, coerce: true, format: null })
    }
    const from = lower === null ? ends.min : read(lower, !lower.isIncluded)
    const to = upper === null ? ends.max : read(upper, upper.isIncluded)
    if (from > to)
      throw new IllegalArgumentError(
        `Range query \`from\` value (${ends.print(from)}) is greater than \`to\` value ` +
          `(${ends.print(to)})`,
      )
    const first = lower?.isIncluded === false ? from + 1n : from
    const last = upper?.isIncluded === false ? to - 1n : to
    if (first > last) return matchNone('range clause cannot match')
    return {
      kind: 'interval',
      field: field.name,
      relation: options.relation ?? 'intersects',
      lower: first + ends.offset,
      upper: last + ends.offset,
      endWords: ends.words,
      lowerText: ends.print(first),
      upperText: ends.print(last),
      docValues: field.docValues,
    }
  }
  const term: FieldSearch<RangeField>['term'] = (field, text, context) => {
    const end = { text, isIncluded: true }
    return boostedBy(field.boost, between(field, end, end, NO_OPTIONS, context))
  }
  return {
    isNumber: false,
    term,
    terms(field, texts, context) {
      checkIndexed(field)
      return anyOf(texts, text => term(field, text, context))
    },
    range: between,
    exists: existsByDocValues,
    prefix: refusePrefix,
    pattern: refusePattern,
    fuzzy: refuseFuzzy,
    match(field, match, context) {
      refusePhrasePrefix(field, match)
      return wholeMatch(field, match, context, { term, fuzzy: refuseFuzzy })
    },
    sort(field) {
      checkDocValues(field)
      throw new IllegalArgumentError("can't sort on binary field")
    },
    unmappedSort: unmappedNumberSort,
  }
}

function dateEnd(
  field: RangeField,
  text: string,
  roundUp: boolean,
  options: RangeOptions,
  context: QueryContext,
): bigint {
  const nowInMillis = nowIn(text, context)
  const own = field.format ?? compileDateFormat(DEFAULT_DATE_PATTERN)
  const format = options.format === null ? own : requestFormat(field, options.format)
  const zone = options.timeZone === null ? UTC : timeZone(options.timeZone)
  return BigInt(parseDateMath(text, { format, nowInMillis, roundUp, zone }).millis)
}
