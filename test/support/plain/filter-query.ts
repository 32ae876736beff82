/** Random queries of filters, and which rows they match. */
import type { Random } from '../../../src/util/random.ts'
import { oneOf } from './kind.ts'
import { type Field, fieldsOf, type Path, type Row, type Value, valuesOf } from './row.ts'

/** A query of a few forms. */
export type FilterQuery =
  | { readonly match_all: object }
  | { readonly term: Readonly<Record<string, Value>> }
  | { readonly range: Readonly<Record<string, { readonly gte: number; readonly lt: number }>> }
  | { readonly exists: { readonly field: Field } }
  | { readonly bool: { readonly must_not: FilterQuery } }

const TERMS: Readonly<Record<Path, readonly string[]>> = {
  '': ['k0', 'k1', 'k3', 'k8', 'none'],
  a: ['x0', 'x1', 'x3'],
  'a.c': [],
}

/** A query over rows of a path. */
export function randomFilter(random: Random, path: Path): FilterQuery {
  const numbers = fieldsOf(path, 'long')
  const texts = fieldsOf(path, 'text')
  const choice = random.below(8)
  if (choice === 0) return { match_all: {} }
  if (choice === 1) return { bool: { must_not: randomFilter(random, path) } }
  if (choice === 2) return { exists: { field: oneOf(random, [...numbers, ...texts]) } }
  if (choice < 6 && texts.length > 0)
    return { term: { [oneOf(random, texts)]: oneOf(random, TERMS[path]) } }
  const gte = random.below(5)
  return { range: { [oneOf(random, numbers)]: { gte, lt: gte + 1 + random.below(5) } } }
}

/** Whether a row matches. */
export function matches(query: FilterQuery, row: Row): boolean {
  if ('match_all' in query) return true
  if ('bool' in query) return !matches(query.bool.must_not, row)
  if ('exists' in query) return valuesOf(row, query.exists.field).length > 0
  if ('term' in query) {
    const [field, value] = Object.entries(query.term)[0]!
    return valuesOf(row, field as Field).includes(value)
  }
  const [field, { gte, lt }] = Object.entries(query.range)[0]!
  return valuesOf(row, field as Field).some(value => Number(value) >= gte && Number(value) < lt)
}
