import type { Query } from './query.ts'

const keys = new WeakMap<Query, string>()

/**
 * A canonical key: equal for equal queries alone. The order of terms, fields, ids and clauses
 * counts: `a b` and `b a` differ. Memoized per record, since rewriting reads it often.
 */
export function queryKey(query: Query): string {
  let key = keys.get(query)
  if (key === undefined) {
    // An expansion has many terms, and a function called for each part makes them four times as slow.
    key = query.kind === 'term' ? JSON.stringify(query) : JSON.stringify(query, keyPart)
    keys.set(query, key)
  }
  return key
}

function keyPart(name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  // Equal joins have found the same documents.
  return name === 'found' ? undefined : value
}
