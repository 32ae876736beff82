import { decodeUtf8 } from '../../util/bytes.ts'
import { jsonValueOf, writeJson } from '../../util/json/json-writer.ts'
import type { Node } from '../node/node.ts'
import { slowLevel, slowLine, tookText } from '../node/slow-log.ts'
import type { SearchedShard } from './searched-shard.ts'

/** Logs a phase of a search in one shard, if that took longer than the index's thresholds. */
export function logSlowSearch(
  node: Node,
  phase: 'query' | 'fetch',
  { search, held, outcome, logged }: SearchedShard,
  tookInMillis: number,
): void {
  if (node.log === null || logged === null) return
  const nanos = tookInMillis * 1e6
  const level = slowLevel(search.index.metadata.settings, phase, nanos)
  if (level === null) return
  const { index, shard } = held.shard.name
  const { body, searchType, groups, shardCount, opaqueId } = logged
  const { total } = outcome.result
  const hits = total === null ? '-1' : `${total.value}${total.relation === 'eq' ? '' : '+'} hits`
  const source = body === null ? '' : decodeUtf8(writeJson(jsonValueOf(body)))
  node.log(
    slowLine(
      level,
      phase,
      `[${index}][${shard}] ${tookText(nanos)}total_hits[${hits}], stats[${groups.join(',')}], ` +
        `search_type[${searchType.toUpperCase()}], total_shards[${shardCount}], ` +
        `source[${source}], id[${opaqueId ?? ''}], `,
    ),
  )
}
