import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runBulk } from '../../dist/engine/bulk.js'
import { createIndex } from '../../dist/engine/index-life.js'
import { Node } from '../../dist/engine/node.js'
import type { Shard } from '../../dist/ingest/shard.js'
import type { ShardSearchOptions, ShardSearchOutcome } from '../../dist/parallel/search-options.js'
import type { Query } from '../../dist/search/query/query.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { parseJsonTree } from '../../dist/util/json/json-tree.js'
import { type Documents, readDocuments } from '../lib/documents.ts'
import { atLeast, atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'
import { interleave } from '../lib/rounds.ts'

const DOCUMENTS = 200_000

/** Whole searches over an index of 200,000 passages in one segment, and its opening. */
export const searching: Bench = {
  name: 'searching',
  async run({ rounds, corpus, say }) {
    const documents = readDocuments(corpus, DOCUMENTS)
    const folder = mkdtempSync(join(tmpdir(), 'lamella-bench-'))
    try {
      say(`searching: indexing ${documents.bounds.length - 1} documents of ${corpus}`)
      await load(folder, documents)
      const opened = await opening(folder, documents, rounds)
      const node = openNode(folder)
      try {
        const shard = node.index('bench')!.shards[0]!
        return [
          ...opened,
          ...(await slices(node, shard, documents, rounds)),
          ...(await profiles(node, shard, documents, rounds)),
          ...(await fixedCost(documents, rounds)),
          ...(await classes(node, shard, documents, rounds)),
        ]
      } finally {
        await node.close()
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

function openNode(folder: string): Node {
  return new Node({ folder, settings: new Map([['lamella.threads.search', '2']]) })
}

async function load(folder: string, documents: Documents): Promise<void> {
  const node = openNode(folder)
  await createIndex(node, {
    name: 'bench',
    settings: new Map([['index.refresh_interval', '-1']]),
    mappings: parseJsonTree(
      encodeUtf8(`{"properties":{"${documents.textField}":{"type":"text"}},"dynamic":false}`),
    ),
    aliases: null,
    waitForActiveShards: 1,
    timeoutInMillis: 30_000,
  })
  const { bytes, bounds } = documents
  const action = encodeUtf8('{"index":{"_index":"bench"}}\n')
  for (let start = 0; start + 1 < bounds.length; start += 5000) {
    const parts: Uint8Array[] = []
    for (let i = start; i < Math.min(start + 5000, bounds.length - 1); i++)
      parts.push(action, bytes.subarray(bounds[i]!, bounds[i + 1]!))
    await runBulk(node, {
      body: Buffer.concat(parts),
      index: null,
      routing: null,
      refresh: 'false',
      requireAlias: false,
      waitForActiveShards: 1,
      timeoutInMillis: 30_000,
    })
  }
  const shard = node.index('bench')!.shards[0]!
  await shard.refresh()
  await shard.forceMerge(1, false)
  await node.close()
}

/** Opening what was committed, and what is resident afterwards with one search done. */
async function opening(
  folder: string,
  documents: Documents,
  rounds: number,
): Promise<BenchResult[]> {
  const times: number[] = []
  for (let round = -1; round < rounds; round++) {
    const start = performance.now()
    const node = openNode(folder)
    const took = performance.now() - start
    if (round >= 0) times.push(took)
    await node.close()
  }
  return [
    resultOf('searching/open 200,000 passages', 'ms', times, {
      mark: atMost(Math.min(...times), 200, 'ms'),
    }),
    resident(folder, documents, rounds),
  ]
}

/** What a process of its own holds after opening and one search on two threads. */
function resident(folder: string, documents: Documents, rounds: number): BenchResult {
  const child = fileURLToPath(new URL('../lib/resident-child.mjs', import.meta.url))
  const word = documents.queries.find(({ className }) => className === 'term-X')!.words
  const readings: number[] = []
  let allowed = 0
  for (let round = 0; round < rounds; round++) {
    const text = execFileSync(process.execPath, [child, folder, documents.textField, word], {
      encoding: 'utf8',
    })
    const { rss, loadedBytes } = JSON.parse(text) as { rss: number; loadedBytes: number }
    readings.push(rss / 1e6)
    allowed = Math.round((1.3 * loadedBytes) / 1e6 + 60 + 2 * 20)
  }
  return resultOf('searching/resident after opening and one search', 'MB', readings, {
    mark: {
      text: `≤ ${allowed} MB (1.3 × sections + 60 + 20 a thread)`,
      isReached: Math.min(...readings) <= allowed,
    },
  })
}

/** Frequent words, counted exactly: nothing may be skipped, so these are the heavy ones. */
function heavyQuery(documents: Documents): Query {
  const words = documents.queries
    .filter(({ className }) => className === 'term-X')
    .map(query => query.words)
    .slice(0, 6)
  return anyOf(documents.textField, words)
}

function anyOf(field: string, words: readonly string[]): Query {
  const clauses = words.map(word => ({
    occur: 'should' as const,
    query: { kind: 'term' as const, field, term: word },
  }))
  return { kind: 'boolean', clauses, minimumShouldMatch: 0 }
}

interface SearchStyle {
  readonly slices: number
  readonly profile?: boolean
  readonly exact?: boolean
  readonly executor?: ShardSearchOptions['executor']
  /** The iterators run it otherwise, as they do under a profile. */
  readonly kernels?: boolean
  readonly filterCache?: boolean
}

function run(
  node: Node,
  shard: Shard,
  query: Query,
  style: SearchStyle,
): Promise<ShardSearchOutcome> {
  return node.searcher.search(
    shard.snapshot,
    {
      query,
      postFilter: null,
      spec: {
        topCount: 10,
        sort: null,
        searchAfter: null,
        trackTotalHits: style.exact === false ? 10_000 : Number.POSITIVE_INFINITY,
        trackScores: false,
        minScore: null,
        terminateAfter: 0,
        deadline: 0,
      },
      maxClauseCount: 1024,
    },
    {
      concurrent: true,
      slices: { maxSliceCount: style.slices, intraSegment: 'auto', intraSegmentMinDocs: 65_536 },
      profile: style.profile === true ? { sampling: 'calibrated', perLeaf: true } : null,
      executor: style.executor ?? 'threads',
      kernels: style.kernels ?? false,
      filterCache: style.filterCache ?? false,
      reports: false,
      signal: null,
    },
  )
}

/** Two slices against one, held against what two workers can do on this machine at all. */
async function slices(
  node: Node,
  shard: Shard,
  documents: Documents,
  rounds: number,
): Promise<BenchResult[]> {
  const query = heavyQuery(documents)
  const [one, two] = await Promise.all([
    run(node, shard, query, { slices: 1 }),
    run(node, shard, query, { slices: 2 }),
  ])
  if (JSON.stringify(one.result.hits) !== JSON.stringify(two.result.hits))
    throw new Error('one slice and two give different hits')
  if (one.result.hits.length === 0) throw new Error('the heavy query found nothing')
  const readings = await interleave(
    [
      { name: 'one', run: () => run(node, shard, query, { slices: 1 }) },
      { name: 'two', run: () => run(node, shard, query, { slices: 2 }) },
      {
        name: 'twice',
        run: () =>
          Promise.all([
            run(node, shard, query, { slices: 1 }),
            run(node, shard, query, { slices: 1 }),
          ]),
      },
    ],
    rounds,
  )
  const best = (name: string): number => Math.min(...readings.get(name)!)
  const speedUp = best('one') / best('two')
  const ceiling = (2 * best('one')) / best('twice')
  return [
    resultOf('searching/heavy or, one slice', 'ms', readings.get('one')!),
    resultOf('searching/heavy or, two slices', 'ms', readings.get('two')!, {
      against: { name: 'one slice', ratio: speedUp },
    }),
    {
      name: 'searching/share of the ceiling of two workers',
      unit: '',
      min: speedUp / ceiling,
      median: speedUp / ceiling,
      rounds,
      against: { name: 'one worker (ceiling)', ratio: ceiling },
      mark: atLeast(speedUp / ceiling, 0.8, '')!,
    },
  ]
}

/** What profiling costs the same executor on the same thread. */
async function profiles(
  node: Node,
  shard: Shard,
  documents: Documents,
  rounds: number,
): Promise<BenchResult[]> {
  const results: BenchResult[] = []
  const medium = documents.queries.find(({ className }) => className === 'or2-HM')!
  const kinds: [string, Query, number][] = [
    ['above 5 ms', heavyQuery(documents), 2],
    ['above 0.5 ms', anyOf(documents.textField, medium.words.split(' ')), 3],
  ]
  for (const [name, query, mark] of kinds) {
    const readings = await interleave(
      [
        { name: 'plain', run: () => run(node, shard, query, { slices: 1, executor: 'inline' }) },
        {
          name: 'profiled',
          run: () => run(node, shard, query, { slices: 1, executor: 'inline', profile: true }),
        },
      ],
      Math.max(rounds, 15),
      5,
    )
    const plain = Math.min(...readings.get('plain')!)
    const profiled = Math.min(...readings.get('profiled')!)
    results.push(
      resultOf(`searching/profile, ${name}`, 'ms', readings.get('profiled')!, {
        against: { name: `unprofiled ${plain.toFixed(2)} ms`, ratio: profiled / plain },
        mark: { text: `≤ ${mark} ×`, isReached: profiled / plain <= mark },
      }),
    )
  }
  return results
}

/** What a profile costs where there is next to nothing to time: per leaf and node of the query. */
async function fixedCost(documents: Documents, rounds: number): Promise<BenchResult[]> {
  const node = new Node({ folder: null, settings: new Map() })
  await createIndex(node, {
    name: 'small',
    settings: new Map([
      ['index.refresh_interval', '-1'],
      ['index.merge.policy.segments_per_tier', '100'],
    ]),
    mappings: null,
    aliases: null,
    waitForActiveShards: 1,
    timeoutInMillis: 30_000,
  })
  const shard = node.index('small')!.shards[0]!
  const { bytes, bounds } = documents
  for (let i = 0; i < 20; i++) {
    const action = encodeUtf8('{"index":{"_index":"small"}}\n')
    await runBulk(node, {
      body: Buffer.concat([action, bytes.subarray(bounds[i]!, bounds[i + 1]!)]),
      index: null,
      routing: null,
      refresh: 'true',
      requireAlias: false,
      waitForActiveShards: 1,
      timeoutInMillis: 30_000,
    })
  }
  const query = heavyQuery(documents)
  const leaves = shard.snapshot.leaves.length
  const style = { slices: 1, executor: 'inline' } as const
  const readings = await interleave(
    [
      { name: 'plain', run: () => run(node, shard, query, style) },
      { name: 'profiled', run: () => run(node, shard, query, { ...style, profile: true }) },
    ],
    50 * rounds,
    50,
  )
  await node.close()
  const pieces = leaves * 7
  const plain = Math.min(...readings.get('plain')!)
  const added = readings.get('profiled')!.map(ms => ((ms - plain) * 1000) / pieces)
  return [resultOf('searching/profile, fixed cost', 'µs per leaf and node', added)]
}

/** Every class of the corpus's queries with the API's own default of counting to 10,000. */
async function classes(
  node: Node,
  shard: Shard,
  documents: Documents,
  rounds: number,
): Promise<BenchResult[]> {
  const byClass = new Map<string, Query[]>()
  for (const { className, kind, words } of documents.queries) {
    if (kind !== 'or' && kind !== 'term') continue
    const list = byClass.get(className) ?? []
    list.push(anyOf(documents.textField, words.split(' ')))
    byClass.set(className, list)
  }
  const results: BenchResult[] = []
  for (const [name, queries] of byClass) {
    const readings = await interleave(
      [
        {
          name,
          async run() {
            for (const query of queries)
              await run(node, shard, query, {
                slices: 1,
                exact: false,
                executor: 'inline',
                kernels: true,
              })
          },
        },
      ],
      rounds,
    )
    const perQuery = readings.get(name)!.map(ms => (ms * 1000) / queries.length)
    results.push(resultOf(`searching/top 10 of ${name}`, 'µs/query', perQuery))
  }
  return results
}
