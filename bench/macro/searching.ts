import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runBulk } from '../../dist/engine/document/bulk.js'
import { createIndex } from '../../dist/engine/index/index-life.js'
import { Node } from '../../dist/engine/node/node.js'
import type { Query } from '../../dist/search/query/query.js'
import type { Shard } from '../../dist/shard/shard.js'
import { trusted } from '../../dist/task/call-context.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { type Documents, readDocuments } from '../lib/documents.ts'
import { atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'
import { interleave } from '../lib/rounds.ts'
import { anyOf, heavyQuery, load, openNode, run } from '../lib/search-runs.ts'

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

/** Memory of a process of its own after opening and one search on two threads. */
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

/** The cost of profiling for the same executor on the same thread. */
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

/** The cost of a profile where there is next to nothing to time: per leaf and node of the query. */
async function fixedCost(documents: Documents, rounds: number): Promise<BenchResult[]> {
  const node = new Node({ folder: null, settings: new Map() })
  await createIndex(
    node,
    {
      name: 'small',
      settings: new Map([
        ['index.refresh_interval', '-1'],
        ['index.merge.policy.segments_per_tier', '100'],
      ]),
      mappings: null,
      aliases: null,
      waitForActiveShards: 1,
    },
    trusted('indices:admin/create'),
  )
  const shard = node.index('small')!.shards[0]!
  const { bytes, bounds } = documents
  for (let i = 0; i < 20; i++) {
    const action = encodeUtf8('{"index":{"_index":"small"}}\n')
    await runBulk(
      node,
      {
        body: Buffer.concat([action, bytes.subarray(bounds[i]!, bounds[i + 1]!)]),
        index: null,
        routing: null,
        refresh: 'true',
        requireAlias: false,
        source: null,
        waitForActiveShards: 1,
        timeoutInMillis: 30_000,
      },
      trusted('indices:data/write/bulk'),
    )
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
