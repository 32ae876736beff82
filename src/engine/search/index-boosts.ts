import type { Query } from '../../search/query/query.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { Target } from '../api/target.ts'
import type { IndexBoost } from '../dsl/search-body/indices-boost.ts'
import { resolveTarget } from '../metadata/resolve-target.ts'
import type { Node } from '../node/node.ts'

/** Factors of scores by the name of an index. */
export type IndexBoosts = ReadonlyMap<string, number>

const NO_BOOSTS: IndexBoosts = new Map()

/**
 * Finds the indices that factors mean, by the rules of the search's own target.
 * @throws {EngineError} `index_not_found_exception`
 */
export function resolveBoosts(
  { metadata }: Node,
  boosts: readonly IndexBoost[],
  target: Target,
  context: CallContext,
): IndexBoosts {
  if (boosts.length === 0) return NO_BOOSTS
  const found = new Map<string, number>()
  for (const { name, boost } of boosts)
    for (const { index } of resolveTarget(metadata, { ...target, names: [name] }, context))
      if (!found.has(index.name)) found.set(index.name, boost)
  return found
}

/** A query whose scores are multiplied, as a function of scores would. */
export function boostedBy(boost: number | undefined, query: Query): Query {
  if (boost === undefined || boost === 1) return query
  return {
    kind: 'functionScore',
    query,
    functions: [{ filter: null, function: { kind: 'one' }, weight: boost }],
    combination: {
      scoreMode: 'multiply',
      boostMode: 'multiply',
      maxBoost: 3.4028234663852886e38,
      minScore: null,
    },
  }
}
