/** The keys that the two aggregations of significant terms share. */
import type { CutBySignificance } from '../../../aggregation/significant/slice-significant.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { parseQuery } from '../query/parse-query.ts'
import type { ParsedQuery, QueryContext } from '../query-context.ts'
import { readMinDocCount, readSize } from './counts.ts'
import {
  type AskedHeuristic,
  boundHeuristic,
  DEFAULT_HEURISTIC,
  heuristicReaders,
} from './heuristics.ts'
import { type Inclusion, NO_INCLUSION, readExclude, readInclude } from './inclusion.ts'
import type { FieldReaders } from './object-fields.ts'

/** The keys as a request gives them. */
export interface SignificanceKeys {
  size: number
  /** −1: none is given. */
  shardSize: number
  minDocCount: number
  shardMinDocCount: number
  heuristic: AskedHeuristic
  inclusion: Inclusion
  /** Null: all documents. */
  background: ParsedQuery | null
}

/** Keys of none. */
export function newSignificanceKeys(): SignificanceKeys {
  return {
    size: 10,
    shardSize: -1,
    minDocCount: 3,
    shardMinDocCount: 0,
    heuristic: DEFAULT_HEURISTIC,
    inclusion: NO_INCLUSION,
    background: null,
  }
}

/** Readers of the keys. @param type of the aggregation and @param name for errors */
export function significanceReaders(
  keys: SignificanceKeys,
  type: string,
  name: string,
): FieldReaders {
  return {
    size: (value: JsonNode) => {
      keys.size = readSize(value, 'size', name)
    },
    shard_size: (value: JsonNode) => {
      keys.shardSize = readSize(value, 'shardSize', name)
    },
    min_doc_count: (value: JsonNode) => {
      keys.minDocCount = readMinDocCount(value, 'minDocCount', name)
    },
    shard_min_doc_count: (value: JsonNode) => {
      keys.shardMinDocCount = readMinDocCount(value, 'shardMinDocCount', name)
    },
    include: (value: JsonNode) => {
      keys.inclusion = { ...keys.inclusion, ...readInclude(value) }
    },
    exclude: (value: JsonNode) => {
      keys.inclusion = { ...keys.inclusion, exclude: readExclude(value) }
    },
    background_filter: (value: JsonNode) => {
      keys.background = parseQuery(value)
    },
    ...heuristicReaders(type, heuristic => {
      keys.heuristic = heuristic
    }),
  }
}

/** How buckets are cut: shards give twice as many as they would of plain terms. */
export function cutOf(
  { size, shardSize, minDocCount, shardMinDocCount, heuristic }: SignificanceKeys,
  name: string,
  context: QueryContext,
): CutBySignificance {
  const usual = Math.min(2147483647, 2 * (Math.floor(size * 1.5) + 10))
  return {
    name,
    heuristic: boundHeuristic(heuristic, context),
    size,
    shardSize: Math.max(size, shardSize < 0 ? usual : shardSize),
    minDocCount,
    shardMinDocCount: Math.min(minDocCount, shardMinDocCount),
  }
}
