/** histogram and date_histogram: buckets of equal length. */
import { type Aggs, oneOf, type PlainKind, type Printed, sometimes } from '../kind.ts'
import { countOf, type Field, numbersOf, type Row } from '../row.ts'
import { dateText, doubleText } from '../text.ts'
import { inOrder, type Order, randomOrder } from './bucket-order.ts'

const DAY = 86_400_000

/** The keys of both kinds. */
interface HistogramBody {
  readonly min_doc_count?: number
  readonly keyed?: boolean
  readonly order?: Order
}

/** How buckets are laid out. */
interface Layout {
  /** The bucket of a number. */
  keyOf(value: number): number
  /** The bucket behind one. */
  next(key: number): number
  /** The buckets of a row. */
  keysOf(row: Row): Iterable<number>
  /** Buckets that there are at least; null: as rows say. */
  readonly bounds: { readonly first: number; readonly last: number } | null
  print(key: number): Printed
}

/** Parents of pipelines must show all buckets. */
function ordered<B extends HistogramBody>(
  body: B,
  children: Aggs,
  random: Parameters<typeof randomOrder>[0],
): B {
  const order = randomOrder(random, children)
  return order === null ? body : { ...body, order }
}

function bucketsOf(
  body: HistogramBody,
  layout: Layout,
  rows: readonly Row[],
  bucket: (rows: readonly Row[]) => Printed,
): Printed {
  const { min_doc_count: minDocCount = 0, order = { _key: 'asc' } as Order } = body
  const groups = new Map<number, Row[]>()
  for (const row of rows)
    for (const key of new Set(layout.keysOf(row))) {
      const known = groups.get(key)
      if (known === undefined) groups.set(key, [row])
      else known.push(row)
    }
  const keys = new Set(groups.keys())
  if (minDocCount === 0) fill(keys, layout)
  const shown = [...keys]
    .filter(key => countOf(groups.get(key) ?? []) >= minDocCount)
    .map(key => ({ key, content: bucket(groups.get(key) ?? []) }))
  const buckets = inOrder(shown, order, (a, b) => a - b).map(({ key, content }) => ({
    ...layout.print(key),
    ...content,
  }))
  if (body.keyed !== true) return { buckets }
  return { buckets: Object.fromEntries(buckets.map(each => [nameOf(each), each])) }
}

/** Adds the buckets between the first and the last one. */
function fill(keys: Set<number>, { bounds, next }: Layout): void {
  const all = bounds === null ? [...keys] : [...keys, bounds.first, bounds.last]
  const last = all.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const first = all.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  for (let key = first; key <= last; key = next(key)) keys.add(key)
}

function nameOf(bucket: Printed): string {
  return String(bucket['key_as_string'] ?? doubleText(Number(bucket['key'])))
}

interface NumberBody extends HistogramBody {
  readonly field: Field | 'r'
  readonly interval: number
  readonly offset?: number
  readonly missing?: number
  readonly extended_bounds?: { readonly min: number; readonly max: number }
  readonly hard_bounds?: { readonly min: number; readonly max: number }
}

function numberLayout(body: NumberBody): Layout {
  const { interval, offset = 0, extended_bounds: extended, hard_bounds: hard } = body
  const keyOf = (value: number): number =>
    Math.floor((value - offset) / interval) * interval + offset
  const next = (key: number): number => keyOf(key + 1.5 * interval)
  const isShown = (key: number): boolean =>
    hard === undefined || (key >= hard.min && key <= hard.max)
  return {
    keyOf,
    next,
    *keysOf(row) {
      const { field } = body
      if (field !== 'r') {
        const source = body.missing === undefined ? { field } : { field, missing: body.missing }
        for (const value of numbersOf(row, source)) if (isShown(keyOf(value))) yield keyOf(value)
      } else if (row.object === null)
        for (const { gte, lte } of row.document.source.r)
          for (let key = keyOf(gte); key <= keyOf(lte); key = next(key)) if (isShown(key)) yield key
    },
    bounds:
      extended === undefined ? null : { first: keyOf(extended.min), last: keyOf(extended.max) },
    print: key => ({ key }),
  }
}

