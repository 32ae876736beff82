/**
 * Aggregations computed from the documents themselves, without an index: the oracle of the random
 * trees. Buckets are made by filters over lists, and sums are of numbers that doubles add exactly.
 */
import type { Random } from '../../src/util/random.ts'
import {
  cellOrder,
  cellsOf,
  type GridBody,
  isGrid,
  type PlainPlace,
  randomGrid,
} from './plain-cells.ts'

/** A nested object. */
export interface PlainObject {
  readonly x?: string
  readonly y?: number
}

/** A document. */
export interface PlainDocument {
  readonly k: readonly string[]
  readonly n: readonly number[]
  /** Multiples of 1/8. */
  readonly d?: number
  readonly b?: boolean
  /** Milliseconds since 1970. */
  readonly t?: number
  /** Intervals of integers, both ends included. */
  readonly r?: readonly { readonly gte: number; readonly lte: number }[]
  readonly a: readonly PlainObject[]
  readonly p?: readonly PlainPlace[]
  readonly _doc_count?: number
}

/** A document, or one of its nested objects with the document around it. */
export interface PlainRow {
  readonly document: PlainDocument
  readonly object: PlainObject | null
}

/** A request's aggregations. */
export interface Aggs {
  readonly [name: string]: { readonly [key: string]: unknown; readonly aggs?: Aggs }
}

type Printed = Record<string, unknown>

const DAY = 86_400_000
/** Of `size` and `shard_size` where no bucket shall be cut on a shard. */
export const ALL = 100_000

/** A random tree. @param isTop whether `global` may stand here @param path of the rows' objects */
export function randomAggs(
  random: Random,
  depth: number,
  isTop: boolean,
  path: 'root' | 'a' = 'root',
): Aggs {
  const aggs: Record<string, Aggs[string]> = {}
  const count = 1 + random.below(depth > 1 ? 2 : 3)
  for (let i = 0; i < count; i++) aggs[`g${i}`] = randomAgg(random, depth, isTop, path)
  return aggs
}

function randomAgg(
  random: Random,
  depth: number,
  isTop: boolean,
  path: 'root' | 'a',
): Aggs[string] {
  if (depth > 0 && path === 'root' && random.below(14) === 0)
    return { ...randomGrid(random), aggs: randomAggs(random, depth - 1, false, path) }
  const isMetric = depth === 0 || random.below(4) === 0
  const body = isMetric ? randomMetric(random, path) : randomBucket(random, isTop, path)
  if (isMetric || random.below(4) === 0) return body
  const [kind] = Object.keys(body)
  const within = kind === 'nested' ? 'a' : kind === 'reverse_nested' ? 'root' : path
  return { ...body, aggs: randomAggs(random, depth - 1, false, within) }
}

/** The kinds that trees draw from. */
export const METRICS = ['avg', 'sum', 'min', 'max', 'stats', 'value_count'] as const

const numberField = (random: Random, path: 'root' | 'a'): string =>
  path === 'a' ? 'a.y' : ['n', 'd', 't', 'b'][random.below(4)]!

function randomMetric(random: Random, path: 'root' | 'a'): Aggs[string] {
  const metric = METRICS[random.below(METRICS.length)]!
  const field =
    metric === 'value_count' && random.below(2) === 0
      ? path === 'a'
        ? 'a.x'
        : 'k'
      : numberField(random, path)
  const missing =
    field !== 't' && field !== 'b' && field !== 'k' && field !== 'a.x' && random.below(4) === 0
  return { [metric]: { field, ...(missing ? { missing: 4 } : {}) } }
}

