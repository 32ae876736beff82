import { IllegalArgumentError } from '../../../util/errors.ts'

/** An offset such as `+01:00` in milliseconds; region names are not known. */
export function zoneOffset(zone: string): number {
  if (zone === 'Z' || zone === 'UTC' || zone === 'GMT') return 0
  const shape = /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?$/.exec(zone)
  if (shape === null)
    throw new IllegalArgumentError(`The time-zone ID [${zone}] is not supported, use an offset`)
  const minutes = Number(shape[2]) * 60 + Number(shape[3] ?? 0)
  return (shape[1] === '-' ? -1 : 1) * minutes * 60_000
}
