/** An index of one segment that searches are measured over, and how benches search it. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runBulk } from '../../dist/engine/document/bulk.js'
import { createIndex } from '../../dist/engine/index/index-life.js'
import { Node } from '../../dist/engine/node/node.js'
import type { ShardSearchOptions, ShardSearchOutcome } from '../../dist/parallel/search-options.js'
import type { Query } from '../../dist/search/query/query.js'
import type { Shard } from '../../dist/shard/shard.js'
import { trusted } from '../../dist/task/call-context.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { parseJsonTree } from '../../dist/util/json/json-tree.js'
import type { Documents } from './documents.ts'
import { topHits } from './top-hits.ts'

export function openNode(folder: string): Node {
  return new Node({ folder, settings: new Map([['lamella.threads.search', '2']]) })
}

/** @param keyword a field that is mapped as a keyword beside the text; null: none */
export async function load(
  folder: string,
  documents: Documents,
  keyword: string | null = null,
): Promise<void> {
  const properties = {
    [documents.textField]: { type: 'text' },
    ...(keyword === null ? {} : { [keyword]: { type: 'keyword' } }),
  }
  const node = openNode(folder)
  await createIndex(
    node,
    {
      name: 'bench',
      settings: new Map([['index.refresh_interval', '-1']]),
      mappings: parseJsonTree(encodeUtf8(JSON.stringify({ properties, dynamic: false }))),
      aliases: null,
      waitForActiveShards: 1,
    },
    trusted('indices:admin/create'),
  )
  const { bytes, bounds } = documents
  const action = encodeUtf8('{"index":{"_index":"bench"}}\n')
  for (let start = 0; start + 1 < bounds.length; start += 5000) {
    const parts: Uint8Array[] = []
    for (let i = start; i < Math.min(start + 5000, bounds.length - 1); i++)
      parts.push(action, bytes.subarray(bounds[i]!, bounds[i + 1]!))
    await runBulk(
      node,
      {
        body: Buffer.concat(parts),
        index: null,
        routing: null,
        refresh: 'false',
        requireAlias: false,
        source: null,
        waitForActiveShards: 1,
        timeoutInMillis: 30_000,
      },
      trusted('indices:data/write/bulk'),
    )
  }
  const shard = node.index('bench')!.shards[0]!
  await shard.refresh()
  await shard.forceMerge(1, false)
  await node.close()
}

/** Frequent words, counted exactly: nothing may be skipped, so these are the heavy ones. */
export function heavyQuery(documents: Documents): Query {
  const words = documents.queries
    .filter(({ className }) => className === 'term-X')
    .map(query => query.words)
    .slice(0, 6)
  return anyOf(documents.textField, words)
}

export function anyOf(field: string, words: readonly string[]): Query {
  const clauses = words.map(word => ({
    occur: 'should' as const,
    query: { kind: 'term' as const, field, term: word },
  }))
  return { kind: 'boolean', clauses, minimumShouldMatch: 0 }
}

export interface SearchStyle {
  readonly slices: number
  readonly profile?: boolean
  readonly exact?: boolean
  readonly executor?: ShardSearchOptions['executor']
  /** The iterators run it otherwise, as they do under a profile. */
  readonly kernels?: boolean
  readonly filterCache?: boolean
  readonly reports?: boolean
}

export function run(
  node: Node,
  shard: Shard,
  query: Query,
  style: SearchStyle,
): Promise<ShardSearchOutcome> {
  return node.searcher.search(
    shard.snapshot,
    {
      query,
      gather: topHits(10, style.exact === false ? 10_000 : Number.POSITIVE_INFINITY),
      maxClauseCount: 1024,
      statistics: null,
    },
    optionsOf(style),
  )
}

/** How a search of that style is asked for. */
export function optionsOf(style: SearchStyle): ShardSearchOptions {
  return {
    concurrent: true,
    slices: { maxSliceCount: style.slices, intraSegment: 'auto', intraSegmentMinDocs: 65_536 },
    profile: style.profile === true ? { sampling: 'calibrated', perLeaf: true } : null,
    executor: style.executor ?? 'threads',
    kernels: style.kernels ?? false,
    filterCache: style.filterCache ?? false,
    reports: style.reports ?? false,
    signal: null,
  }
}

/**
 * Runs something over a shard of one segment with so many documents of a corpus.
 * @param keyword as of `load`
 */
export async function withLoadedShard<T>(
  documents: Documents,
  step: (node: Node, shard: Shard) => Promise<T>,
  keyword: string | null = null,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'lamella-bench-'))
  try {
    await load(folder, documents, keyword)
    const node = openNode(folder)
    try {
      return await step(node, node.index('bench')!.shards[0]!)
    } finally {
      await node.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
