/** `dfs_query_then_fetch`: the shards of a search score by the statistics of all of them. */
import { bindJoins } from '../../search/query/bind-joins.ts'
import { termStatistics } from '../../search/query/create-weight.ts'
import { sumStatistics, type TermStatistics } from '../../search/weight/term-statistics.ts'
import type { Node } from '../node/node.ts'
import type { IndexSearch } from './index-search.ts'
import type { HeldShard } from './search-targets.ts'
import { lookInto, rewrittenOn } from './shard-leaves.ts'

/** A shard with the search that it is asked for. */
interface AskedShard {
  readonly search: IndexSearch
  readonly held: HeldShard
}

/**
 * Adds up the statistics of the terms of a search and of its rescorings. The queries of joins run before
 * their shard's search and keep to its own.
 */
export function sharedStatistics(node: Node, shards: readonly AskedShard[]): TermStatistics {
  const parts = shards.map(({ search, held }) => {
    const nothing = new Map(
      search.joins.map(join => [join, held.snapshot.leaves.map(() => NO_DOCS)] as const),
    )
    const queries = [search.query, ...search.rescores.map(({ query }) => query)]
    const own = lookInto(node, held.snapshot, ({ leaves }) =>
      queries.map(query => termStatistics(rewrittenOn(bindJoins(query, nothing), leaves), leaves)),
    )
    // Queries of one shard read the same statistics.
    return {
      fields: new Map(own.flatMap(({ fields }) => [...fields])),
      terms: new Map(own.flatMap(({ terms }) => [...terms])),
    }
  })
  return sumStatistics(parts)
}

const NO_DOCS = { docs: new Int32Array(0), scores: null }