function randomBucket(random: Random, isTop: boolean, path: 'root' | 'a'): Aggs[string] {
  if (path === 'a' && random.below(4) === 0) return REVERSE
  switch (random.below(isTop ? 11 : 10)) {
    case 0:
    case 1: {
      const field =
        path === 'a'
          ? ['a.x', 'a.y'][random.below(2)]!
          : ['k', 'n', 'd', 'b', 't'][random.below(5)]!
      const isText = field === 'k' || field === 'a.x'
      return {
        terms: {
          field,
          size: random.below(2) === 0 ? ALL : 1 + random.below(4),
          shard_size: ALL,
          ...(random.below(3) === 0
            ? { order: { _key: random.below(2) === 0 ? 'asc' : 'desc' } }
            : {}),
          ...(random.below(4) === 0 ? { min_doc_count: 2 } : {}),
          ...(isText && random.below(4) === 0 ? { missing: 'none' } : {}),
          ...(isText && random.below(4) === 0 ? { include: 'k[0-5].*' } : {}),
          ...(isText && random.below(4) === 0 ? { exclude: ['k1', 'k4'] } : {}),
        },
      }
    }
    case 2: {
      const field = path === 'a' ? 'a.y' : ['n', 'd', 'r'][random.below(3)]!
      return {
        histogram: {
          field,
          interval: [1, 2.5, 4][random.below(3)]!,
          offset: random.below(2),
          min_doc_count: random.below(3),
          keyed: random.below(4) === 0,
        },
      }
    }
    case 3:
      if (path === 'a') return REVERSE
      return {
        date_histogram: {
          field: 't',
          ...(random.below(2) === 0 ? { fixed_interval: '36h' } : { calendar_interval: 'week' }),
          min_doc_count: random.below(2),
        },
      }
    case 4:
      return {
        range: {
          field: path === 'a' ? 'a.y' : ['n', 'd'][random.below(2)]!,
          ranges: [{ to: 3 }, { from: 2, to: 5 }, { from: 5 }],
        },
      }
    case 5:
      return { filter: randomFilter(random, path) }
    case 6:
      return {
        filters: {
          filters: { one: randomFilter(random, path), two: randomFilter(random, path) },
          ...(random.below(2) === 0 ? { other_bucket: true } : {}),
        },
      }
    case 7:
      return {
        missing: { field: path === 'a' ? 'a.y' : ['k', 'n', 'd', 'b', 't'][random.below(5)]! },
      }
    case 8:
      return path === 'a' ? REVERSE : { nested: { path: 'a' } }
    case 9:
      return random.below(2) === 0
        ? { sampler: { shard_size: ALL } }
        : {
            diversified_sampler: {
              field: path === 'a' ? 'a.x' : 'd',
              shard_size: ALL,
              max_docs_per_value: ALL,
            },
          }
    default:
      return { global: {} }
  }
}

const REVERSE = { reverse_nested: {} }

function randomFilter(random: Random, path: 'root' | 'a'): object {
  if (path === 'a') return { term: { 'a.x': `x${random.below(4)}` } }
  return random.below(2) === 0
    ? { term: { k: `k${random.below(9)}` } }
    : { range: { n: { gte: random.below(5), lt: 5 + random.below(4) } } }
}

/** Whether a row matches a filter of `randomFilter`. */
export function matches(filter: object, { document, object }: PlainRow): boolean {
  const { term, range } = filter as {
    term?: Record<string, string>
    range?: { n: { gte: number; lt: number } }
  }
  if (term?.['k'] !== undefined) return document.k.includes(term['k'])
  if (term !== undefined) return object?.x === term['a.x']
  return document.n.some(n => n >= range!.n.gte && n < range!.n.lt)
}

type Value = string | number | boolean

/** Distinct is what a column keeps of terms; numbers are kept as often as they are given. */
function valuesOf({ document, object }: PlainRow, field: string): readonly Value[] {
  switch (field) {
    case 'k':
      return [...new Set(document.k)]
    case 'n':
      return document.n
    case 'a.x':
      return object?.x === undefined ? [] : [object.x]
    case 'a.y':
      return object?.y === undefined ? [] : [object.y]
    default: {
      const value = document[field as 'd' | 'b' | 't']
      return value === undefined ? [] : [value]
    }
  }
}

function weight({ document, object }: PlainRow): number {
  return object === null ? (document._doc_count ?? 1) : 1
}

function countOf(rows: readonly PlainRow[]): number {
  return rows.reduce((sum, row) => sum + weight(row), 0)
}

/** The expected answer of a request. @param all the rows of `global` */
export function expected(aggs: Aggs, rows: readonly PlainRow[], all: readonly PlainRow[]): Printed {
  return Object.fromEntries(
    Object.entries(aggs).map(([name, body]) => [name, expectedOne(body, rows, all)]),
  )
}

