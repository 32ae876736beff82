/** Names of months, days and halves of days in a locale's language. */
import { IllegalArgumentError } from '../errors.ts'

/** A locale's names; months from January on, days from Monday on. */
export interface DateNames {
  readonly months: readonly string[]
  readonly shortMonths: readonly string[]
  readonly days: readonly string[]
  readonly shortDays: readonly string[]
  readonly halfDays: readonly string[]
}

const MONTHS =
  'January February March April May June July August September October November December'.split(' ')
const DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

const ENGLISH: DateNames = {
  months: MONTHS,
  shortMonths: MONTHS.map(name => name.slice(0, 3)),
  days: DAYS,
  shortDays: DAYS.map(name => name.slice(0, 3)),
  halfDays: ['AM', 'PM'],
}

/**
 * Reads a locale: a language, then a country and a variant, parted by `_` or `-`; `ROOT`, which is
 * no language, is the empty text.
 * @returns as mappings print it: `de`, `pt_BR`
 * @throws {IllegalArgumentError} no locale, or one whose names are not known
 */
export function parseLocale(text: string): string {
  if (text === '' || text.toUpperCase() === 'ROOT') return ''
  const parts = text.split(text.includes('_') ? '_' : '-')
  const [language = '', country = '', variant = ''] = parts
  if (parts.length > 3 || !/^[A-Za-z]{2,3}$/.test(language) || !/^\w{0,3}$/.test(country))
    throw new IllegalArgumentError(`Can't parse locale: [${text.slice(0, 256)}]`)
  const tag = language.toLowerCase()
  if (Intl.DateTimeFormat.supportedLocalesOf(tag).length === 0)
    throw new IllegalArgumentError(`Unknown language: ${tag}`)
  if (variant !== '' && !/^\w{1,8}$/.test(variant))
    throw new IllegalArgumentError(`Can't parse locale: [${text.slice(0, 256)}]`)
  return [tag, country.toUpperCase(), variant].filter(part => part !== '').join('_')
}

/** The names of a locale as `parseLocale` answers it. */
export function dateNames(locale: string): DateNames {
  if (locale === '' || locale === 'en' || locale === 'en_US') return ENGLISH
  const [language = '', country = ''] = locale.split('_')
  const tag = /^([A-Z]{2}|\d{3})$/.test(country) ? `${language}-${country}` : language
  const names = (
    style: Intl.DateTimeFormatOptions,
    part: Intl.DateTimeFormatPartTypes,
    dates: readonly Date[],
  ): string[] => {
    const format = new Intl.DateTimeFormat(tag, { timeZone: 'UTC', ...style })
    return dates.map(
      date => format.formatToParts(date).find(({ type }) => type === part)?.value ?? '',
    )
  }
  const months = MONTHS.map((_, i) => new Date(Date.UTC(2024, i, 1)))
  // 2024-01-01 was a Monday.
  const days = DAYS.map((_, i) => new Date(Date.UTC(2024, 0, 1 + i)))
  const halves = [new Date(Date.UTC(2024, 0, 1, 1)), new Date(Date.UTC(2024, 0, 1, 13))]
  // With a day beside it a month stands in the form that it has within a date.
  const date = { day: 'numeric', year: 'numeric' } as const
  return {
    months: names({ ...date, month: 'long' }, 'month', months),
    shortMonths: names({ ...date, month: 'short' }, 'month', months),
    days: names({ weekday: 'long' }, 'weekday', days),
    shortDays: names({ weekday: 'short' }, 'weekday', days),
    halfDays: names({ hour: 'numeric', hour12: true }, 'dayPeriod', halves),
  }
}