/** `histogram` of numbers and of ranges. */
export const histogram: PlainKind<NumberBody> = {
  buckets: 'several',
  isByValue: true,
  draw({ random, path, level }) {
    const field = path === '' ? oneOf(random, ['n', 'd', 'r', 'w', 'n'] as const) : 'a.y'
    const intervals = level > 1 ? [4, 5.5] : [1, 2.5, 4]
    return {
      field: path === 'a.c' ? 'a.c.z' : field,
      interval: oneOf(random, intervals),
      ...sometimes(random, 2, { offset: oneOf(random, [1, -0.25]) }),
      ...sometimes(random, 2, { min_doc_count: random.below(3) }),
      ...sometimes(random, 4, { keyed: true }),
      ...(field === 'n' ? sometimes(random, 4, { missing: 3 }) : {}),
      // Fields of ranges are cut at bounds by rules of their own.
      ...(field === 'r'
        ? {}
        : oneOf(random, [
            {},
            {},
            { extended_bounds: { min: -4, max: 14 } },
            { hard_bounds: { min: 1, max: 5 } },
          ])),
    }
  },
  ordered,
  answer: (body, rows, below) => bucketsOf(body, numberLayout(body), rows, below.bucket),
  nameOf,
}

interface DateBody extends HistogramBody {
  readonly field: 't'
  readonly fixed_interval?: string
  readonly calendar_interval?: string
  readonly offset?: string
  readonly time_zone?: string
}

/** Milliseconds of intervals and offsets that are drawn. */
const LENGTHS: Readonly<Record<string, number>> = {
  '36h': 1.5 * DAY,
  '10d': 10 * DAY,
  '90d': 90 * DAY,
  '+6h': DAY / 4,
  '-1d': -DAY,
}

/** Milliseconds that the zones are ahead of UTC. */
const ZONES: Readonly<Record<string, number>> = {
  '+05:30': 5.5 * 3_600_000,
  '-08:00': -8 * 3_600_000,
}

/** The start of a unit of the calendar, in local time. */
function unitStart(unit: string, local: number): number {
  const date = new Date(local)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  switch (unit) {
    case 'day':
      return Math.floor(local / DAY) * DAY
    case 'week':
      // The epoch is a Thursday, and weeks begin on Mondays.
      return Math.floor((local / DAY + 3) / 7) * 7 * DAY - 3 * DAY
    case 'month':
      return Date.UTC(year, month)
    case 'quarter':
      return Date.UTC(year, month - (month % 3))
    default:
      return Date.UTC(year, 0)
  }
}

function dateLayout(body: DateBody): Layout {
  const zone = ZONES[body.time_zone ?? ''] ?? 0
  const offset = LENGTHS[body.offset ?? ''] ?? 0
  const fixed = LENGTHS[body.fixed_interval ?? '']
  const unit = body.calendar_interval ?? ''
  const localStart = (local: number): number =>
    fixed === undefined ? unitStart(unit, local) : Math.floor(local / fixed) * fixed
  const keyOf = (millis: number): number => localStart(millis - offset + zone) - zone + offset
  const lengths: Readonly<Record<string, number>> = {
    day: 1,
    week: 7,
    month: 31,
    quarter: 92,
    year: 366,
  }
  const text = (key: number): string =>
    body.time_zone === undefined ? dateText(key) : dateText(key + zone).replace('Z', body.time_zone)
  return {
    keyOf,
    next: key => keyOf(key + 1.2 * (fixed ?? lengths[unit]! * DAY)),
    *keysOf(row) {
      for (const value of numbersOf(row, body)) yield keyOf(value)
    },
    bounds: null,
    print: key => ({ key_as_string: text(key), key }),
  }
}

/** `date_histogram`. */
export const dateHistogram: PlainKind<DateBody> = {
  buckets: 'several',
  isByValue: true,
  fits: ({ path }) => path === '',
  draw: ({ random, level }) => ({
    field: 't',
    // Dates of some collections spread over decades.
    ...oneOf(
      random,
      level > 1
        ? [{ calendar_interval: 'year' }, { calendar_interval: 'quarter' }]
        : [
            { fixed_interval: '10d' },
            { fixed_interval: '90d' },
            { calendar_interval: 'week' },
            { calendar_interval: 'month' },
            { calendar_interval: 'quarter' },
            { calendar_interval: 'year' },
          ],
    ),
    ...sometimes(random, 3, { offset: oneOf(random, ['+6h', '-1d']) }),
    ...sometimes(random, 3, { time_zone: oneOf(random, Object.keys(ZONES)) }),
    ...sometimes(random, 2, { min_doc_count: random.below(2) }),
    ...sometimes(random, 4, { keyed: true }),
  }),
  ordered,
  answer: (body, rows, below) => bucketsOf(body, dateLayout(body), rows, below.bucket),
}