function expectedOne(
  agg: Aggs[string],
  rows: readonly PlainRow[],
  all: readonly PlainRow[],
): Printed {
  const [kind] = Object.keys(agg).filter(key => key !== 'aggs')
  // biome-ignore lint/suspicious/noExplicitAny: a body of any kind
  const body = agg[kind!] as any
  const below = (inner: readonly PlainRow[]): Printed =>
    agg.aggs === undefined ? {} : expected(agg.aggs, inner, all)
  const single = (inner: readonly PlainRow[]): Printed => ({
    doc_count: countOf(inner),
    ...below(inner),
  })
  switch (kind) {
    case 'global':
      return single(all)
    case 'sampler':
    case 'diversified_sampler':
      return single(rows)
    case 'filter':
      return single(rows.filter(row => matches(body, row)))
    case 'missing':
      return single(rows.filter(row => valuesOf(row, body.field).length === 0))
    case 'nested':
      return single(
        rows.flatMap(({ document, object }) =>
          object === null ? document.a.map(each => ({ document, object: each })) : [],
        ),
      )
    case 'reverse_nested': {
      const documents = [...new Set(rows.map(({ document }) => document))]
      const inner = documents.map(document => ({ document, object: null }))
      return single(inner)
    }
    case 'filters': {
      const names = Object.keys(body.filters)
      const buckets = Object.fromEntries(
        names.map(name => [name, single(rows.filter(row => matches(body.filters[name], row)))]),
      )
      if (body.other_bucket === true)
        buckets['_other_'] = single(
          rows.filter(row => names.every(name => !matches(body.filters[name], row))),
        )
      return { buckets }
    }
    case 'range':
      return {
        buckets: body.ranges.map(({ from, to }: { from?: number; to?: number }) => ({
          key: `${from === undefined ? '*' : from.toFixed(1)}-${to === undefined ? '*' : to.toFixed(1)}`,
          ...(from === undefined ? {} : { from }),
          ...(to === undefined ? {} : { to }),
          ...single(
            rows.filter(row =>
              valuesOf(row, body.field).some(
                value =>
                  Number(value) >= (from ?? Number.NEGATIVE_INFINITY) &&
                  Number(value) < (to ?? Number.POSITIVE_INFINITY),
              ),
            ),
          ),
        })),
      }
    case 'histogram':
    case 'date_histogram':
      return histogramOf(kind, body, rows, single)
    case 'terms':
      return termsOf(body, rows, single)
    default:
      if (isGrid(kind!)) return gridOf(kind, body, rows, single)
      return metricOf(kind!, body, rows)
  }
}

function histogramOf(
  kind: string,
  // biome-ignore lint/suspicious/noExplicitAny: a body of either kind
  body: any,
  rows: readonly PlainRow[],
  single: (rows: readonly PlainRow[]) => Printed,
): Printed {
  const isDate = kind === 'date_histogram'
  const interval = isDate ? (body.fixed_interval === '36h' ? 1.5 * DAY : 7 * DAY) : body.interval
  const offset = isDate ? (body.fixed_interval === '36h' ? 0 : -3 * DAY) : body.offset
  const keyOf = (value: number): number =>
    Math.floor((value - offset) / interval) * interval + offset
  const keysOf = (row: PlainRow): ReadonlySet<number> => {
    const ranges = body.field === 'r' ? (row.document.r ?? []) : []
    const touched = ranges.flatMap(({ gte, lte }) => {
      const keys: number[] = []
      for (let at = gte; keyOf(at) <= lte; at += interval) keys.push(keyOf(at))
      return keys
    })
    const values = body.field === 'r' ? [] : valuesOf(row, body.field)
    return new Set([...touched, ...values.map(value => keyOf(Number(value)))])
  }
  const groups = new Map<number, PlainRow[]>()
  for (const row of rows)
    for (const key of keysOf(row)) groups.set(key, [...(groups.get(key) ?? []), row])
  const keys = [...groups.keys()].sort((a, b) => a - b)
  const shown: number[] = []
  if (body.min_doc_count === 0 && keys.length > 0)
    for (let key = keys[0]!; key <= keys.at(-1)!; key = keyOf(key + 1.5 * interval)) shown.push(key)
  else shown.push(...keys.filter(key => countOf(groups.get(key)!) >= body.min_doc_count))
  const buckets = shown.map(key => ({
    ...(isDate ? { key_as_string: new Date(key).toISOString() } : {}),
    key,
    ...single(groups.get(key) ?? []),
  }))
  if (body.keyed !== true) return { buckets }
  return { buckets: Object.fromEntries(buckets.map(bucket => [bucket.key.toFixed(1), bucket])) }
}

