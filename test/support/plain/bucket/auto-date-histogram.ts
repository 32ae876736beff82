import { oneOf, type PlainKind, sometimes } from '../kind.ts'
import { numbersOf, type Row } from '../row.ts'
import { dateText } from '../text.ts'

interface Body {
  readonly field: 't'
  readonly buckets: number
  readonly minimum_interval?: string
}

/** The units, the finest first: their sign, and multiples of them that buckets may be long. */
const UNITS: readonly (readonly [name: string, sign: string, multiples: readonly number[]])[] = [
  ['second', 's', [1, 5, 10, 30]],
  ['minute', 'm', [1, 5, 10, 30]],
  ['hour', 'h', [1, 3, 12]],
  ['day', 'd', [1, 7]],
  ['month', 'M', [1, 3]],
  ['year', 'y', [1, 5, 10, 20, 50, 100]],
]

const LENGTHS: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
}

function startOf(unit: string, millis: number): number {
  const length = LENGTHS[unit]
  if (length !== undefined) return Math.floor(millis / length) * length
  const date = new Date(millis)
  return Date.UTC(date.getUTCFullYear(), unit === 'year' ? 0 : date.getUTCMonth())
}

function nextOf(unit: string, start: number): number {
  const length = LENGTHS[unit]
  // 32 days after a month began the next one has.
  return length !== undefined
    ? start + length
    : startOf(unit, start + (unit === 'year' ? 367 : 32) * LENGTHS['day']!)
}

/** The starts of a unit between two dates; null: they are more than `limit`. */
function startsOf(unit: string, first: number, last: number, limit: number): number[] | null {
  const starts: number[] = []
  for (let at = startOf(unit, first); at <= last; at = nextOf(unit, at)) {
    if (starts.length === limit) return null
    starts.push(at)
  }
  return starts
}

/** `auto_date_histogram`. */
export const autoDateHistogram: PlainKind<Body> = {
  buckets: 'several',
  isByValue: true,
  fits: ({ path }) => path === '',
  draw: ({ random, level }) => ({
    field: 't',
    buckets: level > 1 ? 1 + random.below(3) : oneOf(random, [1, 2, 5, 10, 25]),
    ...sometimes(random, 4, {
      minimum_interval: oneOf(random, ['minute', 'day', 'month', 'year']),
    }),
  }),
  answer({ buckets: target, minimum_interval: finest = 'second' }, rows, below) {
    const dated = rows.flatMap((row): readonly (readonly [number, Row])[] =>
      numbersOf(row, { field: 't' }).map(millis => [millis, row]),
    )
    const ladder = UNITS.slice(UNITS.findIndex(([name]) => name === finest))
    if (dated.length === 0) return { buckets: [], interval: `1${ladder[0]![1]}` }
    const dates = dated.map(([millis]) => millis)
    const [first, last] = [Math.min(...dates), Math.max(...dates)]
    for (const [name, sign, multiples] of ladder) {
      const limit =
        name === 'year' ? Number.POSITIVE_INFINITY : target * multiples[multiples.length - 1]!
      const starts = startsOf(name, first, last, limit)
      if (starts === null) continue
      const multiple =
        multiples.find(each => Math.floor(starts.length / each) <= target) ?? multiples.at(-1)!
      const step = starts.length <= target ? 1 : multiple
      const kept = starts.filter((_, i) => i % step === 0)
      return {
        buckets: kept.map((start, i) => {
          const end = kept[i + 1] ?? Number.POSITIVE_INFINITY
          const within = dated.filter(([millis]) => millis >= start && millis < end)
          return {
            key_as_string: dateText(start),
            key: start,
            ...below.bucket(within.map(([, row]) => row)),
          }
        }),
        interval: `${step}${sign}`,
      }
    }
    throw new Error('years have no limit')
  },
}
