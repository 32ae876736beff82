/** Orders of buckets: by count, key, or the number of a child. */
import type { Random } from '../../../../src/util/random.ts'
import { type Aggs, oneOf, type Printed } from '../kind.ts'

/** A bucket with the key that ties are settled by. */
export interface SortableBucket<K> {
  readonly key: K
  /** `doc_count` and the children. */
  readonly content: Printed
}

/** `order` of a request. */
export type Order = Readonly<Record<string, 'asc' | 'desc'>>

const SINGLE_NUMBERS = ['avg', 'sum', 'min', 'max', 'value_count', 'cardinality', 'weighted_avg']
const STATS = ['stats', 'extended_stats']
const SINGLE_BUCKETS = ['filter', 'missing', 'nested', 'reverse_nested']

/** The paths below a bucket that lead to one number. */
export function numberPaths(children: Aggs): readonly string[] {
  return Object.entries(children).flatMap(([name, { kind, children: below }]) => {
    if (SINGLE_NUMBERS.includes(kind)) return [name]
    if (STATS.includes(kind)) return [`${name}.max`, `${name}.avg`]
    if (SINGLE_BUCKETS.includes(kind)) return numberPaths(below).map(path => `${name}>${path}`)
    return []
  })
}

/** The paths that buckets may be sorted by. */
function sortPaths(children: Aggs): readonly string[] {
  const singles = Object.entries(children).flatMap(([name, { kind }]) =>
    SINGLE_BUCKETS.includes(kind) ? [name] : [],
  )
  return [...numberPaths(children), ...singles]
}

/** A random order; null: that of its kind. */
export function randomOrder(random: Random, children: Aggs): Order | null {
  if (random.below(2) === 0) return null
  const path = oneOf(random, ['_count', '_key', ...sortPaths(children)])
  return { [path]: oneOf(random, ['asc', 'desc']) }
}

/** The number that a path leads to in a printed bucket; NaN: there is none. */
export function numberAt(bucket: Printed, path: string): number {
  if (path === '_count') return Number(bucket['doc_count'])
  if (path === '_key') return Number(bucket['key'])
  let at: unknown = bucket
  const names = path.split('>')
  for (const name of names) {
    if (name === '_count') return Number((at as Printed)['doc_count'])
    const [own = '', metric] = name.split('.')
    at = (at as Printed)[own]
    if (metric !== undefined) at = (at as Printed)[metric]
  }
  if (typeof at === 'object' && at !== null)
    at = 'value' in at ? at.value : (at as Printed)['doc_count']
  return typeof at === 'number' ? at : Number.NaN
}

/** Buckets in order; ties go by key. */
export function inOrder<K>(
  buckets: readonly SortableBucket<K>[],
  order: Order,
  compareKeys: (a: K, b: K) => number,
): readonly SortableBucket<K>[] {
  const [[path, direction]] = Object.entries(order) as [[string, 'asc' | 'desc']]
  const sign = direction === 'asc' ? 1 : -1
  return [...buckets].sort((a, b) => {
    if (path === '_key') return sign * compareKeys(a.key, b.key)
    const [x, y] = [numberAt(a.content, path), numberAt(b.content, path)]
    if (Number.isNaN(x) || Number.isNaN(y)) {
      if (Number.isNaN(x) !== Number.isNaN(y)) return Number.isNaN(x) ? 1 : -1
    } else if (x !== y) return sign * (x - y)
    return compareKeys(a.key, b.key)
  })
}
