import type { NumberSource } from '../../../aggregation/value-source.ts'
import { compileDateFormat } from '../../../schema/date-format.ts'
import { parseDateMath } from '../../../schema/date-math.ts'
import { findTimeZone, UTC } from '../../../util/date/time-zone.ts'
import { EngineError } from '../../../util/errors.ts'
import type { QueryContext } from '../query-context.ts'

/**
 * A value of a request as a number of the source.
 * @throws {EngineError} it is none
 */
export function numberOf(
  { format }: Pick<NumberSource, 'format'>,
  text: string,
  context: QueryContext,
): number {
  if (format.kind === 'boolean') {
    if (text === 'true') return 1
    if (text === 'false') return 0
  }
  if (format.kind === 'date') {
    const zone = format.zone === null ? UTC : (findTimeZone(format.zone) ?? UTC)
    const { nowInMillis } = context
    const compiled = compileDateFormat(format.pattern, format.locale)
    return parseDateMath(text, { format: compiled, nowInMillis, roundUp: false, zone }).millis
  }
  return plainNumber(text)
}

/**
 * A decimal number.
 * @throws {EngineError} `number_format_exception`: it is none
 */
export function plainNumber(text: string): number {
  const value = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (Number.isFinite(value)) return value
  throw new EngineError({
    type: 'number_format_exception',
    reason: `For input string: "${text}"`,
  })
}
