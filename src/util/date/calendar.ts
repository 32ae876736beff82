/** The proleptic Gregorian calendar and ISO weeks, in days since 1970-01-01; years of any size. */

/** Whether a year has 366 days. */
export function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

/** Days of a month, 1 … 12. */
export function daysInMonth(year: number, month: number): number {
  return month === 2 ? (isLeap(year) ? 29 : 28) : 30 + ((month + (month >> 3)) & 1)
}

/** Days from 1970-01-01 to a date; years of any size (H. Hinnant, "chrono-compatible dates"). */
export function daysOf(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** 1 for Monday … 7 for Sunday. */
export function isoDayOfWeek(days: number): number {
  return ((((days + 3) % 7) + 7) % 7) + 1
}

/** The Monday of an ISO year's first week, the one that holds January 4th. */
export function firstWeek(year: number): number {
  const january4 = daysOf(year, 1, 4)
  return january4 - isoDayOfWeek(january4) + 1
}

/** Weeks of an ISO year: 52 or 53. */
export function weeksOf(year: number): number {
  return (firstWeek(year + 1) - firstWeek(year)) / 7
}

/** The ISO year of a day of the calendar year `year`. */
export function weekYearOf(days: number, year: number): number {
  if (days < firstWeek(year)) return year - 1
  return days >= firstWeek(year + 1) ? year + 1 : year
}
