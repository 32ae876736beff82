/** The functions that scripts of the context `score` call by their name alone. */

import { dateNames } from '../../../util/date/date-names.ts'
import { compileDatePattern } from '../../../util/date/date-pattern.ts'
import { UTC } from '../../../util/date/time-zone.ts'

import { arcDistance, metersOf, type Place } from '../../../util/geo-distance.ts'
import { geohashCorner } from '../../../util/geohash.ts'
import type { Long } from '../../../util/long.ts'
import { murmur3 } from '../../../util/murmur3.ts'
import type { GeoPointValue } from '../../doc/geo-point-value.ts'
import { illegalArgument } from '../../java-faults.ts'
import type { ScriptRun } from '../../script-run.ts'
import type { ZonedDateTimeValue } from '../../value/date/zoned-date-time.ts'
import type { Member } from './class-type.ts'
import { members } from './members.ts'

/** The document at hand, of which the functions ask; the search gives it. */
export interface ScoreDocument {
  /** Its number in the shard. */
  readonly number: number
  /** A number of the index and the shard that `randomScore` mixes into its seed. */
  readonly salt: number
  /**
   * The text of a field's first value.
   * @throws {ScriptFault} an unknown field, or a document without a value
   */
  firstValueText(field: string): string
  /** How often a term occurs in the document's field. */
  termFreq(field: string, term: string): number
  /** The part of the score that the frequency gives. */
  tf(field: string, term: string): number
  /** How often a term occurs in all documents. */
  totalTermFreq(field: string, term: string): Long
  /** How many terms all documents hold. */
  sumTotalTermFreq(field: string): Long
}

type Decay = 'Linear' | 'Exp' | 'Gauss'

/** Functions by `name/arity`; the receiver of each is a `ScoreDocument`. */
export const SCORE_FUNCTIONS: Readonly<Record<string, Member>> = {
  ...members({
    'double randomScore(int)': (_run, document: ScoreDocument, seed: number) =>
      randomScore(String(document.number), seed, document.salt),
    'double randomScore(int, String)': (
      _run,
      document: ScoreDocument,
      seed: number,
      field: string,
    ) => randomScore(document.firstValueText(field), seed, document.salt),
    'double saturation(double, double)': (_run, _, value: number, k: number) => value / (k + value),
    'double sigmoid(double, double, double)': (_run, _, value: number, k: number, a: number) =>
      value ** a / (k ** a + value ** a),
    'long sumTotalTermFreq(String)': (_run, document: ScoreDocument, field: string) =>
      document.sumTotalTermFreq(field),
    'int termFreq(String, String)': (_run, document: ScoreDocument, field: string, term: string) =>
      document.termFreq(field, term),
    'float tf(String, String)': (_run, document: ScoreDocument, field: string, term: string) =>
      Math.fround(document.tf(field, term)),
    'long totalTermFreq(String, String)': (
      _run,
      document: ScoreDocument,
      field: string,
      term: string,
    ) => document.totalTermFreq(field, term),
  }),
  ...decays('Linear'),
  ...decays('Exp'),
  ...decays('Gauss'),
}

/** The functions of one shape of decay: over numbers, dates and places. */
function decays(shape: Decay): Record<string, Member> {
  const origins = remembered(parseDate)
  const durations = remembered(parseTime)
  const places = remembered(parsePlace)
  const lengths = remembered(parseLength)
  return members({
    [`double decayNumeric${shape}(double, double, double, double, double)`]: (
      _run,
      _,
      origin: number,
      scale: number,
      offset: number,
      decay: number,
      value: number,
    ) => decayed(shape, Math.abs(value - origin) - offset, scale, decay),
    [`double decayDate${shape}(String, String, String, double, ZonedDateTime)`]: (
      _run: ScriptRun,
      _: unknown,
      origin: string,
      scale: string,
      offset: string,
      decay: number,
      value: ZonedDateTimeValue,
    ) => {
      const distance = Math.abs(millisOf(value) - origins(origin)) - durations(offset)
      return decayed(shape, distance, durations(scale), decay)
    },
    [`double decayGeo${shape}(String, String, String, double, GeoPoint)`]: (
      _run: ScriptRun,
      _: unknown,
      origin: string,
      scale: string,
      offset: string,
      decay: number,
      value: GeoPointValue,
    ) => {
      const distance = arcDistance(places(origin), value) - lengths(offset)
      return decayed(shape, distance, lengths(scale), decay)
    },
  })
}

