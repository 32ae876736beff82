/** Graphs of vectors: recall and time over the number of candidates, building, bytes, and filters. */

import { UNWATCHED } from '../../dist/search/scorer/watch.js'
import { scanVectors } from '../../dist/search/vector/scan-vectors.js'
import { scoreBounds } from '../../dist/search/vector/score-bounds.js'
import { VectorScores } from '../../dist/search/vector/vector-scores.js'
import { isWalkCheaper, type WalkSize, walkVectors } from '../../dist/search/vector/walk-vectors.js'
import { BitSet } from '../../dist/util/bit-set.js'
import { Random } from '../../dist/util/random.js'
import { atLeast, atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'
import { interleave } from '../lib/rounds.ts'
import { textVectors } from '../lib/text-vectors.ts'
import { type VectorLeaf, vectorLeaf } from '../lib/vector-leaf.ts'
import { drawVectors, type VectorSet } from '../lib/vector-sets.ts'

const SEED = 20261123
const K = 10
const QUERIES = 100
const METHOD = { space: 'l2', m: 16, efConstruction: 100 } as const
const CANDIDATES = [10, 20, 50, 90, 100, 200, 400]
/** Per cent of the documents that a filter leaves, and the cost that it may have beside none. */
const FILTERS = [
  { percent: 50, mark: 2 },
  { percent: 10, mark: 2 },
  { percent: 1, mark: 1 },
]

interface MeasuredSet extends VectorSet {
  /** Of another library over as many vectors, in microseconds and seconds; null: not known. */
  readonly rival: {
    readonly search: number
    readonly recall: number
    readonly build: number
  } | null
}

const SETS: readonly MeasuredSet[] = [
  // usearch and hnswlib over other vectors, on the machine of the paper of marks: see README.
  { count: 20_000, dimension: 384, latent: 24, rival: { search: 128, recall: 0.988, build: 10.5 } },
  { count: 100_000, dimension: 128, latent: 0, rival: null },
  { count: 50_000, dimension: 384, latent: 24, rival: null },
]

/** Vectors of passages of the corpus. */
const TEXTS = { count: 20_000, dimension: 384 }

/** Vectors of nested documents, of which the best of each whole one counts. */
const NESTED = { count: 50_000, dimension: 128, latent: 0, each: 5 }

/** The nearest 10 by graphs, beside scans of all vectors; one thread. */
export const vectorGraphs: Bench = {
  name: 'vectors',
  async run({ rounds, corpus, say }) {
    const results = await textResults(corpus, rounds, say)
    for (const set of SETS) {
      const name = `vectors/${set.count / 1000}k × ${set.dimension}`
      say(`${name}: drawn from the seed ${SEED}`)
      const [queries, vectors] = drawVectors(set, SEED, QUERIES)
      const open = vectorLeaf(vectors, 'float', METHOD)
      results.push(...(await resultsOf(name, set, open, queries, rounds)))
    }
    for (const isNear of [false, true]) results.push(...(await nestedResults(isNear, rounds)))
    return results
  },
}

/** Real vectors, which lie on no centres and have no few numbers behind them. */
async function textResults(
  corpus: string,
  rounds: number,
  say: (line: string) => void,
): Promise<BenchResult[]> {
  const { count, dimension } = TEXTS
  const name = `vectors/${count / 1000}k × ${dimension}, texts`
  say(`${name}: decomposing word counts of ${corpus}, seed ${SEED}`)
  const { queries, vectors, words, kept } = textVectors({ ...TEXTS, corpus }, SEED, QUERIES)
  say(
    `${name}: ${vectors.length} passages, ${words} words, ${(100 * kept).toFixed(1)} % of the squares kept`,
  )
  const set = { count: vectors.length, dimension, rival: null }
  return resultsOf(name, set, vectorLeaf(vectors, 'float', METHOD), queries, rounds)
}

/** @param isNear whether the vectors of a whole document lie together, else they lie anywhere */
async function nestedResults(isNear: boolean, rounds: number): Promise<BenchResult[]> {
  const { count, dimension, each } = NESTED
  const [queries, vectors] = drawVectors(NESTED, SEED, QUERIES)
  if (isNear)
    for (const [i, vector] of vectors.entries())
      if (i % each > 0) vectors[i] = vectors[i - 1]!.map((own, at) => own + (vector[at]! - own) / 8)
  const open = vectorLeaf(vectors, 'float', METHOD, each)
  const name = `vectors/${count / 1000}k × ${dimension}, ${each} to a document, ${isNear ? 'near' : 'anywhere'}`
  const exact = queries.map(query => new Set(scan(open, query, true, null)))
  const walks = [20, 50, 100].map(ef => ({
    ef,
    find: (query: Float32Array) => walk(open, query, ef),
  }))
  const times = await interleave(
    [
      { name: 'scan', run: () => queries.slice(0, 10).map(query => scan(open, query, true, null)) },
      ...walks.map(({ ef, find }) => ({ name: `${ef}`, run: () => queries.map(find) })),
    ],
    rounds,
  )
  const micros = (key: string, calls: number): number[] =>
    times.get(key)!.map(ms => (1000 * ms) / calls)
  return [
    resultOf(`${name}, scan by codes`, 'µs', micros('scan', 10)),
    ...walks.map(({ ef, find }) => {
      const hits = queries.map((query, i) => find(query).filter(doc => exact[i]!.has(doc)).length)
      const recall = hits.reduce((sum, own) => sum + own, 0) / (K * QUERIES)
      const way = isWalkCheaper(open.graph!, dimension, ef, {
        accepted: count,
        groups: count / each,
      })
      return resultOf(
        `${name}, ef ${ef}, recall ${recall.toFixed(3)}, planned as a ${way ? 'walk' : 'scan'}`,
        'µs',
        micros(`${ef}`, QUERIES),
      )
    }),
  ]
}

async function resultsOf(
  name: string,
  { count, dimension, rival }: Omit<MeasuredSet, 'latent'>,
  open: VectorLeaf,
  queries: readonly Float32Array[],
  rounds: number,
): Promise<BenchResult[]> {
  const { buildMillis, graphBytes, vectorBytes } = open
  const seconds = buildMillis / 1000
  const raw = 4 * dimension * count
  const results = [
    resultOf(`${name}, graph built`, 's', [seconds], {
      ...(rival === null ? {} : { mark: atMost(seconds, Math.round(rival.build / 0.7), 's') }),
    }),
    resultOf(`${name}, rows and codes`, 'of raw', [vectorBytes / raw]),
    resultOf(`${name}, links`, 'of raw', [graphBytes / raw]),
  ]
  const exact = queries.map(query => new Set(scan(open, query, true, null)))
  const all = (find: (query: Float32Array) => readonly number[]) => () =>
    queries.reduce((sum, query) => sum + find(query).length, 0)
  const recall = (
    find: (query: Float32Array) => readonly number[],
    wanted: readonly ReadonlySet<number>[],
  ): number => {
    const hits = queries.map((query, i) => find(query).filter(doc => wanted[i]!.has(doc)).length)
    return hits.reduce((sum, own) => sum + own, 0) / (K * queries.length)
  }
  const micros = (readings: readonly number[]): number[] =>
    readings.map(ms => (1000 * ms) / queries.length)
  const few = queries.slice(0, 10)
  const scans = await interleave(
    [
      { name: 'rows', run: () => few.map(query => scan(open, query, false, null)) },
      { name: 'codes', run: () => few.map(query => scan(open, query, true, null)) },
      { name: 'floor', run: () => few.map(query => compareAll(open, query)) },
    ],
    rounds,
  )
  const perScan = (key: string): number[] => scans.get(key)!.map(ms => (1000 * ms) / few.length)
  const [rows, codes, floor] = ['rows', 'codes', 'floor'].map(key => Math.min(...perScan(key)))
  results.push(
    resultOf(`${name}, kernel over all rows`, 'µs', perScan('floor')),
    resultOf(`${name}, scan of rows`, 'µs', perScan('rows')),
    resultOf(`${name}, scan of rows, times the kernel`, '×', [rows! / floor!], {
      mark: atMost(rows! / floor!, 1.3, '×'),
    }),
    resultOf(`${name}, scan by codes`, 'µs', perScan('codes')),
    resultOf(`${name}, scan by codes, times as fast`, '×', [rows! / codes!], {
      mark: atLeast(rows! / codes!, 2.5, '×'),
    }),
  )
  const walks = CANDIDATES.map(ef => ({ ef, find: (query: Float32Array) => walk(open, query, ef) }))
  const times = await interleave(
    walks.map(({ ef, find }) => ({ name: `${ef}`, run: all(find) })),
    rounds,
  )
  let best = Number.POSITIVE_INFINITY
  let efOfFilters = CANDIDATES.at(-1)!
  for (const { ef, find } of walks) {
    const found = recall(find, exact)
    const readings = micros(times.get(`${ef}`)!)
    results.push(resultOf(`${name}, ef ${ef}, recall ${found.toFixed(3)}`, 'µs', readings))
    if (found >= (rival?.recall ?? 0.99)) best = Math.min(best, ...readings)
    if (found >= 0.99) efOfFilters = Math.min(efOfFilters, ef)
  }
  if (rival !== null)
    results.push(
      resultOf(`${name}, graph at recall ${rival.recall}`, 'µs', [best], {
        mark: atMost(best, rival.search / 0.8, 'µs'),
      }),
    )
  results.push(...(await filtered(name, open, queries, efOfFilters, rounds, recall)))
  return results
}

async function filtered(
  name: string,
  open: VectorLeaf,
  queries: readonly Float32Array[],
  ef: number,
  rounds: number,
  recall: (
    find: (query: Float32Array) => readonly number[],
    wanted: readonly ReadonlySet<number>[],
  ) => number,
): Promise<BenchResult[]> {
  const random = new Random(SEED)
  const cases = FILTERS.map(({ percent, mark }) => {
    const docs = new BitSet(open.reader.count)
    for (let doc = 0; doc < docs.size; doc++) if (random.below(100) < percent) docs.add(doc)
    const count = docs.count()
    const isWalked = isWalkCheaper(open.graph!, open.reader.dimension, ef, sizeOf(count))
    const find = (query: Float32Array): readonly number[] =>
      (isWalked ? walkAmong(open, query, ef, docs) : null) ?? scan(open, query, true, docs)
    return { percent, mark, docs, isWalked, find }
  })
  const times = await interleave(
    [
      { name: 'none', run: () => queries.map(query => walk(open, query, ef)) },
      ...cases.map(({ percent, find }) => ({ name: `${percent}`, run: () => queries.map(find) })),
    ],
    rounds,
  )
  const best = (key: string): number => Math.min(...times.get(key)!)
  return cases.map(({ percent, mark, docs, isWalked, find }) => {
    const wanted = queries.map(query => new Set(scan(open, query, false, docs)))
    const found = recall(find, wanted)
    const ratio = best(`${percent}`) / best('none')
    const way = isWalked ? 'walked' : 'scanned'
    const { text, isReached } = atMost(ratio, mark, '×')
    return resultOf(
      `${name}, ef ${ef}, ${percent} % left, ${way}, recall ${found.toFixed(3)}`,
      '×',
      [ratio],
      { mark: { text: `${text}, recall ≥ 0.98`, isReached: isReached && found >= 0.98 } },
    )
  })
}

function sizeOf(accepted: number): WalkSize {
  return { accepted, groups: accepted }
}

function walk(open: VectorLeaf, query: Float32Array, ef: number): readonly number[] {
  return walkAmong(open, query, ef, 'live') ?? []
}

function walkAmong(
  { leaf, reader, graph, parents }: VectorLeaf,
  query: Float32Array,
  ef: number,
  accepted: BitSet | 'live',
): readonly number[] | null {
  leaf.scratch.reset()
  const scores = new VectorScores(METHOD.space, query, reader, leaf)
  const found = walkVectors({
    leaf,
    vectors: reader,
    graph: graph!,
    query,
    ef,
    scores,
    accepted,
    size: {
      ...sizeOf(accepted === 'live' ? reader.count : accepted.count()),
      ...(parents !== null && { groups: parents.count }),
    },
    parents,
    limit: K,
    watch: UNWATCHED,
  })
  return found === null ? null : [...found.docs]
}

function scan(
  { leaf, reader, parents }: VectorLeaf,
  query: Float32Array,
  usesCodes: boolean,
  among: BitSet | null,
): readonly number[] {
  leaf.scratch.reset()
  const { docs } = scanVectors({
    vectors: reader,
    scores: new VectorScores(METHOD.space, query, reader, leaf),
    bounds: usesCodes ? scoreBounds(METHOD.space, query, reader, leaf) : null,
    docs: among,
    isLive: null,
    around: parents,
    limit: K,
    minScore: Number.NEGATIVE_INFINITY,
    watch: UNWATCHED,
  })
  return [...docs]
}

/** The comparisons alone, in one call: what no scan of rows can be faster than. */
function compareAll({ leaf, reader }: VectorLeaf, query: Float32Array): number {
  const { scratch, views, kernels } = leaf
  scratch.reset()
  const record = scratch.allocate(64)
  const own = scratch.allocate(reader.rowBytes)
  const out = scratch.allocate(4 * reader.count)
  views.f32.set(query, own >> 2)
  const { rows, rowBytes, count } = reader
  views.i32.set([1, own, rows, rowBytes, 0, 0, count, out], record >> 2)
  kernels.compareVectors(record)
  return views.f32[out >> 2]!
}
