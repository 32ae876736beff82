/**
 * Metrics computed from the documents themselves, without an index: the oracle of random metrics. Sums
 * are of numbers that doubles add exactly.
 */
import { expect } from 'vitest'
import type { Random } from '../../src/util/random.ts'

/** A document. */
export interface MeasuredDocument {
  /** Unique, in the order of numbers. */
  readonly id: string
  readonly k: readonly string[]
  readonly n: readonly number[]
  /** Multiples of 1/8. */
  readonly d?: number
  /** Whole, 1…4. */
  readonly w?: number
  /** Degrees that doc values keep exactly. */
  readonly at: readonly { readonly lat: number; readonly lon: number }[]
}

interface PlainMetric {
  random(random: Random): object
  /** Prints a body over documents. */
  expected(body: never, documents: readonly MeasuredDocument[]): unknown
}

/** The body of a metric over a field. */
interface FieldBody {
  readonly field: 'k' | 'n' | 'd' | 'w'
  readonly missing?: number
}

/** Values with what fills in for none; equal numbers of a document count each. */
function valuesOf(
  { field, missing }: FieldBody,
  document: MeasuredDocument,
): readonly (string | number)[] {
  const value = document[field]
  const values: readonly (string | number)[] =
    value === undefined ? [] : typeof value === 'number' ? [value] : value
  return values.length > 0 || missing === undefined ? values : [missing]
}

/** The numbers of a field, ascending. */
function numbersOf(body: FieldBody, documents: readonly MeasuredDocument[]): Float64Array {
  return Float64Array.from(
    documents.flatMap(document => valuesOf(body, document) as number[]),
  ).sort()
}

const oneOf = <T>(random: Random, ...choices: readonly T[]): T =>
  choices[random.below(choices.length)]!

const numberBody = (random: Random): FieldBody => ({
  field: oneOf(random, 'n', 'd', 'w'),
  ...(random.below(3) === 0 ? { missing: 3 } : {}),
})

const atRank = (sorted: Float64Array, share: number): number | null =>
  sorted.length === 0
    ? null
    : sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!

const keyOf = (key: number): string => (Number.isInteger(key) ? `${key}.0` : `${key}`)

interface KeyedBody extends FieldBody {
  readonly percents?: readonly number[]
  readonly values?: readonly number[]
  readonly keyed?: boolean
}

function keyed(
  { keyed: isKeyed = true }: KeyedBody,
  keys: readonly number[],
  answer: (key: number) => number | null,
): object {
  const sorted = [...keys].sort((a, b) => a - b)
  return {
    values: isKeyed
      ? Object.fromEntries(sorted.map(key => [keyOf(key), answer(key)]))
      : sorted.map(key => ({ key, value: answer(key) })),
  }
}

