import type { CallContext } from '../../task/call-context.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import type { SearchedShards, SearchShardsCall } from '../api/searches.ts'
import type { Target } from '../api/target.ts'
import { allocationId } from '../metadata/allocation-id.ts'
import { resolveDateMath } from '../metadata/date-math-name.ts'
import type { IndexMetadata } from '../metadata/index-metadata.ts'
import { DamagedShard } from '../node/damaged-shard.ts'
import type { Node } from '../node/node.ts'
import { printFilters } from '../response/printed-filter.ts'
import { addressedShards } from './addressed-shards.ts'
import { parseSearchRequest } from './search-request.ts'
import { resolveSearch } from './search-targets.ts'

/**
 * The shards that a search would look at, in order of index and number, and what the names that lead to
 * their indices add to it.
 * @throws {EngineError} as `resolveOpen`; a slice that is none
 */
export function searchShards(
  node: Node,
  { target, body, routing, preference }: SearchShardsCall,
  context: CallContext,
): SearchedShards {
  node.ensureOpen()
  // Of the other keys none says anything of shards.
  const { slice } = parseSearchRequest(body, {}).coupled
  const found = resolveSearch(node, target, context)
  return {
    indices: found.map(({ view }) => ({
      index: view.index.name,
      aliases: aliasesAmong(view.index, target),
      filter: view.aliasFilters === null ? null : printFilters(view.aliasFilters),
    })),
    shards: found.flatMap(({ view, index }) =>
      addressedShards(index.metadata, view, { routing, preference, slice }).map(({ number }) => ({
        index: index.name,
        shard: number,
        allocationId:
          index.allShards[number] instanceof DamagedShard
            ? null
            : allocationId(index.metadata.uuid, number),
      })),
    ),
  }
}

/** The names of an index's aliases that a target means by their names or by a pattern, sorted. */
function aliasesAmong({ aliases }: IndexMetadata, { names }: Target): string[] {
  const isAll = names.length === 0 || (names.length === 1 && /^(_all|\*)$/.test(names[0]!))
  if (isAll) return []
  const given = names.map(resolveDateMath)
  return [...aliases.keys()]
    .filter(alias => given.some(name => matchesWildcard(name, alias)))
    .sort()
}
