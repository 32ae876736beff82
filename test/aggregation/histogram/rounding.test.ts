/**
 * The long form, of more years for each zone:
 * `LAMELLA_ZONE_YEARS=20 npx vitest run test/aggregation/histogram/rounding.test.ts`.
 */
import { expect, it } from 'vitest'
import { type RoundingPlan, roundingOf } from '../../../src/aggregation/histogram/rounding.ts'
import { tabled } from '../../../src/aggregation/histogram/tabled-rounding.ts'
import { Random } from '../../../src/util/random.ts'
import { type PlainInterval, PlainZone } from '../../support/plain-zone.ts'

const SEED = Number(process.env['LAMELLA_ZONE_SEED'] ?? 515)
/** Years that each zone is looked at in. */
const YEARS = Number(process.env['LAMELLA_ZONE_YEARS'] ?? 1)
const HOUR = 3_600_000
const YEAR = 31_556_952_000
const DAY = 86_400_000

const INTERVALS: readonly PlainInterval[] = [
  'hour',
  'day',
  'week',
  'month',
  'quarter',
  'year',
  HOUR / 2,
  3 * HOUR,
  DAY,
  36 * HOUR,
]

function planOf(interval: PlainInterval, zone: string): RoundingPlan {
  return {
    interval:
      typeof interval === 'number'
        ? { kind: 'fixed', millis: interval }
        : { kind: 'calendar', unit: interval },
    zone,
    offset: 0,
  }
}

/** Instants around the changes of a zone, and some elsewhere. */
function instantsOf(random: Random, zone: PlainZone, from: number): readonly number[] {
  const near = zone.changes.flatMap(({ at }) =>
    [-DAY, -HOUR, -1, 0, 1, 90_000, HOUR / 2, HOUR, 1.5 * HOUR, 5 * HOUR, DAY].map(
      each => at + each,
    ),
  )
  const others = Array.from({ length: 12 }, () => from + Math.floor(random.next() * YEAR))
  return [...near, ...others].sort(() => random.next() - 0.5)
}

it(`rounds as local times say in every zone, where clocks change too (seed ${SEED})`, () => {
  const random = new Random(SEED)
  const zones = Intl.supportedValuesOf('timeZone')
  const wrong: string[] = []
  let changes = 0
  for (const id of zones)
    for (let i = 0; i < YEARS; i++) {
      const from = Date.UTC(1905 + random.below(130), 0) + random.below(28) * DAY
      // Buckets of a year begin before it.
      const zone = new PlainZone(id, from - 1.1 * YEAR, from + 1.1 * YEAR)
      changes += zone.changes.length
      const instants = instantsOf(random, zone, from)
      for (const interval of INTERVALS) {
        const rounding = tabled(roundingOf(planOf(interval, id)))
        for (const instant of instants) {
          if (instant < from || instant > from + YEAR) continue
          const [found, expected] = [rounding.round(instant), zone.round(instant, interval)]
          if (found !== expected)
            wrong.push(`${id} ${interval} ${instant}: ${found}, expected ${expected}`)
        }
      }
    }
  expect(zones.length).toBeGreaterThan(400)
  expect(changes).toBeGreaterThan(300)
  expect(wrong).toEqual([])
})

it.each([
  // Clocks went from 23:30 to 00:30: the day has no midnight.
  ['America/Toronto', 'day', '1919-03-31T04:45:00Z', '1919-03-31T04:30:00Z'],
  // Clocks went from 00:01 back to 23:01: the day before goes on.
  ['America/St_Johns', 'day', '1996-10-27T03:00:00Z', '1996-10-26T02:30:00Z'],
  ['America/St_Johns', 'day', '1996-10-27T02:30:30Z', '1996-10-27T02:30:00Z'],
  // A whole day is missing.
  ['Pacific/Apia', 'day', '2011-12-30T12:00:00Z', '2011-12-30T10:00:00Z'],
  ['Pacific/Apia', 'week', '2011-12-31T12:00:00Z', '2011-12-26T10:00:00Z'],
  // Half an hour back.
  ['Australia/Lord_Howe', 'hour', '2026-04-04T15:10:00Z', '2026-04-04T14:00:00Z'],
] as const)('rounds in %s to the %s: %s', (id, unit, instant, start) => {
  const rounding = tabled(roundingOf(planOf(unit, id)))
  // The table of starts must not depend on what was asked for first.
  const first = rounding.round(Date.parse(start))
  expect(
    [first, rounding.round(Date.parse(instant))].map(at => new Date(at).toISOString()),
  ).toEqual([start, start].map(text => text.replace('Z', '.000Z')))
})

it('rounds the first and last years that dates are written with', () => {
  const of = (interval: PlainInterval, zone: string, text: string): string =>
    new Date(roundingOf(planOf(interval, zone)).round(Date.parse(text))).toISOString()
  expect(of('year', 'UTC', '0001-05-03T00:00:00Z')).toBe('0001-01-01T00:00:00.000Z')
  expect(of('week', 'UTC', '0001-01-03T00:00:00Z')).toBe('0001-01-01T00:00:00.000Z')
  expect(of('quarter', 'UTC', '9999-12-31T23:59:59.999Z')).toBe('9999-10-01T00:00:00.000Z')
  expect(of('day', 'Pacific/Kiritimati', '9999-12-31T23:59:59.999Z')).toBe(
    '9999-12-31T10:00:00.000Z',
  )
  expect(of(DAY, '-18:00', '0001-01-01T00:00:00Z')).toBe('0000-12-31T18:00:00.000Z')
})