function medianDeviation(sorted: Float64Array): number | null {
  const median = atRank(sorted, 0.5)
  return median === null ? null : atRank(sorted.map(value => Math.abs(value - median)).sort(), 0.5)
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

const near = (value: number): unknown =>
  Number.isNaN(value) || !Number.isFinite(value) ? 'NaN' : expect.closeTo(value, 8)

/** The moments of columns of equal length. */
function matrixOf(names: readonly string[], rows: readonly (readonly number[])[]): object {
  if (rows.length === 0) return { doc_count: 0 }
  const means = names.map((_, i) => mean(rows.map(row => row[i]!)))
  const power = (i: number, exponent: number): number =>
    mean(rows.map(row => (row[i]! - means[i]!) ** exponent))
  const covariance = (i: number, j: number): number =>
    rows.reduce((sum, row) => sum + (row[i]! - means[i]!) * (row[j]! - means[j]!), 0) /
    (rows.length - 1)
  return {
    doc_count: rows.length,
    fields: names.map((name, i) => ({
      name,
      count: rows.length,
      mean: near(means[i]!),
      variance: near(covariance(i, i)),
      skewness: near(power(i, 3) / power(i, 2) ** 1.5),
      kurtosis: near(power(i, 4) / power(i, 2) ** 2),
      covariance: Object.fromEntries(names.map((other, j) => [other, near(covariance(i, j))])),
      correlation: Object.fromEntries(
        names.map((other, j) => [
          other,
          i === j ? 1 : near(covariance(i, j) / Math.sqrt(covariance(i, i) * covariance(j, j))),
        ]),
      ),
    })),
  }
}

const METRICS: Readonly<Record<string, PlainMetric>> = {
  cardinality: {
    random: random => ({ field: oneOf(random, 'k', 'n', 'd') }),
    expected: (body: FieldBody, documents) => ({
      value: new Set(documents.flatMap(document => valuesOf(body, document))).size,
    }),
  },
  percentiles: {
    random: random => ({
      ...numberBody(random),
      percents: oneOf(random, [50], [99, 0, 12.5], [100, 1]),
      keyed: random.below(2) === 0,
    }),
    expected(body: KeyedBody, documents) {
      const sorted = numbersOf(body, documents)
      return keyed(body, body.percents!, percent => atRank(sorted, percent / 100))
    },
  },
  percentile_ranks: {
    random: random => ({ ...numberBody(random), values: [random.below(6), 2.5] }),
    expected(body: KeyedBody, documents) {
      const sorted = numbersOf(body, documents)
      return keyed(body, body.values!, asked => {
        const below = sorted.filter(value => value < asked).length
        const equal = sorted.filter(value => value === asked).length
        return sorted.length === 0 ? null : (100 * (below + equal / 2)) / sorted.length
      })
    },
  },
  median_absolute_deviation: {
    random: numberBody,
    expected: (body: FieldBody, documents) => ({
      value: medianDeviation(numbersOf(body, documents)),
    }),
  },
  weighted_avg: {
    random: random => ({
      value: { field: oneOf(random, 'n', 'd') },
      weight: { field: 'w', ...(random.below(2) === 0 ? { missing: 2 } : {}) },
    }),
    expected({ value, weight }: { value: FieldBody; weight: FieldBody }, documents) {
      let products = 0
      let weights = 0
      for (const document of documents) {
        const [own] = valuesOf(weight, document) as number[]
        if (own === undefined) continue
        for (const each of numbersOf(value, [document])) {
          products += each * own
          weights += own
        }
      }
      return { value: weights === 0 ? null : products / weights }
    },
  },
  top_hits: {
    random: random => ({
      from: random.below(2),
      size: 1 + random.below(4),
      sort: [{ w: { order: oneOf(random, 'asc', 'desc'), missing: 2 } }, { id: 'desc' }],
      _source: ['id'],
    }),
    expected(
      body: { from: number; size: number; sort: [{ w: { order: string } }, object] },
      documents,
    ) {
      const sign = body.sort[0].w.order === 'asc' ? 1 : -1
      const rank = ({ w = 2 }: MeasuredDocument): number => sign * w
      const sorted = [...documents].sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? 1 : -1))
      return {
        hits: {
          total: { value: documents.length, relation: 'eq' },
          max_score: null,
          hits: sorted.slice(body.from, body.from + body.size).map(({ id, w = 2 }) => ({
            _index: 'i',
            _id: id,
            _score: null,
            _source: { id },
            sort: [w, id],
          })),
        },
      }
    },
  },
  geo_bounds: {
    random: () => ({ field: 'at', wrap_longitude: false }),
    expected(_body, documents) {
      const places = documents.flatMap(({ at }) => at)
      if (places.length === 0) return {}
      const lats = places.map(({ lat }) => lat)
      const lons = places.map(({ lon }) => lon)
      return {
        bounds: {
          top_left: { lat: Math.max(...lats), lon: Math.min(...lons) },
          bottom_right: { lat: Math.min(...lats), lon: Math.max(...lons) },
        },
      }
    },
  },
  geo_centroid: {
    random: () => ({ field: 'at' }),
    expected(_body, documents) {
      const places = documents.flatMap(({ at }) => at)
      if (places.length === 0) return { count: 0 }
      return {
        location: {
          lat: near(mean(places.map(({ lat }) => lat))),
          lon: near(mean(places.map(({ lon }) => lon))),
        },
        count: places.length,
      }
    },
  },
  matrix_stats: {
    random: random => ({ fields: oneOf(random, ['d'], ['d', 'w'], ['w', 'd']) }),
    expected({ fields }: { fields: readonly ('d' | 'w')[] }, documents) {
      const rows = documents
        .map(document => fields.map(field => document[field]))
        .filter((row): row is number[] => row.every(value => value !== undefined))
      return matrixOf(fields, rows)
    },
  },
}

/** The kinds that are drawn. */
export const METRIC_KINDS: readonly string[] = Object.keys(METRICS)

/** A random metric. */
export function randomMetric(random: Random): Readonly<Record<string, object>> {
  const kind = METRIC_KINDS[random.below(METRIC_KINDS.length)]!
  return { [kind]: METRICS[kind]!.random(random) }
}

/** The printed answer of a metric over documents. */
export function expectedMetric(
  metric: Readonly<Record<string, object>>,
  documents: readonly MeasuredDocument[],
): unknown {
  const [[kind, body]] = Object.entries(metric) as [[string, object]]
  return METRICS[kind]!.expected(body as never, documents)
}
