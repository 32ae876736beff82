import type { Query } from '../../search/query/query.ts'
import { IllegalArgumentError } from '../../util/errors.ts'

/**
 * How many of `count` optional clauses must match.
 *
 *   n, -n        so many, or all but so many
 *   p%, -p%      that part of them, truncated toward zero; or all but that part
 *   a<spec       more than a clauses: by spec; else all. Several may follow one another.
 *
 * Below 0 is 0. More than there are clauses is not capped: then nothing matches.
 *
 * @throws {IllegalArgumentError} not such a text
 */
export function minimumShouldMatch(spec: string, count: number): number {
  const trimmed = spec.trim()
  if (!trimmed.includes('<')) return Math.max(0, simple(trimmed, count))
  let result = count
  for (const part of trimmed.replace(/\s*<\s*/g, '<').split(/\s+/)) {
    const [bound = '', rest = ''] = part.split('<')
    if (count <= integer(bound, trimmed)) return Math.max(0, result)
    result = simple(rest, count)
  }
  return Math.max(0, result)
}

function simple(spec: string, count: number): number {
  if (spec.endsWith('%')) {
    const share = (count * integer(spec.slice(0, -1), spec)) / 100
    return share < 0 ? count + Math.trunc(share) : Math.trunc(share)
  }
  const value = integer(spec, spec)
  return value < 0 ? count + value : value
}

function integer(text: string, spec: string): number {
  if (!/^[+-]?\d{1,9}$/.test(text))
    throw new IllegalArgumentError(`For input string: "${text}"`, {
      causedBy: { type: 'number_format_exception', reason: `For input string: "${spec}"` },
    })
  return Number(text)
}

/** Asks for some of the optional clauses; a query that has none then matches nothing. */
export function withMinimum(query: Query, wanted: string | null): Query {
  if (wanted === null || query.kind !== 'boolean') return query
  const count = query.clauses.filter(clause => clause.occur === 'should').length
  return { ...query, minimumShouldMatch: minimumShouldMatch(wanted, count) }
}
