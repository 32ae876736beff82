/** Fills the kernels' cursors: a term's postings in the arena, and its scoring. */
import { BLOCK_DOCS } from '../../codec/postings/format.ts'
import type { PostingsReader } from '../../codec/postings/reader.ts'
import type { TermState } from '../../codec/terms/format.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { termBitSetAt, termBitSetBytes, termBitSetWords } from '../../segment/term-bit-sets.ts'
import { CorruptSegmentError } from '../../util/errors.ts'
import { driftOf, maxBm25, SLACK } from '../similarity/bm25.ts'
import { bm25Of, type Similarity } from '../weight/similarity.ts'
import type { SharedScratch } from './bulk-scratch.ts'
import { CURSOR, CURSOR_BUFFER_BYTES, CURSOR_BYTES, POSITIONS_BUFFER_BYTES } from './plan-record.ts'

/** How a term's documents score: by BM25, or by a constant. */
export interface CursorScoring {
  /** f32(boost · idf), or the score itself. */
  readonly weight: number
  /** Mean length of the field over the shard, above 0; 0: constant score. */
  readonly average: number
  /** With BM25 of other parameters than the default; scores of scripts have no cursors. */
  readonly similarity: Similarity | null
}

/** The same score for all documents of a term. */
export function constantScoring(score: number): CursorScoring {
  return { weight: score, average: 0, similarity: null }
}

/** Filtering only, without a score. */
export const UNSCORED: CursorScoring = constantScoring(0)

/** Makes the cursors of one leaf, in its scratch. */
export class CursorMaker {
  readonly #leaf: Leaf
  readonly #shared: SharedScratch

  constructor(leaf: Leaf, shared: SharedScratch) {
    this.#leaf = leaf
    this.#shared = shared
  }

