import type { Query } from '../../search/query/query.ts'
import type { QueryContext, SeenDocuments } from './query-context.ts'
import { amongVisible } from './visible-query.ts'

/** Those of one request for an index: they are found once. */
export function seenDocuments(): SeenDocuments {
  return {
    roots: { kind: 'seen', withNested: false, found: null },
    blocks: { kind: 'seen', withNested: true, found: null },
  }
}

/**
 * A query that runs a script, so that the script runs on no document that the caller may not see: an error of it
 * would tell what stands there. The filter around the whole search is not enough, as clauses beside others run ahead.
 * @returns the same query, with the same scores, where the caller may see all
 */
export function amongSeen(query: Query, { seen, nested, notes }: QueryContext): Query {
  if (seen === null) return query
  const among = nested.path === null ? seen.roots : seen.blocks
  if (!notes.joins.includes(among)) notes.joins.push(among)
  return amongVisible(query, among)
}

/** Whether a plan, or a part of it, runs a script. */
export function runsScript(plan: unknown): boolean {
  if (typeof plan !== 'object' || plan === null || ArrayBuffer.isView(plan)) return false
  if ('kind' in plan && plan.kind === 'script') return true
  return Object.values(plan).some(runsScript)
}
