import type { Query } from '../../search/query/query.ts'
import { restrictedError } from '../../task/access.ts'
import type { QueryContext } from './query-context.ts'
import { amongVisible } from './visible-query.ts'

/**
 * A query that runs a script, so that the script runs on no document that the caller may not see: an error of it
 * would tell what stands there. The filter around the whole search is not enough, as clauses beside others run ahead.
 * @returns the same query, with the same scores, where the caller may see all
 * @throws {EngineError} 403 `security_exception`: it runs on nested documents, which restrictions do not tell apart
 */
export function amongSeen(query: Query, { seen, nested, notes }: QueryContext): Query {
  if (seen === null) return query
  if (nested.path !== null)
    throw restrictedError('Scripting within nested queries is not supported when DLS is activated')
  if (!notes.joins.includes(seen)) notes.joins.push(seen)
  return amongVisible(query, seen)
}

/** Whether a plan, or a part of it, runs a script. */
export function runsScript(plan: unknown): boolean {
  if (typeof plan !== 'object' || plan === null || ArrayBuffer.isView(plan)) return false
  if ('kind' in plan && plan.kind === 'script') return true
  return Object.values(plan).some(runsScript)
}
