/** The dates of `date_range`: how they are written in mappings and documents. */

import { parseLocale } from '../../util/date/date-names.ts'
import { UTC } from '../../util/date/time-zone.ts'
import { EngineError, IllegalArgumentError } from '../../util/errors.ts'
import { compileDateFormat, type DateFormat, DEFAULT_DATE_PATTERN } from '../date-format.ts'
import { parseDateMath } from '../date-math.ts'
import { describeNode } from '../json-conversion.ts'
import { mapperParsingError } from '../mapping-errors.ts'
import { type FieldParameter, parameter } from './field-parameter.ts'
import type { ParameterValues } from './parameter-values.ts'

/** The parameters `format` and `locale`. */
export const RANGE_DATE_PARAMETERS: readonly FieldParameter[] = [
  parameter('format', DEFAULT_DATE_PATTERN, (node, field) => {
    const pattern = describeNode(node)
    try {
      compileDateFormat(pattern)
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      throw mapperParsingError(`Error parsing [format] on field [${field}]: ${error.message}`)
    }
    return pattern
  }),
  parameter('locale', null, node => parseLocale(describeNode(node))),
]

/** The format that a field's parameters say. */
export function rangeDateFormat(values: ParameterValues): DateFormat {
  return compileDateFormat(
    values.text('format') ?? DEFAULT_DATE_PATTERN,
    values.text('locale') ?? '',
  )
}

/**
 * A date with maths, in milliseconds; missing parts are the first of their unit.
 * @throws {EngineError} it is none of the format, or asks for the present
 */
export function readRangeDate(text: string, format: DateFormat): bigint {
  if (text.startsWith('now')) throw new IllegalArgumentError('now is not used at indexing time')
  const options = { format, nowInMillis: 0, roundUp: false, zone: UTC }
  return BigInt(parseDateMath(text, options).millis)
}
