/**
 * Vectors of real texts: passages of a corpus by latent semantic analysis (Deerwester and others, 1990), which is
 * a truncated singular value decomposition of their weighted word counts.
 */
import { readDocuments } from './documents.ts'
import { type DenseRows, type SparseRows, singularVectors, times } from './singular-vectors.ts'

/** A word of fewer passages has no place among directions that many share. */
const LEAST_PASSAGES = 4

/** Vectors of passages. */
export interface TextVectorSet {
  readonly corpus: string
  readonly count: number
  readonly dimension: number
}

/** What became of the passages, beside their vectors. */
export interface TextVectors {
  /** Of passages that had no part in the decomposition; each has the length 1, as those of the set. */
  readonly queries: Float32Array[]
  readonly vectors: Float32Array[]
  readonly words: number
  /** The part of the squares of all weights that lies in the directions which are kept, 0–1. */
  readonly kept: number
}

/**
 * The vectors of passages that lie evenly over a corpus, and of others as queries.
 * @throws {Error} the corpus is not there, or has too few passages with words that others have too
 */
export function textVectors(
  { corpus, count, dimension }: TextVectorSet,
  seed: number,
  queries: number,
): TextVectors {
  const counted = spread(wordCounts(corpus), count + queries, corpus)
  // Every nth is a query, so that they lie evenly too.
  const every = Math.floor(counted.length / queries)
  const isQuery = (i: number): boolean => i % every === 0 && i / every < queries
  const own = counted.filter((_, i) => !isQuery(i))
  const others = counted.filter((_, i) => isQuery(i))
  const ids = vocabulary(own)
  const weights = inverseFrequencies(own, ids)
  const rows = weighted(own, ids, weights)
  const { basis, kept } = singularVectors(rows, dimension, seed)
  return {
    queries: unitRows(times(weighted(others, ids, weights), basis)),
    vectors: unitRows(times(rows, basis)),
    words: ids.size,
    kept,
  }
}

type WordCounts = ReadonlyMap<string, number>

/** The words of all passages of a corpus, in lower case, with their counts. */
function wordCounts(corpus: string): (() => WordCounts)[] {
  const { bytes, bounds, textField } = readDocuments(corpus)
  const decoder = new TextDecoder()
  return Array.from({ length: bounds.length - 1 }, (_, i) => () => {
    const line = decoder.decode(bytes.subarray(bounds[i]!, bounds[i + 1]!))
    const text = String((JSON.parse(line) as Record<string, unknown>)[textField])
    const counts = new Map<string, number>()
    for (const [word] of text.toLowerCase().matchAll(/\p{L}{2,}/gu))
      counts.set(word, (counts.get(word) ?? 0) + 1)
    return counts
  })
}

/** So many passages, evenly from the first to the last. */
function spread(all: readonly (() => WordCounts)[], wanted: number, corpus: string): WordCounts[] {
  if (all.length < wanted)
    throw new Error(`[${corpus}] has [${all.length}] passages, of which [${wanted}] are wanted`)
  return Array.from({ length: wanted }, (_, i) => all[Math.floor((i * all.length) / wanted)]!())
}

/** The words of enough passages, numbered as they come. */
function vocabulary(passages: readonly WordCounts[]): Map<string, number> {
  const frequencies = new Map<string, number>()
  for (const counts of passages)
    for (const word of counts.keys()) frequencies.set(word, (frequencies.get(word) ?? 0) + 1)
  const ids = new Map<string, number>()
  for (const [word, passagesOfIt] of frequencies)
    if (passagesOfIt >= LEAST_PASSAGES) ids.set(word, ids.size)
  return ids
}

/** By word, the logarithm of how many passages there are for each that has it. */
function inverseFrequencies(
  passages: readonly WordCounts[],
  ids: ReadonlyMap<string, number>,
): Float64Array {
  const frequencies = new Float64Array(ids.size)
  for (const counts of passages)
    for (const word of counts.keys()) {
      const id = ids.get(word)
      if (id !== undefined) frequencies[id]!++
    }
  return frequencies.map(frequency => Math.log(passages.length / frequency))
}

/** A row of the length 1 for each passage that has a known word; the others are left out. */
function weighted(
  passages: readonly WordCounts[],
  ids: ReadonlyMap<string, number>,
  weights: Float64Array,
): SparseRows {
  const starts = [0]
  const column: number[] = []
  const value: number[] = []
  for (const counts of passages) {
    const first = value.length
    let squares = 0
    for (const [word, count] of counts) {
      const id = ids.get(word)
      const weight = id === undefined ? 0 : (1 + Math.log(count)) * weights[id]!
      if (id === undefined || weight === 0) continue
      column.push(id)
      value.push(weight)
      squares += weight * weight
    }
    for (let i = first; i < value.length; i++) value[i] = value[i]! / Math.sqrt(squares)
    if (value.length > first) starts.push(value.length)
  }
  return {
    columns: ids.size,
    starts: Uint32Array.from(starts),
    column: Uint32Array.from(column),
    value: Float64Array.from(value),
  }
}

/** Rows of the length 1, as float32; one that no direction has a part in stays out. */
function unitRows({ rows, width, data }: DenseRows): Float32Array[] {
  const out: Float32Array[] = []
  for (let row = 0; row < rows; row++) {
    const own = data.subarray(row * width, (row + 1) * width)
    const length = Math.hypot(...own)
    if (length > 0) out.push(Float32Array.from(own, value => value / length))
  }
  return out
}
