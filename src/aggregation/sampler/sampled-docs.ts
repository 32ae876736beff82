import type { Leaf } from '../../segment/leaf.ts'
import { inChunks, type Turn } from '../../util/turns.ts'
import { pairOrder } from './pair-order.ts'
import type { LeafSample, SampledDocs } from './replay.ts'

/** Documents with their buckets, in any order. */
export interface FoundRun {
  /** Of the shard's document 0 among `docs`. */
  readonly docBase: number
  readonly docs: Int32Array
  readonly buckets: Int32Array
  /** By bucket its place among those that stay, plus 1, 0 where it does not; null: all stay in place. */
  readonly places: Int32Array | null
  /** Null: nothing reads them. */
  readonly scores: Float64Array | Float32Array | null
}

/** The documents of buckets as slices gave them, which a second pass orders before it collects them. */
export interface FoundSamples {
  readonly bucketCount: number
  readonly runs: readonly FoundRun[]
  /** Of a snapshot that is held; no sections of them are read. */
  readonly leaves: readonly Leaf[]
}

/**
 * The documents of buckets, as a second pass replays them: by leaf, ascending by document, then bucket.
 * @param turn yields where it is over
 */
export function* sampledDocs(
  { bucketCount, runs, leaves }: FoundSamples,
  turn: Turn,
): Generator<void, SampledDocs, void> {
  let size = 0
  for (const { places, buckets } of runs)
    if (places === null) size += buckets.length
    else
      yield* inChunks(buckets.length, turn, (first, end) => {
        for (let i = first; i < end; i++) if (places[buckets[i]!]! > 0) size++
      })
  const docs = new Int32Array(size)
  const kept = new Int32Array(size)
  const scores = runs.some(run => run.scores !== null) ? new Float32Array(size) : null
  let at = 0
  for (const run of runs)
    yield* inChunks(run.docs.length, turn, (first, end) => {
      const { docBase, places, buckets } = run
      for (let i = first; i < end; i++) {
        const bucket = buckets[i]!
        const place = places === null ? bucket : places[bucket]! - 1
        if (place < 0) continue
        docs[at] = docBase + run.docs[i]!
        kept[at] = place
        if (scores !== null && run.scores !== null) scores[at] = run.scores[i]!
        at++
      }
    })
  const order = yield* pairOrder(docs, kept, turn)
  const samples: LeafSample[] = []
  let from = 0
  for (const leaf of leaves) {
    const end = firstBehind(docs, order, from, leaf.docBase + leaf.maxDoc)
    const own = order.subarray(from, end)
    samples.push(yield* leafSample(leaf, own, docs, kept, scores, turn))
    from = end
  }
  return { bucketCount, leaves: samples }
}

function* leafSample(
  leaf: Leaf,
  order: Int32Array,
  docs: Int32Array,
  buckets: Int32Array,
  scores: Float32Array | null,
  turn: Turn,
): Generator<void, LeafSample, void> {
  const { length } = order
  const sample = {
    docs: new Int32Array(length),
    wholes: new Int32Array(length),
    buckets: new Int32Array(length),
    scores: new Float32Array(length),
  }
  yield* inChunks(length, turn, (first, end) => {
    for (let i = first; i < end; i++) {
      const at = order[i]!
      const doc = docs[at]! - leaf.docBase
      sample.docs[i] = doc
      sample.wholes[i] = wholeOf(doc, leaf)
      sample.buckets[i] = buckets[at]!
      if (scores !== null) sample.scores[i] = scores[at]!
    }
  })
  return sample
}

/** The first place, from one on, in an order of documents whose document is not below `limit`. */
function firstBehind(docs: Int32Array, order: Int32Array, from: number, limit: number): number {
  let low = from
  let high = order.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (docs[order[middle]!]! < limit) low = middle + 1
    else high = middle
  }
  return low
}

/** The document that a live or nested one belongs to: the first live one that is not below it. */
function wholeOf(doc: number, { liveDocs, maxDoc }: Leaf): number {
  let whole = doc
  while (liveDocs !== null && whole < maxDoc && !liveDocs.has(whole)) whole++
  return whole
}
