// @ts-check
// The cases of the table in SQL, and rows of its answers as lists of numbers.

/** @typedef {import('../../../lib/table-request.mjs').Level} Level */

/**
 * What engines spell in their own way.
 * @typedef {object} Dialect
 * @property {(time: string) => string} day start of a time's day
 * @property {(time: string) => string} month
 * @property {(field: string) => string} distinct an estimate
 * @property {(field: string, shares: readonly number[]) => string} quantiles as a list
 * @property {(field: string, size: number) => string} least the least so many, as a list
 * @property {(list: string) => string} each a row for each entry
 * @property {(from: number, to: number, field: string) => string} countWithin
 * @property {(field: string, interval: number) => string} floor
 */

const SHARES = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]
const TOP = 10
/** @type {Record<string, string>} */
const WHERE = { all: '', tenth: 'where p < 10', hundredth: 'where p = 7' }

/**
 * The statement of a case.
 * @param {readonly Level[]} levels
 * @param {Dialect} dialect
 */
export function statementOf(levels, dialect) {
  const keys = levels.flatMap(level => keyOf(level, dialect) ?? [])
  const last = /** @type {Level} */ (levels.at(-1))
  const metrics = metricsOf(last, dialect)
  const names = keys.map((_, i) => `k${i}`)
  const counted = keys.length > 0 ? ['count(*) as c'] : []
  const columns = [...keys.map((key, i) => `${key} as ${names[i]}`), ...counted, ...metrics]
  const where = WHERE[levels[0]?.occur ?? '']
  const from = last.field === 'tags' ? `(select ${dialect.each('tags')} as tags from rows)` : 'rows'
  const group = names.length > 0 ? `group by ${names.join(', ')}` : ''
  return `select ${columns.join(', ')} from ${from} ${where} ${group} ${orderOf(levels, names)}`
}

/** @param {Level} level @param {Dialect} dialect */
function keyOf({ kind, field, values }, dialect) {
  switch (kind) {
    case 'terms':
      return field
    case 'histogram':
      return dialect.floor(field, Number(values[0]))
    case 'days':
      return dialect.day(field)
    case 'months':
      return dialect.month(field)
    default:
      return null
  }
}

/** @param {Level} level @param {Dialect} dialect */
function metricsOf({ kind, field, values }, dialect) {
  switch (kind) {
    case 'stats':
      return [`count(${field})`, `min(${field})`, `max(${field})`, `avg(${field})`, `sum(${field})`]
    case 'avg':
      return [`avg(${field})`]
    case 'cardinality':
      return [dialect.distinct(field)]
    case 'percentiles':
      return [dialect.quantiles(field, SHARES)]
    case 'top':
      return [dialect.least(field, Number(values[0]))]
    case 'ranges': {
      const width = Number(values[0])
      return Array.from({ length: Number(values[1]) }, (_, i) =>
        dialect.countWithin(i * width, (i + 1) * width, field),
      )
    }
    default:
      return []
  }
}

/** Only terms by themselves, or with numbers below, are cut by the engine. @param {readonly Level[]} levels @param {readonly string[]} names */
function orderOf(levels, names) {
  if (names.length === 0) return ''
  if (names.length === 1 && levels[0]?.kind === 'terms') return `order by c desc, k0 limit ${TOP}`
  return `order by ${names.join(', ')}`
}

/**
 * The numbers of a case's rows.
 * @param {readonly Level[]} levels
 * @param {readonly (readonly unknown[])[]} rows
 */
export function numbersOf(levels, rows) {
  const kinds = levels.map(({ kind }) => kind).filter(kind => BUCKETS.has(kind))
  if (kinds.length < 2) return rows.flatMap(row => row.flat(2).map(numberOf))
  /** @type {Map<unknown, { count: number, numbers: number[] }>} */
  const outer = new Map()
  for (const [key, inner, ...rest] of rows) {
    const bucket = outer.get(key) ?? { count: 0, numbers: [] }
    bucket.count += Number(rest[0])
    bucket.numbers.push(numberOf(inner), ...rest.map(numberOf))
    outer.set(key, bucket)
  }
  const buckets = [...outer].map(([key, bucket]) => ({ key: numberOf(key), ...bucket }))
  const inOrder =
    kinds[0] === 'terms'
      ? buckets.sort((a, b) => b.count - a.count || a.key - b.key)
      : buckets.sort((a, b) => a.key - b.key)
  return inOrder.flatMap(({ key, count, numbers }) => [
    key,
    count,
    ...(kinds[1] === 'terms' ? byCount(numbers) : numbers),
  ])
}

const BUCKETS = new Set(['terms', 'histogram', 'days', 'months'])
/** Numbers of a bucket of terms with statistics below: its key, its count, and the five. */
const TERM_WITH_STATS = 7

/** @param {readonly number[]} numbers */
function byCount(numbers) {
  const buckets = []
  for (let i = 0; i < numbers.length; i += TERM_WITH_STATS)
    buckets.push(numbers.slice(i, i + TERM_WITH_STATS))
  return buckets
    .sort(([a = 0, m = 0], [b = 0, n = 0]) => n - m || a - b)
    .slice(0, TOP)
    .flat()
}

/** A number, the number in a key, or the milliseconds of a date. @param {unknown} value */
function numberOf(value) {
  if (typeof value !== 'string') return Number(value)
  const [, digits = value] = value.split(' ')
  return Number(digits)
}
