/** Schedules of five fields, as cron has them: minute, hour, day of the month, month, day of the week. */
import { type TimeZone, timeZone } from '../../../util/date/time-zone.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'

/** A schedule as it was given. */
export interface Cron {
  readonly expression: string
  /** The id of a time zone. */
  readonly timezone: string
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** A leap day comes again after eight years at most. */
const MAX_DAYS = 8 * 366 + 1

interface Field {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly names: readonly string[]
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const FIELDS: readonly Field[] = [
  { name: 'minute', min: 0, max: 59, names: [] },
  { name: 'hour', min: 0, max: 23, names: [] },
  { name: 'day of the month', min: 1, max: 31, names: [] },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  { name: 'day of the week', min: 0, max: 7, names: WEEKDAYS },
]

interface Schedule {
  /** Numbers of each field; null: any. */
  readonly fields: readonly (ReadonlySet<number> | null)[]
  readonly zone: TimeZone
}

/**
 * Refuses what is no schedule.
 * @throws {EngineError} `illegal_argument_exception`: no five fields, a value out of range, an unknown zone
 */
export function checkCron(cron: Cron): void {
  scheduleOf(cron)
}

/**
 * The next moment of a schedule.
 * @param after milliseconds since 1970; the moment comes later
 * @returns milliseconds since 1970; Infinity: never, as on a 31st of June
 */
export function nextExecution(cron: Cron, after: number): number {
  const { fields, zone } = scheduleOf(cron)
  const [minutes, hours] = fields
  const from = Math.floor(zone.toLocal(after) / MINUTE) * MINUTE + MINUTE
  const firstDay = Math.floor(from / DAY) * DAY
  for (let day = 0; day < MAX_DAYS; day++) {
    const midnight = firstDay + day * DAY
    if (!isDay(fields, new Date(midnight))) continue
    for (let hour = 0; hour < 24; hour++) {
      if (hours?.has(hour) === false) continue
      for (let minute = 0; minute < 60; minute++) {
        const local = midnight + hour * HOUR + minute * MINUTE
        if (local < from || minutes?.has(minute) === false) continue
        const moment = zone.toUtc(local)
        // An hour that the end of summer time repeats stands earlier the second time.
        if (moment > after) return moment
      }
    }
  }
  return Number.POSITIVE_INFINITY
}

/** Where both kinds of day are restricted, one of them suffices. */
function isDay(fields: Schedule['fields'], date: Date): boolean {
  const [, , days, months, weekdays] = fields
  if (months?.has(date.getUTCMonth() + 1) === false) return false
  const isDayOfMonth = days?.has(date.getUTCDate()) ?? null
  const isWeekday = weekdays?.has(date.getUTCDay()) ?? null
  if (isDayOfMonth === null || isWeekday === null) return isDayOfMonth ?? isWeekday ?? true
  return isDayOfMonth || isWeekday
}

function scheduleOf({ expression, timezone }: Cron): Schedule {
  const parts = expression.trim().split(/\s+/)
  if (expression.trim() === '') throw new IllegalArgumentError('Empty expression!')
  if (parts.length !== FIELDS.length)
    throw new IllegalArgumentError(
      `Cron expression contains ${parts.length} parts but we expect one of [${FIELDS.length}]`,
    )
  return {
    fields: FIELDS.map((field, i) => numbersOf(parts[i]!, field, expression)),
    zone: timeZone(timezone),
  }
}

/** Lists of numbers, ranges and steps. */
function numbersOf(text: string, field: Field, expression: string): ReadonlySet<number> | null {
  if (text === '*') return null
  const numbers = new Set<number>()
  const refuse = (): IllegalArgumentError =>
    new IllegalArgumentError(
      `Failed to parse cron expression [${expression}]: [${text}] is no ${field.name}`,
    )
  for (const part of text.split(',')) {
    const match = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d{1,4}))?$/.exec(part)
    if (match === null) throw refuse()
    const [, first, last, stepText] = match
    const step = Number(stepText ?? 1)
    const start = first === undefined ? field.min : numberOf(first, field)
    const hasEnd = first !== undefined && last === undefined && stepText === undefined
    const end = last === undefined ? (hasEnd ? start : field.max) : numberOf(last, field)
    if (start === null || end === null || step === 0 || start > end) throw refuse()
    for (let number = start; number <= end; number += step)
      numbers.add(field.max === 7 && number === 7 ? 0 : number)
  }
  return numbers
}

function numberOf(text: string, { min, max, names }: Field): number | null {
  const at = names.indexOf(text.toUpperCase())
  if (at >= 0) return at + min
  const number = /^\d{1,2}$/.test(text) ? Number(text) : -1
  return number >= min && number <= max ? number : null
}
