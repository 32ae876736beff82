/**
 * Lucene's simplifications of boolean queries; each rule shrinks the query or moves a clause one
 * way.
 */

import type { Occur } from '../weight/weight-node.ts'
import {
  type BooleanClause,
  type BooleanQuery,
  boosted,
  MATCH_ALL,
  matchNone,
  type Query,
} from './query.ts'
import { queryKey } from './query-key.ts'
import type { QueryOps } from './query-type.ts'

/** The rules terminate; the cap only keeps a defect from looping forever. */
const MAX_ROUNDS = 64

/**
 * Queries to which no rule applies. Each round walks the clauses again: without a memory, nested queries would be
 * walked by a power of their depth.
 */
const settled = new WeakSet<BooleanQuery>()

/**
 * Applies the rules until none applies, inner queries first in each round.
 * @returns the same object when no rule applies
 */
export function rewriteBoolean(query: BooleanQuery, of: QueryOps): Query {
  if (settled.has(query)) return query
  let current = query
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const children = rewriteClauses(current, of)
    const next = applyRule(children)
    if (next === null) {
      if (children === query) settled.add(query)
      return children
    }
    if (next.kind !== 'boolean') return next
    current = next
  }
  return current
}

/** The first rule that applies; null when none does. */
function applyRule(query: BooleanQuery): Query | null {
  const few = collapse(query) ?? dropMatchNone(query)
  if (few !== null) return few
  const keyOf = keysAmong(query)
  return (
    dropRepeats(query, keyOf) ??
    contradiction(query, keyOf) ??
    dropFilters(query, keyOf) ??
    filterAndShould(query, keyOf) ??
    mergeScoring(query, keyOf) ??
    constantOverFilters(query) ??
    flattenShould(query) ??
    requireAllShould(query) ??
    inlineMust(query)
  )
}

/** Equal for equal queries alone, among the clauses of one query. */
type KeyOf = (query: Query) => string

/** Keys of the clauses, without boosts too: a kind of query that is there once is its own key, which takes no text. */
function keysAmong({ clauses }: BooleanQuery): KeyOf {
  const kinds: string[] = []
  const repeated: string[] = []
  const meet = (kind: string): void => {
    if (!kinds.includes(kind)) kinds.push(kind)
    else if (!repeated.includes(kind)) repeated.push(kind)
  }
  for (const { query } of clauses) {
    meet(query.kind)
    if (query.kind === 'boost') meet(query.query.kind)
  }
  return query => (repeated.includes(query.kind) ? queryKey(query) : query.kind)
}

function rewriteClauses(query: BooleanQuery, of: QueryOps): BooleanQuery {
  let changed = false
  const clauses = query.clauses.map(clause => {
    let inner = of.rewrite(clause.query)
    if (clause.occur === 'filter' || clause.occur === 'must_not') inner = of.unscored(inner)
    if (inner === clause.query) return clause
    changed = true
    return { occur: clause.occur, query: inner }
  })
  return changed ? { ...query, clauses } : query
}

/**
 * No clauses, one clause, only prohibited ones, or a minimum above the number of SHOULD clauses.
 */
function collapse(query: BooleanQuery): Query | null {
  const { clauses, minimumShouldMatch } = query
  if (clauses.length === 0) return matchNone('empty BooleanQuery')
  if (count(query, 'should') < minimumShouldMatch)
    return matchNone('SHOULD clause count less than minimumNumberShouldMatch')
  if (clauses.every(clause => clause.occur === 'must_not'))
    return matchNone('pure negative BooleanQuery')
  const [only] = clauses
  if (clauses.length > 1 || only === undefined) return null
  if (only.occur !== 'filter') return only.query
  return { kind: 'boost', query: { kind: 'constantScore', query: only.query }, boost: 0 }
}

function dropMatchNone(query: BooleanQuery): Query | null {
  const { clauses } = query
  const none = clauses.find(clause => clause.query.kind === 'matchNone')
  if (none === undefined) return null
  const required = clauses.find(
    c => c.query.kind === 'matchNone' && (c.occur === 'must' || c.occur === 'filter'),
  )
  if (required !== undefined) return required.query
  const rest = clauses.filter(clause => clause.query.kind !== 'matchNone')
  if (!rest.some(clause => clause.occur !== 'must_not')) return none.query
  return { ...query, clauses: rest }
}

