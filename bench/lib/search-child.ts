/** Searches built indices, all with the same documents: `SearchTask` in, `SearchRecord` out. */

import type { ShardSearcher } from '../../dist/parallel/shard-search.js'
import type { Shard } from '../../dist/shard/shard.js'
import { answerWith } from './child.ts'
import { benchShard, openBenchNode } from './index-node.ts'
import { type SearchMode, searchWords, type WordQuery, wordQueries } from './word-queries.ts'

/** What to search. */
export interface SearchTask {
  /** Data folders, searched in turn. */
  readonly folders: readonly string[]
  /** Whose queries. */
  readonly corpus: string
  readonly textField: string
  readonly rounds: number
  /** Queries of a class that are checked against the iterators. */
  readonly checked: number
}

/** One class of queries in one mode. */
export interface ClassTimes {
  readonly className: string
  readonly mode: SearchMode
  /** Documents that hold a word of the query, added up over its words; a query's mean. */
  readonly postings: number
  /** By folder: microseconds, the mean of each query's least time. */
  readonly micros: readonly number[]
}

/** What searching took. */
export interface SearchRecord {
  readonly times: readonly ClassTimes[]
  /** Opening each folder, milliseconds. */
  readonly openInMillis: readonly number[]
  /** Resident before the first was opened, and in the end. */
  readonly residentBeforeBytes: number
  readonly residentBytes: number
  /** Bytes of the sections that searches have loaded. */
  readonly loadedBytes: number
  /** Searches whose kernels' answer was the iterators'. */
  readonly agreed: number
}

const MODES: readonly SearchMode[] = ['top 10', 'counted to 10,000', 'count only']
const WARM_UPS = 2

interface Index {
  readonly searcher: ShardSearcher
  readonly shard: Shard
}

await answerWith(search)

async function search(task: SearchTask, say: (line: string) => void): Promise<SearchRecord> {
  const residentBeforeBytes = process.memoryUsage().rss
  const openInMillis: number[] = []
  const nodes = task.folders.map(folder => {
    const start = performance.now()
    const node = openBenchNode(folder)
    openInMillis.push(performance.now() - start)
    return node
  })
  const indices = nodes.map(node => ({ searcher: node.searcher, shard: benchShard(node) }))
  const classes = wordQueries(task.corpus)
  let agreed = 0
  for (const [name, queries] of classes)
    for (const query of queries.slice(0, task.checked)) {
      await checkAgreement(indices, task.textField, name, query)
      agreed += indices.length * MODES.length
    }
  say(`${agreed} answers of the kernels are those of the iterators`)
  const times: ClassTimes[] = []
  for (const [className, queries] of classes) {
    let postings = 0
    for (const { words } of queries)
      for (const word of words) postings += await docFreq(indices[0]!, task.textField, word)
    for (const mode of MODES) {
      const micros = await timesOf(indices, task, queries, mode)
      times.push({ className, mode, postings: postings / queries.length, micros })
    }
  }
  const residentBytes = process.memoryUsage().rss
  const loadedBytes = nodes.reduce((sum, node) => sum + node.memory.loadedBytes, 0)
  for (const node of nodes) await node.close()
  return { times, openInMillis, residentBeforeBytes, residentBytes, loadedBytes, agreed }
}

async function timesOf(
  indices: readonly Index[],
  { textField, rounds }: SearchTask,
  queries: readonly WordQuery[],
  mode: SearchMode,
): Promise<number[]> {
  const least = indices.map(() => new Float64Array(queries.length).fill(Number.POSITIVE_INFINITY))
  for (let round = -WARM_UPS; round < rounds; round++)
    for (const [q, query] of queries.entries())
      for (const [i, { searcher, shard }] of indices.entries()) {
        const start = performance.now()
        await searchWords(searcher, shard, textField, query, mode)
        const took = performance.now() - start
        if (round >= 0 && took < least[i]![q]!) least[i]![q] = took
      }
  return least.map(row => (1000 * row.reduce((sum, took) => sum + took, 0)) / queries.length)
}

async function docFreq({ searcher, shard }: Index, field: string, word: string): Promise<number> {
  const query: WordQuery = { kind: 'term', words: [word] }
  const { result } = await searchWords(searcher, shard, field, query, 'count only')
  return result.total?.value ?? 0
}

/** The executors agree in each index; the indices agree with each other in scores and totals. */
async function checkAgreement(
  indices: readonly Index[],
  field: string,
  name: string,
  query: WordQuery,
): Promise<void> {
  const where = `${name}: ${query.words.join(' ')}`
  for (const mode of MODES) {
    const scores = new Set<string>()
    for (const { searcher, shard } of indices) {
      const answers: string[] = []
      for (const kernels of [true, false]) {
        const { result } = await searchWords(searcher, shard, field, query, mode, kernels)
        const { hits, total } = result
        answers.push(
          JSON.stringify([total, hits.map(({ globalDoc, score }) => [globalDoc, score])]),
        )
        scores.add(JSON.stringify([total, hits.map(({ score }) => score)]))
      }
      if (answers[0] !== answers[1])
        throw new Error(`${where}, ${mode}: kernels ${answers[0]}, iterators ${answers[1]}`)
    }
    if (scores.size !== 1)
      throw new Error(`${where}, ${mode}: the indices differ: ${[...scores].join(' and ')}`)
  }
}
