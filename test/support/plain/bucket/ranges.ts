/** range, date_range, ip_range and geo_distance: buckets of given ranges, which may overlap. */
import type { PlainPoint } from '../collection.ts'
import { oneOf, type PlainKind, type Printed, sometimes } from '../kind.ts'
import { type Field, fieldsOf, numbersOf, pointsOf, type Row, valuesOf } from '../row.ts'
import { dateText, doubleText } from '../text.ts'
import { addressBytes } from './address.ts'

interface Range<E> {
  readonly key?: string
  readonly from?: E
  readonly to?: E
}

interface RangesBody<E> {
  readonly ranges: readonly Range<E>[]
  readonly keyed?: boolean
}

/** The bucket of a range, ahead of its content. */
interface Head {
  readonly key: string
  readonly ends: Printed
  holds(row: Row): boolean
}

function bucketsOf(
  keyed: boolean | undefined,
  heads: readonly Head[],
  rows: readonly Row[],
  bucket: (rows: readonly Row[]) => Printed,
): Printed {
  const contents = heads.map(({ key, ends, holds }) => ({
    key,
    content: { ...ends, ...bucket(rows.filter(holds)) },
  }))
  if (keyed === true)
    return { buckets: Object.fromEntries(contents.map(({ key, content }) => [key, content])) }
  return { buckets: contents.map(({ key, content }) => ({ key, ...content })) }
}

/** Ranges of numbers in order of their ends, with what holds them. */
function numberHeads(
  ranges: readonly Range<number>[],
  numbers: (row: Row) => readonly number[],
  text: ((value: number) => string) | null,
): readonly Head[] {
  const low = ({ from = Number.NEGATIVE_INFINITY }: Range<number>): number => from
  const high = ({ to = Number.POSITIVE_INFINITY }: Range<number>): number => to
  const compare = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0)
  const sorted = [...ranges].sort((a, b) => compare(low(a), low(b)) || compare(high(a), high(b)))
  return sorted.map(range => {
    const { from, to } = range
    const end = (value: number | undefined): string =>
      value === undefined ? '*' : (text ?? doubleText)(value)
    return {
      key: range.key ?? `${end(from)}-${end(to)}`,
      ends: {
        ...(from === undefined ? {} : { from }),
        ...(from === undefined || text === null ? {} : { from_as_string: text(from) }),
        ...(to === undefined ? {} : { to }),
        ...(to === undefined || text === null ? {} : { to_as_string: text(to) }),
      },
      holds: row => numbers(row).some(value => value >= low(range) && value < high(range)),
    }
  })
}

interface NumberBody extends RangesBody<number> {
  readonly field: Field
  readonly missing?: number
}

const NUMBER_RANGES: readonly (readonly Range<number>[])[] = [
  [{ to: 3 }, { from: 2, to: 5 }, { from: 5 }],
  [{ from: 4 }, { to: 4 }, { key: 'all' }],
  [{ key: 'few', from: 0.5, to: 2.5 }],
  [
    { from: 3, to: 1 },
    { from: 1, to: 3 },
    { from: 1, to: 2 },
  ],
]

/** `range`. */
export const range: PlainKind<NumberBody> = {
  buckets: 'several',
  draw: ({ random, path }) => ({
    field: random.below(30) === 0 ? 'u' : oneOf(random, fieldsOf(path, 'long', 'double')),
    ranges: oneOf(random, NUMBER_RANGES),
    ...sometimes(random, 4, { keyed: true }),
  }),
  answer: (body, rows, below) =>
    bucketsOf(
      body.keyed,
      numberHeads(body.ranges, row => numbersOf(row, body), null),
      rows,
      below.bucket,
    ),
}

interface DateBody extends RangesBody<string> {
  readonly field: 't'
}

const [NOV, DEC, FAR] = [
  '2023-11-15T00:00:00.000Z',
  '2023-12-01T12:00:00.000Z',
  '2040-01-01T00:00:00.000Z',
]

/** `date_range`. */
export const dateRange: PlainKind<DateBody> = {
  buckets: 'several',
  fits: ({ path }) => path === '',
  draw: ({ random }) => ({
    field: 't',
    ranges: oneOf<readonly Range<string>[]>(random, [
      [{ to: NOV }, { from: NOV, to: DEC }, { from: DEC }],
      [{ from: FAR }, { key: 'before', to: FAR }],
      [
        { from: NOV, to: FAR },
        { from: NOV, to: DEC },
      ],
    ]),
    ...sometimes(random, 4, { keyed: true }),
  }),
  answer(body, rows, below) {
    const ranges = body.ranges.map(({ key, from, to }) => ({
      ...(key === undefined ? {} : { key }),
      ...(from === undefined ? {} : { from: Date.parse(from) }),
      ...(to === undefined ? {} : { to: Date.parse(to) }),
    }))
    const heads = numberHeads(ranges, row => numbersOf(row, body), dateText)
    return bucketsOf(body.keyed, heads, rows, below.bucket)
  },
}