/** Removes repeated filters and repeated prohibitions. */
function dropRepeats(query: BooleanQuery, keyOf: KeyOf): Query | null {
  const seen = new Set<string>()
  const clauses = query.clauses.filter(clause => {
    if (clause.occur !== 'filter' && clause.occur !== 'must_not') return true
    const key = clause.occur + keyOf(clause.query)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
  return clauses.length === query.clauses.length ? null : { ...query, clauses }
}

function contradiction(query: BooleanQuery, keyOf: KeyOf): Query | null {
  const prohibited = keysOf(query, 'must_not', keyOf)
  if (prohibited.size === 0) return null
  if (query.clauses.some(clause => clause.occur === 'must_not' && clause.query.kind === 'matchAll'))
    return matchNone('MUST_NOT clause is MatchAllDocsQuery')
  for (const clause of query.clauses) {
    if (clause.occur !== 'must' && clause.occur !== 'filter') continue
    if (prohibited.has(keyOf(clause.query)))
      return matchNone('FILTER or MUST clause also in MUST_NOT')
  }
  return null
}

/** Removes filters that a MUST repeats, and match-all filters beside another required clause. */
function dropFilters(query: BooleanQuery, keyOf: KeyOf): Query | null {
  const filters = count(query, 'filter')
  if (filters === 0) return null
  const musts = keysOf(query, 'must', keyOf)
  const others = filters > 1 || musts.size > 0
  const clauses = query.clauses.filter(clause => {
    if (clause.occur !== 'filter') return true
    if (musts.has(keyOf(clause.query))) return false
    return !(others && clause.query.kind === 'matchAll')
  })
  if (clauses.length === query.clauses.length) return null
  const keepsOne = clauses.some(c => c.occur === 'filter' || c.occur === 'must')
  // With match-all filters alone, one of them must stay.
  if (!keepsOne) clauses.push({ occur: 'filter', query: MATCH_ALL })
  return { ...query, clauses }
}

/** A clause that is both FILTER and SHOULD becomes a MUST and lowers the minimum by one. */
function filterAndShould(query: BooleanQuery, keyOf: KeyOf): Query | null {
  if (count(query, 'filter') === 0) return null
  const shoulds = keysOf(query, 'should', keyOf)
  if (shoulds.size === 0) return null
  const both = new Set([...keysOf(query, 'filter', keyOf)].filter(key => shoulds.has(key)))
  if (both.size === 0) return null
  const clauses: BooleanClause[] = []
  let minimum = query.minimumShouldMatch
  for (const clause of query.clauses) {
    const isBoth = both.has(keyOf(clause.query))
    if (clause.occur === 'filter' && isBoth) continue
    if (clause.occur === 'should' && isBoth) {
      clauses.push({ occur: 'must', query: clause.query })
      minimum = Math.max(0, minimum - 1)
    } else clauses.push(clause)
  }
  return { ...query, clauses, minimumShouldMatch: minimum }
}

/**
 * Merges equal MUST clauses, and equal SHOULD clauses at a minimum of 0 or 1, by summing boosts.
 */
function mergeScoring(query: BooleanQuery, keyOf: KeyOf): Query | null {
  if (areOtherTerms(query)) return null
  const sums = new Map<string, number>()
  let merges = false
  for (const clause of query.clauses) {
    if (!mergeable(query, clause)) continue
    const [inner, boost] = unboosted(clause.query)
    const key = clause.occur + keyOf(inner)
    const before = sums.get(key)
    if (before !== undefined) merges = true
    sums.set(key, (before ?? 0) + boost)
  }
  if (!merges) return null
  const clauses: BooleanClause[] = []
  for (const clause of query.clauses) {
    if (!mergeable(query, clause)) {
      clauses.push(clause)
      continue
    }
    const [inner] = unboosted(clause.query)
    const key = clause.occur + keyOf(inner)
    const sum = sums.get(key)
    if (sum === undefined) continue
    sums.delete(key)
    clauses.push({ occur: clause.occur, query: boosted(inner, sum) })
  }
  return { ...query, clauses }
}

/**
 * Whether all scoring clauses are terms, each another one. The key of a term of an expansion names all terms of it,
 * and so takes as long as them.
 */
function areOtherTerms({ clauses }: BooleanQuery): boolean {
  const terms = new Set<string>()
  for (const { occur, query } of clauses) {
    if (occur !== 'should' && occur !== 'must') continue
    const [inner] = unboosted(query)
    if (inner.kind !== 'term') return false
    const size = terms.size
    terms.add(`${occur}${inner.field}\0${inner.term}`)
    if (terms.size === size) return false
  }
  return true
}

function mergeable(query: BooleanQuery, clause: BooleanClause): boolean {
  if (clause.occur === 'must') return true
  return clause.occur === 'should' && query.minimumShouldMatch <= 1
}

function unboosted(query: Query): readonly [Query, number] {
  return query.kind === 'boost' ? [query.query, query.boost] : [query, 1]
}

/** A match-all as the only scoring MUST becomes a constant score over the filters. */
function constantOverFilters(query: BooleanQuery): Query | null {
  if (count(query, 'must') !== 1 || count(query, 'filter') === 0) return null
  const must = query.clauses.find(clause => clause.occur === 'must')
  if (must === undefined) return null
  const [inner, boost] = unboosted(must.query)
  if (inner.kind !== 'matchAll') return null
  const filters = query.clauses.filter(c => c.occur === 'filter' || c.occur === 'must_not')
  const constant: Query = {
    kind: 'constantScore',
    query: { kind: 'boolean', clauses: filters, minimumShouldMatch: 0 },
  }
  const shoulds = query.clauses.filter(clause => clause.occur === 'should')
  const scored = boosted(constant, boost)
  if (shoulds.length === 0) return scored
  return { ...query, clauses: [{ occur: 'must', query: scored }, ...shoulds] }
}

/** Moves SHOULD clauses of a nested SHOULD up. */
function flattenShould(query: BooleanQuery): Query | null {
  if (query.minimumShouldMatch > 1) return null
  const isFlat = (clause: BooleanClause): boolean => {
    const inner = clause.query
    return (
      clause.occur === 'should' &&
      inner.kind === 'boolean' &&
      inner.minimumShouldMatch <= 1 &&
      inner.clauses.every(c => c.occur === 'should')
    )
  }
  if (!query.clauses.some(isFlat)) return null
  const clauses: BooleanClause[] = []
  for (const clause of query.clauses) {
    if (isFlat(clause) && clause.query.kind === 'boolean') clauses.push(...clause.query.clauses)
    else clauses.push(clause)
  }
  return { ...query, clauses }
}

/** Turns SHOULD into MUST when the minimum equals their number. */
function requireAllShould(query: BooleanQuery): Query | null {
  const shoulds = count(query, 'should')
  if (shoulds === 0 || shoulds !== query.minimumShouldMatch) return null
  const clauses = query.clauses.map(clause =>
    clause.occur === 'should' ? { occur: 'must' as const, query: clause.query } : clause,
  )
  return { ...query, clauses, minimumShouldMatch: 0 }
}

/** Moves required and prohibited clauses of a nested required boolean up. */
function inlineMust(query: BooleanQuery): Query | null {
  const inlines = (clause: BooleanClause): boolean => {
    const inner = clause.query
    if (inner.kind !== 'boolean' || inner.minimumShouldMatch > 0) return false
    if (inner.clauses.some(c => c.occur === 'should')) return false
    return clause.occur === 'must' || clause.occur === 'filter'
  }
  if (!query.clauses.some(inlines)) return null
  const clauses: BooleanClause[] = []
  for (const clause of query.clauses) {
    if (!inlines(clause) || clause.query.kind !== 'boolean') {
      clauses.push(clause)
      continue
    }
    for (const inner of clause.query.clauses) {
      const occur = clause.occur === 'filter' && inner.occur === 'must' ? 'filter' : inner.occur
      clauses.push({ occur, query: inner.query })
    }
  }
  return { ...query, clauses }
}

function count({ clauses }: BooleanQuery, occur: Occur): number {
  let sum = 0
  for (let i = 0; i < clauses.length; i++) if (clauses[i]!.occur === occur) sum++
  return sum
}

function keysOf(query: BooleanQuery, occur: Occur, keyOf: KeyOf): Set<string> {
  const keys = new Set<string>()
  for (const clause of query.clauses) if (clause.occur === occur) keys.add(keyOf(clause.query))
  return keys
}
