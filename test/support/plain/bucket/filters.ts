/** filter, filters, adjacency_matrix and missing: buckets of the rows that match. */
import { type FilterQuery, matches, randomFilter } from '../filter-query.ts'
import { oneOf, type PlainKind, type Printed, sometimes } from '../kind.ts'
import { type Field, fieldsOf, valuesOf } from '../row.ts'

/** `filter`, whose body is the query. */
export const filter: PlainKind<FilterQuery> = {
  buckets: 'one',
  draw: ({ random, path }) => randomFilter(random, path),
  answer: (query, rows, below) => below.bucket(rows.filter(row => matches(query, row))),
}

interface FiltersBody {
  readonly filters: Readonly<Record<string, FilterQuery>> | readonly FilterQuery[]
  readonly other_bucket?: boolean
  readonly other_bucket_key?: string
}

/** `filters`, by name or in a list. */
export const filters: PlainKind<FiltersBody> = {
  buckets: 'several',
  draw({ random, path }) {
    const [one, two] = [randomFilter(random, path), randomFilter(random, path)]
    return {
      filters: random.below(3) === 0 ? [one, two] : { two, one },
      ...sometimes(random, 3, { other_bucket: true }),
      ...sometimes(random, 4, { other_bucket_key: 'rest' }),
    }
  },
  answer({ filters: given, other_bucket: hasOther, other_bucket_key: key }, rows, below) {
    const names = Object.keys(given).sort()
    const queries = names.map(name => (given as Readonly<Record<string, FilterQuery>>)[name]!)
    const buckets: [string, Printed][] = names.map((name, i) => [
      name,
      below.bucket(rows.filter(row => matches(queries[i]!, row))),
    ])
    if (hasOther === true || key !== undefined)
      buckets.push([
        key ?? '_other_',
        below.bucket(rows.filter(row => !queries.some(query => matches(query, row)))),
      ])
    return {
      buckets: Array.isArray(given)
        ? buckets.map(([, bucket]) => bucket)
        : Object.fromEntries(buckets),
    }
  },
  nameOf(_bucket, { filters: given, other_bucket_key: key = '_other_' }, index) {
    return index < Object.keys(given).length ? String(index) : key
  },
}

interface MatrixBody {
  readonly filters: Readonly<Record<string, FilterQuery>>
  readonly separator?: string
}

/** `adjacency_matrix`. */
export const adjacencyMatrix: PlainKind<MatrixBody> = {
  buckets: 'several',
  isByValue: true,
  draw: ({ random, path }) => ({
    filters: {
      c: randomFilter(random, path),
      a: randomFilter(random, path),
      b: randomFilter(random, path),
    },
    ...sometimes(random, 3, { separator: '+' }),
  }),
  answer({ filters: given, separator = '&' }, rows, below) {
    const names = Object.keys(given).sort()
    const cells = names.flatMap((one, i) =>
      names.slice(i).map(other => ({
        key: one === other ? one : `${one}${separator}${other}`,
        rows: rows.filter(row => matches(given[one]!, row) && matches(given[other]!, row)),
      })),
    )
    return {
      buckets: cells
        .filter(cell => cell.rows.length > 0)
        .sort((a, b) => (a.key < b.key ? -1 : 1))
        .map(cell => ({ key: cell.key, ...below.bucket(cell.rows) })),
    }
  },
}

interface MissingBody {
  readonly field: Field
}

/** `missing`. */
export const missing: PlainKind<MissingBody> = {
  buckets: 'one',
  draw: ({ random, path }) => ({
    field:
      random.below(20) === 0
        ? 'u'
        : oneOf(random, fieldsOf(path, 'text', 'ip', 'long', 'double', 'boolean', 'date')),
  }),
  answer: ({ field }, rows, below) =>
    below.bucket(rows.filter(row => valuesOf(row, field).length === 0)),
}