interface AddressRange extends Range<string> {
  readonly mask?: string
}

interface AddressBody {
  readonly field: 'ip'
  readonly ranges: readonly AddressRange[]
  readonly keyed?: boolean
}

/** The ends of the masks that are drawn. */
const MASKS: Readonly<Record<string, Range<string>>> = {
  '10.0.0.0/29': { from: '10.0.0.0', to: '10.0.0.8' },
  '10.0.0.4/31': { from: '10.0.0.4', to: '10.0.0.6' },
  '2001:db8::/126': { from: '2001:db8::', to: '2001:db8::4' },
}

/** `ip_range`. */
export const ipRange: PlainKind<AddressBody> = {
  buckets: 'several',
  fits: ({ path }) => path === '',
  draw: ({ random }) => ({
    field: 'ip',
    ranges: oneOf<readonly AddressRange[]>(random, [
      [{ to: '10.0.0.5' }, { from: '10.0.0.5' }],
      [{ mask: '10.0.0.0/29' }, { mask: '2001:db8::/126' }],
      [{ mask: '10.0.0.4/31' }, { from: '10.0.0.3', to: '10.0.0.9', key: 'some' }],
      [{ from: '2001:db8::2' }, { from: '10.0.0.2', to: '2001:db8::3' }],
    ]),
    ...sometimes(random, 4, { keyed: true }),
  }),
  answer({ field, ranges, keyed }, rows, below) {
    const heads = ranges.map((given): Head & Range<string> => {
      const { from, to } = given.mask === undefined ? given : MASKS[given.mask]!
      const ends = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
      return {
        ...ends,
        key: given.key ?? given.mask ?? `${from ?? '*'}-${to ?? '*'}`,
        ends,
        holds: row =>
          valuesOf(row, field).some(value => {
            const bytes = addressBytes(String(value))
            return (
              (from === undefined || bytes >= addressBytes(from)) &&
              (to === undefined || bytes < addressBytes(to))
            )
          }),
      }
    })
    const low = ({ from }: Range<string>): string => (from === undefined ? '' : addressBytes(from))
    heads.sort((a, b) => (low(a) < low(b) ? -1 : 1))
    return bucketsOf(keyed, heads, rows, below.bucket)
  },
}

interface DistanceBody extends RangesBody<number> {
  readonly field: 'at'
  readonly origin: PlainPoint
  readonly unit?: 'km' | 'mi'
  readonly distance_type?: 'arc' | 'plane'
}

const UNITS = { m: 1, km: 1000, mi: 1609.344 }
const EARTH_RADIUS = 6_371_008.7714

/** Meters between two places. */
function distanceOf(type: 'arc' | 'plane', a: PlainPoint, b: PlainPoint): number {
  const radians = (degrees: number): number => (degrees / 180) * Math.PI
  const [lat, lon] = [radians(b.lat - a.lat), radians(b.lon - a.lon)]
  if (type === 'plane') {
    const scale = Math.cos(radians((a.lat + b.lat) / 2))
    return EARTH_RADIUS * Math.hypot(lat, lon * scale)
  }
  const squared =
    Math.sin(lat / 2) ** 2 +
    Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(lon / 2) ** 2
  return 2 * EARTH_RADIUS * Math.asin(Math.sqrt(squared))
}

/** `geo_distance`. */
export const geoDistance: PlainKind<DistanceBody> = {
  buckets: 'several',
  fits: ({ path }) => path === '',
  draw({ random }) {
    const unit = oneOf(random, ['km', 'mi'] as const)
    return {
      field: 'at',
      origin: { lat: 1.2345 + random.below(10), lon: 2.3456 - random.below(20) },
      unit,
      ...sometimes(random, 3, { distance_type: oneOf(random, ['arc', 'plane'] as const) }),
      ranges: [{ to: 800 }, { from: 800, to: 2000 }, { key: 'far', from: 1500 }],
      ...sometimes(random, 4, { keyed: true }),
    }
  },
  answer(body, rows, below) {
    const { origin, unit = 'km', distance_type: type = 'arc' } = body
    const distances = (row: Row): readonly number[] =>
      pointsOf(row).map(point => distanceOf(type, origin, point) / UNITS[unit])
    // An end that is not given is printed as 0, and not named.
    const ranges = body.ranges.map(range =>
      range.from === undefined ? { key: `*-${doubleText(range.to!)}`, ...range, from: 0 } : range,
    )
    return bucketsOf(body.keyed, numberHeads(ranges, distances, null), rows, below.bucket)
  },
}
