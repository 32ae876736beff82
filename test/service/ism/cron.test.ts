import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkCron, nextExecution } from '../../../src/service/ism/policy/cron.ts'

const at = (text: string): number => Date.parse(`${text}Z`)
const next = (expression: string, after: string, timezone = 'UTC'): string =>
  new Date(nextExecution({ expression, timezone }, at(after))).toISOString().slice(0, 16)

describe('a schedule', () => {
  it.each([
    ['* * * * *', '2026-01-01T00:00:00', '2026-01-01T00:01'],
    ['* * * * *', '2026-01-01T00:00:59', '2026-01-01T00:01'],
    ['30 5 * * *', '2026-01-01T05:30:00', '2026-01-02T05:30'],
    ['*/20 * * * *', '2026-01-01T05:41:00', '2026-01-01T06:00'],
    ['0 0 1 * *', '2026-01-31T10:00:00', '2026-02-01T00:00'],
    ['0 0 29 2 *', '2026-01-01T00:00:00', '2028-02-29T00:00'],
    ['0 12 * * MON-FRI', '2026-01-02T13:00:00', '2026-01-05T12:00'],
    ['0 12 * * 7', '2026-01-01T00:00:00', '2026-01-04T12:00'],
    ['0 0 13 * FRI', '2026-01-01T00:00:00', '2026-01-02T00:00'],
    ['5,10-12 3 * JAN,mar *', '2026-01-31T04:00:00', '2026-03-01T03:05'],
    ['10/15 * * * *', '2026-01-01T00:11:00', '2026-01-01T00:25'],
  ])('%s after %s is %s', (expression, after, expected) => {
    expect(next(expression, after)).toBe(expected)
  })

  it('follows the clock of its zone over the ends of summer time', () => {
    // At 02:30 there is no such time on 29 March 2026 in Paris: the clock stands at 03:30 then.
    expect(next('30 2 * * *', '2026-03-28T02:00:00', 'Europe/Paris')).toBe('2026-03-29T01:30')
    expect(next('30 2 * * *', '2026-03-29T02:00:00', 'Europe/Paris')).toBe('2026-03-30T00:30')
    expect(next('0 0 * * *', '2026-06-01T00:00:00', 'Asia/Tokyo')).toBe('2026-06-01T15:00')
  })

  it('that never comes is no error', () => {
    expect(nextExecution({ expression: '0 0 31 6 *', timezone: 'UTC' }, 0)).toBe(
      Number.POSITIVE_INFINITY,
    )
  })

  it.each([
    '',
    '* * * *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 8',
    '5-1 * * * *',
    '*/0 * * * *',
    'x * * * *',
  ])('refuses [%s]', expression => {
    expect(() => checkCron({ expression, timezone: 'UTC' })).toThrow()
  })

  it('agrees with a walk over every minute', () => {
    const field = (min: number, max: number): fc.Arbitrary<string> =>
      fc.oneof(
        fc.constant('*'),
        fc.integer({ min, max }).map(String),
        fc
          .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
          .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
        fc.integer({ min: 1, max: max - min }).map(step => `*/${step}`),
      )
    fc.assert(
      fc.property(
        field(0, 59),
        field(0, 23),
        field(1, 28),
        field(0, 6),
        fc.integer({ min: 0, max: 2 ** 31 }),
        (minute, hour, day, weekday, seconds) => {
          const expression = `${minute} ${hour} ${day} * ${weekday}`
          const after = seconds * 1000
          const found = nextExecution({ expression, timezone: 'UTC' }, after)
          expect(found).toBe(walk([minute, hour, day, weekday], after))
        },
      ),
      { numRuns: 60, seed: 20_260_101 },
    )
  })
})

/** The plain way: minute by minute, each field read anew. */
function walk([minute, hour, day, weekday]: readonly string[], after: number): number {
  const fits = (field: string, min: number, value: number): boolean => {
    if (field === '*') return true
    if (field.startsWith('*/')) return (value - min) % Number(field.slice(2)) === 0
    const [first, last = first] = field.split('-')
    return value >= Number(first) && value <= Number(last)
  }
  for (let moment = (Math.floor(after / 60_000) + 1) * 60_000; ; moment += 60_000) {
    const date = new Date(moment)
    const days = [
      [day!, fits(day!, 1, date.getUTCDate())],
      [weekday!, fits(weekday!, 0, date.getUTCDay())],
    ] as const
    const restricted = days.filter(([field]) => field !== '*')
    const isDay = restricted.length === 0 || restricted.some(([, isMet]) => isMet)
    if (!isDay) moment = Math.floor(moment / 86_400_000) * 86_400_000 + 86_340_000
    else if (fits(minute!, 0, date.getUTCMinutes()) && fits(hour!, 0, date.getUTCHours()))
      return moment
  }
}
