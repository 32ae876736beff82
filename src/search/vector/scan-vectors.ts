/** The exact search of a leaf: every vector that a filter leaves is compared, or passed over by its bound. */

import type { DenseVectorsReader } from '../../codec/dense-vectors/reader.ts'
import type { DocIdIterator } from '../../codec/doc-id-iterator.ts'
import { NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { BitSet } from '../../util/bit-set.ts'
import { trailingZeros } from '../../util/bits.ts'
import type { Watch } from '../scorer/watch.ts'
import { BestVectors, type ScoredDocs } from './best-vectors.ts'
import { ROWS_AT_ONCE } from './row-comparison.ts'
import type { ScoreBounds } from './score-bounds.ts'
import type { VectorScores } from './vector-scores.ts'

/** Rows that are compared at first, when nothing is known of what can compete. */
const FIRST_ROWS = 32

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
  readonly docs: DocIdIterator | BitSet | null
  /** Null: all are. */
  readonly isLive: ((docId: number) => boolean) | null
  /** Of nested documents with one document around them only the best is found; null: all may be. */
  readonly around: Around | null
  /** Infinity: any number. */
  readonly limit: number
  readonly minScore: number
  readonly watch: Watch
}

/** Finds the best vectors of a leaf: the earlier document first of those with equal scores. */
export function scanVectors(scan: VectorScan): ScoredDocs {
  const { vectors, docs, isLive } = scan
  const best = new BestVectors(scan.limit, scan.minScore)
  const take = scan.around === null ? plainTaker(best) : groupedTaker(best, scan.around)
  const batch = new Batch(scan, best, take.add)
  if (docs instanceof BitSet) addMembers(docs, scan, batch)
  else if (docs !== null) addListed(docs, scan, batch)
  else if (isLive === null)
    for (let ord = 0; ord < vectors.count; ) {
      const count = Math.min(batch.room, vectors.count - ord)
      batch.take(null, ord, count)
      ord += count
    }
  else for (let ord = 0; ord < vectors.count; ord++) if (isLive(vectors.docOf(ord))) batch.add(ord)
  batch.flush()
  take.finish()
  return best.finish()
}

/** Adds the vectors of documents that have one. */
function addListed(
  docs: DocIdIterator,
  { vectors, isLive, watch }: VectorScan,
  batch: Batch,
): void {
  let ord = 0
  for (let doc = docs.nextDoc(); doc !== NO_MORE_DOCS; doc = docs.nextDoc()) {
    ord = vectors.lowerBound(doc, ord)
    if (ord === vectors.count) return
    if (vectors.docOf(ord) !== doc) watch.spend(1)
    else if (isLive === null || isLive(doc)) batch.add(ord)
  }
}

/** Adds the vectors of a set's documents that have one. */
function addMembers({ words }: BitSet, { vectors, isLive }: VectorScan, batch: Batch): void {
  // Most fields have a vector in every document, whose number it has.
  const isWhole = vectors.docs === 0
  const { ords } = batch
  let { room } = batch
  let count = 0
  let ord = 0
  for (let at = 0; at < words.length; at++)
    for (let word = words[at]!; word !== 0; word &= word - 1) {
      const doc = (at << 5) + trailingZeros(word)
      if (isWhole) ord = doc
      else {
        ord = vectors.lowerBound(doc, ord)
        if (ord === vectors.count || vectors.docOf(ord) !== doc) continue
      }
      if (isLive !== null && !isLive(doc)) continue
      ords[count++] = ord
      if (count < room) continue
      batch.take(ords, 0, count)
      count = 0
      room = batch.room
    }
  batch.take(ords, 0, count)
}

/** Of the vectors that are compared: those that their bounds leave, and those whose scores are kept. */
const kept = new Int32Array(ROWS_AT_ONCE)
const above = new Int32Array(ROWS_AT_ONCE)

/** Vectors that are compared together. */
class Batch {
  readonly #scan: VectorScan
  readonly #best: BestVectors
  readonly #take: (docId: number, score: number) => void
  #ords: Int32Array | null = null
  readonly #steps: number
  #room = FIRST_ROWS
  #count = 0

  constructor(scan: VectorScan, best: BestVectors, take: (docId: number, score: number) => void) {
    this.#scan = scan
    this.#best = best
    this.#take = take
    this.#steps = stepsOfVector(scan.vectors.dimension)
  }

  /** How many are taken at once: few at first, after which fewer can still be among the best. */
  get room(): number {
    return this.#room
  }

  /** Room for the next ones. */
  get ords(): Int32Array {
    this.#ords ??= new Int32Array(ROWS_AT_ONCE)
    return this.#ords
  }

  add(ord: number): void {
    this.ords[this.#count++] = ord
    if (this.#count === this.#room) this.flush()
  }

  flush(): void {
    const count = this.#count
    this.#count = 0
    if (count > 0) this.take(this.ords, 0, count)
  }

  /** Compares vectors, at most `room`. @param ords the first `count` of them; null: the run from `first` on */
  take(ords: Int32Array | null, first: number, count: number): void {
    if (count === 0) return
    const { bounds, watch } = this.#scan
    this.#room = Math.min(2 * this.#room, ROWS_AT_ONCE)
    watch.spend(Math.ceil(count * this.#steps))
    const { needed } = this.#best
    if (bounds === null) this.#score(ords, first, count, needed)
    else this.#score(kept, 0, bounds.list(ords, first, count, needed, kept), needed)
  }

  #score(ords: Int32Array | null, first: number, count: number, needed: number): void {
    if (count === 0) return
    const { scores, vectors } = this.#scan
    const found = scores.takeAbove(ords, first, count, needed, above)
    const own = scores.scores
    for (let i = 0; i < found; i++) {
      if (own[i]! < needed) continue
      const at = above[i]!
      this.#take(vectors.docOf(ords === null ? first + at : ords[at]!), own[i]!)
    }
  }
}

/** Steps of comparing a vector: a step is about 10 ns. */
export function stepsOfVector(dimension: number): number {
  return 0.5 + dimension / 200
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
