/** The exact search of a leaf: every vector that a filter leaves is compared, or passed over by its bound. */

import type { DenseVectorsReader } from '../../codec/dense-vectors/reader.ts'
import type { DocIdIterator } from '../../codec/doc-id-iterator.ts'
import { NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import type { Watch } from '../scorer/watch.ts'
import { BestVectors, type ScoredDocs } from './best-vectors.ts'
import { ROWS_AT_ONCE } from './row-comparison.ts'
import type { ScoreBounds } from './score-bounds.ts'
import type { VectorScores } from './vector-scores.ts'

/** The documents that stand behind nested ones. */
export interface Around {
  /** The first at or behind a document. */
  next(docId: number): number
}

/** A search of a leaf. */
export interface VectorScan {
  readonly vectors: DenseVectorsReader
  readonly scores: VectorScores
  /** Null: each score is made. */
  readonly bounds: ScoreBounds | null
  /** The documents that may be found, which have vectors or not; null: all that have one. */
  readonly docs: DocIdIterator | null
  readonly isLive: (docId: number) => boolean
  /** Of nested documents with one document around them only the best is found; null: all may be. */
  readonly around: Around | null
  /** Infinity: any number. */
  readonly limit: number
  readonly minScore: number
  readonly watch: Watch
}

/** Finds the best vectors of a leaf: the earlier document first of those with equal scores. */
export function scanVectors(scan: VectorScan): ScoredDocs {
  const { vectors, docs, isLive, watch } = scan
  const best = new BestVectors(scan.limit, scan.minScore)
  const take = scan.around === null ? plainTaker(best) : groupedTaker(best, scan.around)
  const batch = new Batch(scan, best, take.add)
  if (docs === null) {
    for (let ord = 0; ord < vectors.count; ord++) {
      const doc = vectors.docOf(ord)
      if (isLive(doc)) batch.add(ord, doc)
    }
  } else addListed(docs, vectors, isLive, watch, batch)
  batch.flush()
  take.finish()
  return best.finish()
}

/** Adds the vectors of documents that have one. */
function addListed(
  docs: DocIdIterator,
  vectors: DenseVectorsReader,
  isLive: VectorScan['isLive'],
  watch: Watch,
  batch: Batch,
): void {
  let ord = 0
  for (let doc = docs.nextDoc(); doc !== NO_MORE_DOCS; doc = docs.nextDoc()) {
    ord = vectors.lowerBound(doc, ord)
    if (ord === vectors.count) return
    if (vectors.docOf(ord) !== doc) watch.spend(1)
    else if (isLive(doc)) batch.add(ord, doc)
  }
}

/** Vectors that are compared together. */
class Batch {
  readonly #scan: VectorScan
  readonly #best: BestVectors
  readonly #take: (docId: number, score: number) => void
  readonly #ords = new Int32Array(ROWS_AT_ONCE)
  readonly #docs = new Int32Array(ROWS_AT_ONCE)
  readonly #steps: number
  #count = 0

  constructor(scan: VectorScan, best: BestVectors, take: (docId: number, score: number) => void) {
    this.#scan = scan
    this.#best = best
    this.#take = take
    this.#steps = stepsOfVector(scan.vectors.dimension)
  }

  add(ord: number, docId: number): void {
    this.#ords[this.#count] = ord
    this.#docs[this.#count++] = docId
    if (this.#count === ROWS_AT_ONCE) this.flush()
  }

  flush(): void {
    const { scores, bounds, watch } = this.#scan
    const ords = this.#ords
    const docs = this.#docs
    watch.spend(Math.ceil(this.#count * this.#steps))
    let count = this.#count
    this.#count = 0
    if (bounds !== null) {
      bounds.take(ords, count)
      let kept = 0
      for (let i = 0; i < count; i++) {
        if (!this.#best.mayKeep(bounds.bounds[i]!)) continue
        ords[kept] = ords[i]!
        docs[kept++] = docs[i]!
      }
      count = kept
    }
    if (count === 0) return
    scores.take(ords, count)
    for (let i = 0; i < count; i++) this.#take(docs[i]!, scores.scores[i]!)
  }
}

/** Steps of comparing a vector: a step is about 10 ns. */
export function stepsOfVector(dimension: number): number {
  return 1 + dimension / 100
}

interface Taker {
  readonly add: (docId: number, score: number) => void
  readonly finish: () => void
}

function plainTaker(best: BestVectors): Taker {
  return { add: (docId, score) => best.add(docId, score), finish: () => undefined }
}

/** Keeps of the nested documents of each document around them only the best. */
function groupedTaker(best: BestVectors, around: Around): Taker {
  let group = -1
  let bestDoc = -1
  let bestScore = 0
  const finish = (): void => {
    if (bestDoc >= 0) best.add(bestDoc, bestScore)
    bestDoc = -1
  }
  return {
    add(docId, score) {
      if (docId > group) {
        finish()
        group = around.next(docId)
      }
      if (bestDoc >= 0 && score <= bestScore) return
      bestDoc = docId
      bestScore = score
    },
    finish,
  }
}
