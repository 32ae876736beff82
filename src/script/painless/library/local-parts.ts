/** Members that the classes of local dates and times share. */

import { dateTimeFault } from '../../value/date/date-faults.ts'
import type { EnumValue } from '../../value/date/enum-value.ts'
import type { TemporalValue } from '../../value/date/temporal-value.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import { type Adjuster, adjusted } from './adjusters.ts'
import type { Member } from './class-type.ts'
import { members } from './members.ts'

/** Their common supertype. */
export const LOCAL_SUPERS: readonly string[] = [
  'Temporal',
  'TemporalAccessor',
  'TemporalAdjuster',
  'Comparable',
  'Object',
]

/** A second or a nanosecond that fewer arguments leave out. */
export type Part = number | undefined

/** `with(TemporalAdjuster)`. */
export function adjusting(type: string): Record<string, Member> {
  return members({
    [`${type} with(TemporalAdjuster)`]: (_run, value: TemporalValue, by: Adjuster) =>
      adjusted(value, by),
  })
}

/** A month as a number or as `Month`. */
export function monthOf(month: ScriptValue): number {
  if (typeof month === 'number') return month
  if (isEnum(month)) return month.ordinal + 1
  throw dateTimeFault('Invalid value for MonthOfYear')
}

function isEnum(value: ScriptValue): value is EnumValue {
  return value !== null && typeof value === 'object' && 'ordinal' in value
}

/** The error of a value that lacks what a class needs. */
export function unobtainable(className: string, value: TemporalValue): Error {
  return dateTimeFault(
    `Unable to obtain ${className} from TemporalAccessor: ${value.text()} of type ${value.className}`,
  )
}