function termsOf(
  // biome-ignore lint/suspicious/noExplicitAny: its body
  body: any,
  rows: readonly PlainRow[],
  single: (rows: readonly PlainRow[]) => Printed,
): Printed {
  const groups = new Map<Value, PlainRow[]>()
  for (const row of rows) {
    const own = valuesOf(row, body.field)
    const values = own.length === 0 && body.missing !== undefined ? [body.missing as Value] : own
    for (const value of new Set(values)) {
      const isMissing = own.length === 0
      if (!isMissing && body.include !== undefined && !/^k[0-5].*$/.test(String(value))) continue
      if (!isMissing && body.exclude?.includes(value) === true) continue
      groups.set(value, [...(groups.get(value) ?? []), row])
    }
  }
  const direction = body.order === undefined ? 0 : body.order._key === 'asc' ? 1 : -1
  const entries = [...groups]
    .filter(([, inner]) => countOf(inner) >= (body.min_doc_count ?? 1))
    .sort(([a, inA], [b, inB]) => {
      const byKey = a < b ? -1 : a > b ? 1 : 0
      return direction !== 0 ? direction * byKey : countOf(inB) - countOf(inA) || byKey
    })
  const cut = entries.slice(body.size)
  return {
    doc_count_error_upper_bound: 0,
    sum_other_doc_count: cut.reduce((sum, [, inner]) => sum + countOf(inner), 0),
    buckets: entries.slice(0, body.size).map(([value, inner]) => ({
      key: typeof value === 'boolean' ? Number(value) : value,
      ...(typeof value === 'boolean' ? { key_as_string: String(value) } : {}),
      ...(body.field === 't' ? { key_as_string: new Date(Number(value)).toISOString() } : {}),
      ...single(inner),
    })),
  }
}

function gridOf(
  kind: Parameters<typeof cellOrder>[0],
  body: GridBody,
  rows: readonly PlainRow[],
  single: (rows: readonly PlainRow[]) => Printed,
): Printed {
  const groups = new Map<string, PlainRow[]>()
  for (const row of rows)
    for (const cell of cellsOf(kind, body, row.document.p ?? []))
      groups.set(cell, [...(groups.get(cell) ?? []), row])
  const entries = [...groups].sort(
    ([a, inA], [b, inB]) =>
      countOf(inB) - countOf(inA) || (cellOrder(kind, a) < cellOrder(kind, b) ? 1 : -1),
  )
  return {
    buckets: entries.slice(0, body.size).map(([key, inner]) => ({ key, ...single(inner) })),
  }
}

function metricOf(
  kind: string,
  body: { readonly field: string; readonly missing?: number },
  rows: readonly PlainRow[],
): Printed {
  const values = rows.flatMap(row => {
    const own = valuesOf(row, body.field)
    return own.length === 0 && body.missing !== undefined ? [body.missing] : own
  })
  const count = values.length
  if (kind === 'value_count') return { value: count }
  const numbers = values.map(Number)
  const sum = numbers.reduce((a, b) => a + b, 0)
  const min = count === 0 ? null : Math.min(...numbers)
  const max = count === 0 ? null : Math.max(...numbers)
  const avg = count === 0 ? null : sum / count
  const text = (value: number): string | undefined =>
    body.field === 't'
      ? new Date(Math.trunc(value)).toISOString().replace(/^\+0/, '+')
      : body.field === 'b'
        ? String(value !== 0)
        : undefined
  const withText = (value: number | null): Printed => {
    const shown = value === null ? undefined : text(value)
    return shown === undefined ? { value } : { value, value_as_string: shown }
  }
  if (kind === 'stats') {
    const all = { count, min, max, avg, sum }
    if (count === 0 || text(0) === undefined) return all
    return {
      ...all,
      min_as_string: text(min!),
      max_as_string: text(max!),
      avg_as_string: text(avg!),
      sum_as_string: text(sum),
    }
  }
  return withText({ avg, sum, min, max }[kind as 'avg'] ?? null)
}
