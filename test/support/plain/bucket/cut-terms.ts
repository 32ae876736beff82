/** Buckets by key, of which each shard gives its best ones and the answer shows the best of these. */
import type { Below, Printed } from '../kind.ts'
import { countOf, type Row } from '../row.ts'
import { inOrder, type Order, type SortableBucket } from './bucket-order.ts'

/** The keys that cut buckets. */
export interface CutBody {
  readonly size?: number
  readonly shard_size?: number
  readonly min_doc_count?: number
  readonly order?: Order
  readonly show_term_doc_count_error?: boolean
}

/** How the keys of a kind are told apart, sorted and printed. */
export interface KeyRules<K> {
  /** The keys of a row, each once. */
  keysOf(row: Row): readonly K[]
  id(key: K): string
  compare(a: K, b: K): number
  print(key: K): Printed
}

/** What a shard gives. */
interface Given<K> {
  readonly groups: ReadonlyMap<string, { readonly key: K; readonly rows: readonly Row[] }>
  readonly others: number
  /** Documents that a bucket which it cut may have; −1: unknown. */
  readonly error: number
}

/** Rows by key. */
export function groupsOf<K>(
  rows: readonly Row[],
  { keysOf, id }: Pick<KeyRules<K>, 'keysOf' | 'id'>,
): ReadonlyMap<string, { readonly key: K; readonly rows: readonly Row[] }> {
  const groups = new Map<string, { readonly key: K; readonly rows: Row[] }>()
  for (const row of rows)
    for (const key of keysOf(row)) {
      const known = groups.get(id(key))
      if (known === undefined) groups.set(id(key), { key, rows: [row] })
      else known.rows.push(row)
    }
  return groups
}

const BY_COUNT: Order = { _count: 'desc' }

/** The answer of terms and their kin. */
export function cutBuckets<K>(
  body: CutBody,
  rows: readonly Row[],
  rules: KeyRules<K>,
  below: Below,
): Printed {
  const { size = 10, min_doc_count: minDocCount = 1, order = BY_COUNT } = body
  const given = below.shards.map(shard =>
    fromShard(
      body,
      rows.filter(({ document }) => document.shard === shard),
      rules,
      below,
    ),
  )
  const merged = new Map<string, { readonly key: K; readonly rows: Row[] }>()
  for (const { groups } of given)
    for (const [id, { key, rows: own }] of groups) {
      const known = merged.get(id)
      if (known === undefined) merged.set(id, { key, rows: [...own] })
      else known.rows.push(...own)
    }
  const found = [...merged.values()]
    .filter(group => countOf(group.rows) >= minDocCount)
    .map(group => ({ key: group.key, content: below.bucket(group.rows) }))
  const sorted = inOrder(found, order, rules.compare)
  const total = (buckets: readonly SortableBucket<K>[]): number =>
    buckets.reduce((sum, { content }) => sum + Number(content['doc_count']), 0)
  const error = (among: readonly Given<K>[]): number =>
    among.some(each => each.error < 0) ? -1 : among.reduce((sum, each) => sum + each.error, 0)
  const ofAll = given.length < 2 ? 0 : error(given)
  return {
    doc_count_error_upper_bound: ofAll,
    sum_other_doc_count:
      given.reduce((sum, { others }) => sum + others, 0) + total(sorted.slice(size)),
    buckets: sorted.slice(0, size).map(({ key, content }) => {
      const { doc_count: count, ...children } = content
      const absent = given.filter(({ groups }) => !groups.has(rules.id(key)))
      const own = ofAll < 0 ? -1 : given.length < 2 ? 0 : error(absent)
      return {
        ...rules.print(key),
        doc_count: count,
        ...(body.show_term_doc_count_error === true ? { doc_count_error_upper_bound: own } : {}),
        ...children,
      }
    }),
  }
}

function fromShard<K>(
  body: CutBody,
  rows: readonly Row[],
  rules: KeyRules<K>,
  below: Below,
): Given<K> {
  const { size = 10, order = BY_COUNT } = body
  const [path] = Object.keys(order)
  const usual = path === '_key' ? size : Math.floor(size * 1.5) + 10
  const shardSize = Math.max(size, body.shard_size ?? usual)
  const groups = groupsOf(rows, rules)
  if (groups.size < shardSize) return { groups, others: 0, error: 0 }
  const all = [...groups.values()].map(group => ({
    key: group.key,
    content: path === '_key' ? { doc_count: countOf(group.rows) } : below.bucket(group.rows),
  }))
  const sorted = inOrder(all, order, rules.compare)
  const counts = sorted.map(({ content }) => Number(content['doc_count']))
  const last = counts[shardSize - 1]!
  return {
    groups: new Map(
      sorted.slice(0, shardSize).map(({ key }) => [rules.id(key), groups.get(rules.id(key))!]),
    ),
    others: counts.slice(shardSize).reduce((sum, count) => sum + count, 0),
    error: path === '_key' ? 0 : path === '_count' && order['_count'] === 'desc' ? last : -1,
  }
}
