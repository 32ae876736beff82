import type { Node } from '../../dist/engine/node/node.js'
import type { ShardSearchOutcome } from '../../dist/parallel/search-options.js'
import type { Query } from '../../dist/search/query/query.js'
import type { Shard } from '../../dist/shard/shard.js'
import { type Documents, readDocuments } from '../lib/documents.ts'
import { atLeast, type Bench, type BenchResult, resultOf } from '../lib/result.ts'
import { interleave } from '../lib/rounds.ts'
import { anyOf, heavyQuery, run, type SearchStyle, withLoadedShard } from '../lib/search-runs.ts'

const DOCUMENTS = 200_000
/** Light searches of one reading of their latencies. */
const LIGHT_SEARCHES = 300

/** Gains of search threads, and waits of light searches behind heavy ones. */
export const threads: Bench = {
  name: 'threads',
  async run({ rounds, corpus, say }) {
    const documents = readDocuments(corpus, DOCUMENTS)
    say(`threads: indexing ${documents.bounds.length - 1} documents of ${corpus}`)
    return withLoadedShard(documents, async (node, shard) => {
      const frequent = wordsOf(documents, ['term-X', 'term-H'])
      const rare = wordsOf(documents, ['term-L'])
      const pairs = classOf(documents, 'and2-HL').map(words => allOf(documents.textField, words))
      const field = documents.textField
      const all = [anyOf(field, frequent)]
      const singles = rare.map(word => anyOf(field, [word]))
      return [
        ...(await twoWorkers(node, shard, 'heavy or', [heavyQuery(documents)], {}, rounds)),
        ...(await twoWorkers(node, shard, 'or of frequent words', all, IN_KERNELS, rounds)),
        await cheap(node, shard, 'rare terms', singles, rounds),
        await cheap(node, shard, 'small and', pairs, rounds),
        ...(await fairness(node, shard, documents, rounds)),
      ]
    })
  },
}

const IN_KERNELS = { kernels: true } as const

function classOf({ queries }: Documents, name: string): string[][] {
  return queries.filter(({ className }) => className === name).map(({ words }) => words.split(' '))
}

function wordsOf(documents: Documents, classes: readonly string[]): string[] {
  return classes.flatMap(name => classOf(documents, name).flat())
}

function allOf(field: string, words: readonly string[]): Query {
  return {
    kind: 'boolean',
    clauses: words.map(word => ({ occur: 'must', query: { kind: 'term', field, term: word } })),
    minimumShouldMatch: 0,
  }
}

/** Two workers against one, held against what two workers can do on this machine at all. */
async function twoWorkers(
  node: Node,
  shard: Shard,
  name: string,
  queries: readonly Query[],
  style: Omit<SearchStyle, 'slices'>,
  rounds: number,
): Promise<BenchResult[]> {
  const search = async (
    slices: number,
    executor: 'inline' | 'threads' | 'together',
  ): Promise<string> => {
    const found: ShardSearchOutcome[] = []
    for (const query of queries)
      found.push(await run(node, shard, query, { ...style, slices, executor }))
    return JSON.stringify(found.map(({ result }) => [result.hits, result.total]))
  }
  const expected = await search(1, 'inline')
  for (const executor of ['threads', 'together'] as const)
    for (const slices of [1, 2])
      if ((await search(slices, executor)) !== expected)
        throw new Error(`${name}: ${slices} slices, ${executor}: other hits than inline`)
  const one = (): Promise<string> => search(1, 'threads')
  const readings = await interleave(
    [
      { name: 'one', run: one },
      { name: 'two', run: () => search(2, 'threads') },
      { name: 'together', run: () => search(2, 'together') },
      { name: 'twice', run: () => Promise.all([one(), one()]) },
    ],
    Math.max(rounds, 15),
  )
  const best = (which: string): number => Math.min(...readings.get(which)!)
  const ceiling = (2 * best('one')) / best('twice')
  const results = [resultOf(`threads/${name}, one worker`, 'ms', readings.get('one')!)]
  for (const [which, title] of [
    ['two', 'two workers'],
    ['together', 'one worker and the calling thread'],
  ] as const) {
    const share = best('one') / best(which) / ceiling
    results.push(
      resultOf(`threads/${name}, ${title}`, 'ms', readings.get(which)!, {
        against: { name: `one (ceiling ${ceiling.toFixed(2)})`, ratio: best('one') / best(which) },
        mark: { ...atLeast(share, 0.85, `of the ceiling: ${share.toFixed(3)}`) },
      }),
    )
  }
  return results
}

/** Cheap searches must not be slower where there are two workers. */
async function cheap(
  node: Node,
  shard: Shard,
  name: string,
  queries: readonly Query[],
  rounds: number,
): Promise<BenchResult> {
  const all = async (slices: number): Promise<void> => {
    for (const query of queries)
      await run(node, shard, query, { slices, executor: 'auto', kernels: true, exact: false })
  }
  const readings = await interleave(
    [
      { name: 'one', run: () => all(1) },
      { name: 'two', run: () => all(2) },
    ],
    Math.max(rounds, 30),
    10,
  )
  const perQuery = (ms: number): number => (ms * 1000) / queries.length
  const [one, two] = ['one', 'two'].map(which => readings.get(which)!.map(perQuery))
  const ratio = Math.min(...one!) / Math.min(...two!)
  return resultOf(`threads/${name}, two workers`, 'µs/query', two!, {
    against: { name: 'one', ratio },
    mark: atLeast(ratio, 0.95, '')!,
  })
}

/** How long light searches take on threads, alone and while heavy ones keep all threads busy. */
async function fairness(
  node: Node,
  shard: Shard,
  documents: Documents,
  rounds: number,
): Promise<BenchResult[]> {
  const heavy = heavyQuery(documents)
  const pairs = classOf(documents, 'or2-HM').map(words => anyOf(documents.textField, words))
  const light = { slices: 1, exact: false, kernels: true, executor: 'threads' } as const
  const latencies = async (): Promise<number[]> => {
    const times: number[] = []
    for (let i = 0; i < LIGHT_SEARCHES; i++) {
      const start = performance.now()
      await run(node, shard, pairs[i % pairs.length]!, light)
      times.push((performance.now() - start) * 1000)
    }
    return times.sort((a, b) => a - b)
  }
  const results: BenchResult[] = []
  const add = (name: string, runs: readonly number[][], against: number[] | null): number[] => {
    const medians: number[] = []
    for (const [title, at] of [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const) {
      const readings = runs.map(times => times[Math.floor(times.length * at)]!)
      const result = resultOf(`threads/light searches ${name}, ${title}`, 'µs', readings)
      const before = against?.[medians.length]
      medians.push(result.median)
      results.push(
        before === undefined
          ? result
          : { ...result, against: { name: 'alone', ratio: before / result.median } },
      )
    }
    return medians
  }
  await latencies()
  const alone: number[][] = []
  const beside: number[][] = []
  const heavies: number[] = []
  for (let round = 0; round < rounds; round++) {
    alone.push(await latencies())
    let isOver = false
    // Each is cut for all threads, and there are always some that wait.
    const others = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const start = performance.now()
        await run(node, shard, heavy, { slices: 2 })
        heavies.push(performance.now() - start)
      }
    })
    beside.push(await latencies())
    isOver = true
    await Promise.all(others)
  }
  const medians = add('alone', alone, null)
  add('beside four heavy ones', beside, medians)
  results.push(resultOf('threads/heavy searches, four and light ones', 'ms', heavies))
  return results
}