/** The decay at a distance, at most 1; below 0 it counts as 0. */
function decayed(shape: Decay, distance: number, scale: number, decay: number): number {
  const d = Math.max(0, distance)
  switch (shape) {
    case 'Linear': {
      const s = scale / (1 - decay)
      return Math.max(0, (s - d) / s)
    }
    case 'Exp':
      return Math.exp((Math.log(decay) / scale) * d)
    case 'Gauss':
      return Math.exp((0.5 * d * d) / ((0.5 * scale * scale) / Math.log(decay)))
  }
}

/** A number in [0, 1) with 24 random bits. */
function randomScore(text: string, seed: number, salt: number): number {
  const hash = murmur3(Buffer.from(text), mixed(seed ^ salt))
  return Math.fround((hash & 0xffffff) / (1 << 24))
}

/** The end of murmur3, which spreads a seed's bits. */
function mixed(seed: number): number {
  let h = Math.imul(seed ^ (seed >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

function millisOf(date: ZonedDateTimeValue): number {
  const { epochSecond } = date
  return epochSecond * 1000 + Math.floor((date.nano % 1e9) / 1e6)
}

/** A function that knows its last result: scripts give the same texts document after document. */
function remembered<T>(parse: (text: string) => T): (text: string) => T {
  let lastText: string | null = null
  let last: T
  return text => {
    if (text !== lastText) {
      last = parse(text)
      lastText = text
    }
    return last
  }
}

const OPTIONAL_TIME = "yyyy[-MM[-dd]]['T'[HH[:mm[:ss[F]]][O]]"
const DATE = compileDatePattern(OPTIONAL_TIME, OPTIONAL_TIME, 'strict', dateNames(''))

/** Milliseconds of a date as `strict_date_optional_time||epoch_millis`. */
function parseDate(text: string): number {
  const into = { millis: 0, nanos: 0 }
  if (DATE.parse(text, false, UTC, into)) return into.millis
  if (/^-?\d{1,16}$/.test(text)) return Number(text)
  throw illegalArgument(
    `failed to parse date field [${text.slice(0, 256)}] with format [strict_date_optional_time||epoch_millis]`,
  )
}

const UNIT_MILLIS: Readonly<Record<string, number>> = {
  nanos: 1e-6,
  micros: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** Milliseconds of `10d`; a plain `0` needs no unit. */
function parseTime(text: string): number {
  const [, digits, unit] = /^\s*(\d{1,16}(?:\.\d{1,9})?)\s*([a-z]*)\s*$/i.exec(text) ?? []
  const millis = digits === undefined ? undefined : UNIT_MILLIS[unit!.toLowerCase()]
  if (millis !== undefined) return Math.trunc(Number(digits) * millis)
  if (Number(digits) === 0 && unit === '') return 0
  throw illegalArgument(
    `failed to parse setting [] with value [${text.slice(0, 256)}] as a time value: unit is missing or unrecognized`,
  )
}

/** A place as `lat,lon` or as a geohash, of whose cell it is the south-western corner. */
function parsePlace(text: string): Place {
  const [, lat, lon] = /^\s*([-+]?[\d.]+)\s*,\s*([-+]?[\d.]+)\s*$/.exec(text) ?? []
  if (lat !== undefined && !Number.isNaN(Number(lat)) && !Number.isNaN(Number(lon)))
    return { lat: Number(lat), lon: Number(lon) }
  const corner = text.length > 12 ? 'too long' : geohashCorner(text)
  if (typeof corner === 'string')
    throw illegalArgument(`failed to parse [${text.slice(0, 256)}], expected a place`)
  return corner
}

/** Meters of `5km`. */
function parseLength(text: string): number {
  const [, digits, unit] = /^\s*(\d{1,16}(?:\.\d{1,16})?)\s*([A-Za-z]*)\s*$/.exec(text) ?? []
  const meters = unit === undefined ? null : unit === '' ? 1 : metersOf(unit)
  if (digits === undefined || meters === null)
    throw illegalArgument(`failed to parse distance [${text.slice(0, 256)}]`)
  return Number(digits) * meters
}