  /**
   * Fills the record at `at` for a term of the leaf.
   * @param offset the term's position in its phrase
   */
  term(at: number, field: string, state: TermState, scoring: CursorScoring, offset: number): void {
    const { i32, f32, f64 } = this.#leaf.views
    const reader = this.#leaf.postingsReader(field)
    const info = this.#leaf.fieldInfo(field)
    const { weight, average, similarity } = scoring
    const isConstant = average === 0
    const norms = !isConstant && info?.hasNorms === true ? this.#leaf.norms(field) : null
    const buffers = this.#leaf.scratch.allocate(CURSOR_BUFFER_BYTES)
    const record = at >> 2
    this.#leaf.kernels.fillBits(at, CURSOR_BYTES, 0)
    i32[record + CURSOR.data / 4] = reader.section.start
    i32[record + CURSOR.docFreq / 4] = state.docFreq
    i32[record + CURSOR.docs / 4] = buffers
    i32[record + CURSOR.freqs / 4] = buffers + 512
    i32[record + CURSOR.sums / 4] = buffers + 1024
    i32[record + CURSOR.ords / 4] = buffers + 1536
    i32[record + CURSOR.hasFreqs / 4] = reader.hasFreqs ? 1 : 0
    i32[record + CURSOR.sumsDecoded / 4] = -1
    i32[record + CURSOR.bounded / 4] = -1
    i32[record + CURSOR.offset / 4] = offset
    f32[record + CURSOR.weight / 4] = weight
    i32[record + CURSOR.isConstant / 4] = isConstant ? 1 : 0
    const madeWith = info?.averageLength ?? 0
    if (isConstant) f64[(at + CURSOR.bound) >> 3] = weight
    else {
      if (norms !== null) i32[record + CURSOR.norms / 4] = norms.start
      const parameters = bm25Of(similarity)
      const { inverses } = this.#shared
      i32[record + CURSOR.inverse / 4] = inverses.at(average, parameters, this.#leaf.scratch)
      const impact = reader.hasImpacts ? state.impact : Number.POSITIVE_INFINITY
      const { least, most } = driftOf(madeWith, average, parameters)
      f64[(at + CURSOR.bound) >> 3] = maxBm25(weight, impact, most)
      f64[(at + CURSOR.drift) >> 3] = most * SLACK
      f64[(at + CURSOR.attained) >> 3] = least / SLACK
    }
    if (state.firstBlock < 0) this.#small(at, reader, state)
    else this.#blocks(at, reader, state)
  }

  /** Gives a phrase term's cursor its buffer for a block's positions. */
  readPositions(at: number): void {
    const { i32 } = this.#leaf.views
    i32[(at + CURSOR.positions) >> 2] = this.#leaf.scratch.allocate(POSITIONS_BUFFER_BYTES)
    i32[(at + CURSOR.unpacked) >> 2] = -1
  }

  /** Attaches the bit set of a frequent term's documents to its cursor, if one is cached. */
  useSet(at: number, field: string, state: TermState): void {
    const { termBitSets, views } = this.#leaf
    if (termBitSets === null) return
    const { number } = this.#leaf.fieldInfo(field)!
    const set = termBitSets.find(number, state, () => this.#makeSet(at))
    if (set === null) return
    const record = at >> 2
    views.i32[record + CURSOR.members / 4] = set.bits
    views.i32[record + CURSOR.ranks / 4] = set.ranks
    views.i32[record + CURSOR.supers / 4] = set.supers
  }

  /** Address of the bit set of a frequent term's documents, read-only; 0: none. */
  bitsOf(field: string, state: TermState): number {
    const { termBitSets, scratch } = this.#leaf
    if (termBitSets === null) return 0
    const { number } = this.#leaf.fieldInfo(field)!
    const make = (): number => {
      const mark = scratch.mark()
      const at = scratch.allocate(CURSOR_BYTES)
      this.term(at, field, state, UNSCORED, 0)
      const set = this.#makeSet(at)
      scratch.release(mark)
      return set
    }
    return termBitSets.find(number, state, make)?.bits ?? 0
  }

  /** Makes the bit set of a cursor's documents in scratch; valid until that scratch is reused. */
  #makeSet(at: number): number {
    const { scratch, kernels, maxDoc } = this.#leaf
    const mark = scratch.mark()
    const start = scratch.allocate(termBitSetBytes(maxDoc))
    const { bits, ranks, supers } = termBitSetAt(start, maxDoc)
    kernels.makeTermBitSet(at, bits, termBitSetWords(maxDoc), ranks, supers, maxDoc)
    scratch.release(mark)
    return start
  }

  /** Fills the record at `at` for doc IDs alone, of any term of a field; a kernel sets the term. */
  documents(at: number, field: string): void {
    const { i32 } = this.#leaf.views
    const reader = this.#leaf.postingsReader(field)
    const buffers = this.#leaf.scratch.allocate(CURSOR_BUFFER_BYTES)
    const record = at >> 2
    this.#leaf.kernels.fillBits(at, CURSOR_BYTES, 0)
    i32[record + CURSOR.data / 4] = reader.section.start
    i32[record + CURSOR.docs / 4] = buffers
    i32[record + CURSOR.freqs / 4] = buffers + 512
    i32[record + CURSOR.hasFreqs / 4] = reader.hasFreqs ? 1 : 0
  }

  /** Fills the record at `at` for a bit set with a constant score. */
  set(at: number, bits: number, score: number): void {
    const { i32, f32, f64 } = this.#leaf.views
    const record = at >> 2
    this.#leaf.kernels.fillBits(at, CURSOR_BYTES, 0)
    i32[record + CURSOR.bits / 4] = bits
    i32[record + CURSOR.docFreq / 4] = this.#leaf.maxDoc
    i32[record + CURSOR.isConstant / 4] = 1
    f32[record + CURSOR.weight / 4] = score
    f64[(at + CURSOR.bound) >> 3] = score
  }

  #blocks(at: number, reader: PostingsReader, state: TermState): void {
    const { i32 } = this.#leaf.views
    const record = at >> 2
    const first = state.firstBlock
    const count = Math.ceil(state.docFreq / BLOCK_DOCS)
    if (first + count > reader.blockCount)
      throw new CorruptSegmentError(
        reader.section.name,
        8,
        `at least ${first + count} blocks`,
        `${reader.blockCount}`,
      )
    i32[record + CURSOR.blockCount / 4] = count
    i32[record + CURSOR.lastDocs / 4] = 4 * (reader.lastDocs + first)
    i32[record + CURSOR.blockOffsets / 4] = 4 * (reader.blockOffsets + first)
    i32[record + CURSOR.docBits / 4] = reader.docBits + first
    i32[record + CURSOR.freqBits / 4] = reader.freqBits + first
    if (reader.hasImpacts) i32[record + CURSOR.impacts / 4] = 4 * (reader.impacts + first)
    i32[record + CURSOR.decoded / 4] = -1
    i32[record + CURSOR.freqsDecoded / 4] = -1
    i32[record + CURSOR.smallWidth / 4] = -1
    // Phrases load positions; other clauses do not need them.
    if (reader.positions === null) return
    i32[record + CURSOR.positionOffsets / 4] = 4 * (reader.positionOffsets + first)
    i32[record + CURSOR.positionBits / 4] = reader.positionBits + first
    i32[record + CURSOR.positionData / 4] = reader.positions.start
  }

  /** Decodes a term of fewer than 128 documents here; it looks like one block from then on. */
  #small(at: number, reader: PostingsReader, state: TermState): void {
    const { i32, f32 } = this.#leaf.views
    const record = at >> 2
    const docs = i32[record + CURSOR.docs / 4]!
    const freqs = i32[record + CURSOR.freqs / 4]!
    if (state.singleDoc >= 0) {
      i32.fill(state.singleDoc, docs >> 2, (docs >> 2) + BLOCK_DOCS)
      i32.fill(1, freqs >> 2, (freqs >> 2) + BLOCK_DOCS)
      i32[freqs >> 2] = state.totalTermFreq
    } else {
      const tail = reader.tailOf(state)
      const hasFreqs = reader.hasFreqs ? 1 : 0
      this.#leaf.kernels.decodeTail(tail, state.docFreq, hasFreqs, -1, docs, freqs)
    }
    i32[record + CURSOR.blockCount / 4] = 1
    i32[record + CURSOR.count / 4] = state.docFreq
    i32[record + CURSOR.smallLast / 4] = i32[(docs >> 2) + BLOCK_DOCS - 1]!
    i32[record + CURSOR.lastDocs / 4] = at + CURSOR.smallLast
    if (reader.hasImpacts) {
      f32[record + CURSOR.smallImpact / 4] = state.impact
      i32[record + CURSOR.impacts / 4] = at + CURSOR.smallImpact
    }
    i32[record + CURSOR.smallWidth / 4] = state.positionsWidth
    i32[record + CURSOR.positionData / 4] = reader.smallPositions + state.positionsAt
  }
}
