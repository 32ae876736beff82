/** Aggregations beside other work: the memory that one takes, and the waits of searches beside them. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ShardSearchOutcome } from '../../dist/parallel/search-options.js'
import { readDocuments } from '../lib/documents.ts'
import { BENCH_INDEX, openBenchNode } from '../lib/index-node.ts'
import { atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'
import { optionsOf } from '../lib/search-runs.ts'
import { fillTable, openTableEngine, type Send, senderOver } from '../lib/table-index.ts'
import { levelsOf, tableRequest } from '../lib/table-request.mjs'
import { termsOf } from '../lib/terms-gather.ts'
import { topHits } from '../lib/top-hits.ts'

const ROWS = 1_000_000
const PASSAGES = 50_000
const BATCH = 5000
const SEARCHES = 2000
const SLICES = 4
const MB = 2 ** 20
/** How many times its wait alone a rare term may wait at the 99th percentile. */
const MOST_WAIT = 2
const MOST_MB = 8

/** Aggregations of the table without an end, one after the other; by name, in the form of table-cases.ts. */
const COMPANY: Readonly<Record<string, string>> = {
  terms: 'all|terms|k1000',
  stats: 'all|stats|d',
  'terms > avg': 'all|terms|k1000 all|avg|d',
  'terms, 100,000 keys': 'all|terms|k100000',
}

/** The memory that one aggregation takes, and the waits of searches beside endless ones. */
export const aggregationLoad: Bench = {
  name: 'aggregation-load',
  async run({ rounds, corpus, say }) {
    const folder = mkdtempSync(join(tmpdir(), 'lamella-aggregation-load-'))
    try {
      const engine = await openTableEngine(folder)
      let results: BenchResult[]
      try {
        const send = senderOver(engine)
        say(`aggregation-load: indexing ${ROWS} rows, ${PASSAGES} documents of ${corpus}`)
        await fillTable(send, ROWS)
        results = await waits(send, corpus, rounds)
      } finally {
        await engine.close()
      }
      return [...results, await memory(folder, rounds)]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** The waits of searches of a rare word, alone and beside each aggregation. */
async function waits(send: Send, corpus: string, rounds: number): Promise<BenchResult[]> {
  const { bounds, bytes, queries, textField } = readDocuments(corpus, PASSAGES)
  const decoder = new TextDecoder()
  for (let start = 0; start + 1 < bounds.length; start += BATCH) {
    const lines: string[] = []
    for (let i = start; i < Math.min(start + BATCH, bounds.length - 1); i++)
      lines.push('{"index":{}}', decoder.decode(bytes.subarray(bounds[i], bounds[i + 1])).trimEnd())
    await send(`POST /${BENCH_INDEX}/_bulk`, `${lines.join('\n')}\n`)
  }
  await send(`POST /${BENCH_INDEX}/_forcemerge?max_num_segments=1`, '')
  const words = queries.filter(each => each.className === 'term-L').map(each => each.words)
  const searches = words.map(word =>
    JSON.stringify({ _source: false, query: { match: { [textField]: word } } }),
  )
  const percentile = async (): Promise<number> => {
    const times: number[] = []
    for (let i = 0; i < SEARCHES; i++) {
      // As requests come, each in a turn of its own.
      await turn()
      times.push(await send(`POST /${BENCH_INDEX}/_search`, searches[i % searches.length]!))
    }
    return times.sort((a, b) => a - b)[Math.floor(0.99 * SEARCHES)]!
  }
  await percentile()
  const alone: number[] = []
  const beside = new Map(Object.keys(COMPANY).map(name => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    alone.push(await percentile())
    for (const [name, text] of Object.entries(COMPANY)) {
      const body = JSON.stringify(tableRequest(levelsOf(text)))
      let isOver = false
      const endless = (async () => {
        while (!isOver) await send('POST /table/_search', body)
      })()
      beside.get(name)!.push(await percentile())
      isOver = true
      await endless
    }
  }
  const usual = resultOf('aggregation-load/p99 of a rare word, alone', 'ms', alone)
  return [
    usual,
    ...[...beside].map(([name, times]) => {
      const own = resultOf(`aggregation-load/p99 of a rare word beside ${name}`, 'ms', times)
      const ratio = own.median / usual.median
      return {
        ...own,
        against: { name: 'alone', ratio: 1 / ratio },
        mark: atMost(ratio, MOST_WAIT, '× alone, of medians'),
      }
    }),
  ]
}

/** Bytes that one aggregation over 100,000 keys allocates, all slices on this thread: no less than it holds at a time. */
async function memory(folder: string, rounds: number): Promise<BenchResult> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const node = openBenchNode(folder)
  try {
    const shard = node.index('table')!.shards[0]!
    const gather = topHits(0, 0, [termsOf('k100000')])
    const search = (): Promise<ShardSearchOutcome> =>
      node.searcher.search(
        shard.snapshot,
        { query: { kind: 'matchAll' }, gather, maxClauseCount: 1024, statistics: null },
        options,
      )
    // A profile has this thread run all slices.
    const options = optionsOf({ slices: SLICES, executor: 'inline', kernels: true, profile: true })
    const found: number[] = []
    // The first few read the column and the dictionary, and compile.
    for (let round = -3; round < rounds; round++) {
      collect()
      const before = process.memoryUsage()
      const { sliceCount, result } = await search()
      if (sliceCount !== SLICES || result.parts.length === 0)
        throw new Error(`[${sliceCount}] slices gave [${result.parts.length}] aggregations`)
      const after = process.memoryUsage()
      const bytes = after.heapUsed - before.heapUsed + after.arrayBuffers - before.arrayBuffers
      if (round >= 0) found.push(bytes / MB)
    }
    const own = resultOf(`aggregation-load/terms over 100,000 keys, ${SLICES} slices`, 'MB', found)
    return { ...own, mark: atMost(own.median, MOST_MB, 'MB, the median') }
  } finally {
    await node.close()
  }
}
