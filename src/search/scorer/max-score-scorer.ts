import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { SLACK } from '../similarity/bm25.ts'
import type { BatchClock } from './batch-clock.ts'
import { ClauseBounds } from './clause-bounds.ts'
import { type Combination, combined } from './combination.ts'
import { exactIterator, isPast, type Scorer, type TwoPhase, totalCost } from './scorer.ts'
import type { Watch } from './watch.ts'
import type { WindowPool } from './window-pool.ts'

/** Options of a `MaxScoreScorer`. */
export interface MaxScoreOptions {
  /** Min number of clauses that must match. */
  readonly minimum: number
  readonly combination: Combination
  /** False when no scores are read. */
  readonly scored: boolean
  /** Documents of the leaf; the min window length follows from it. */
  readonly maxDoc: number
  /** Documents from here on are not needed: one of them is returned without checking it. */
  readonly endDoc: number
  readonly windows: WindowPool
  readonly watch: Watch
  /** Notified of every window; null without a profile. */
  readonly batches: BatchClock | null
}

/** Max scores of a window: as many as the L1 cache holds beside a few blocks of postings. */
const MAX_SCORES = 8192
const LONGEST = 1024
const SHORTEST = 128
/**
 * Min postings per clause in a window with bounds; with fewer, reading bounds costs more than it
 * saves.
 */
const POSTINGS_PER_BOUND = 16

/**
 * Disjunction by windows of documents: each clause in turn writes its documents and scores into the
 * window, then the documents are walked in order. A document costs its own postings however many
 * clauses there are, and no heap is needed.
 *
 * Once there is a competitive score this is block-max MaxScore (Turtle & Flood 1995; Mallia,
 * Siedlaczek & Suel 2019): within a stretch, all clauses' bounds are known and clauses are sorted
 * by ascending bound. Clauses at the front whose bounds sum to less than the competitive score
 * cannot make a hit alone: they are advanced only to documents that the others, the essential ones,
 * propose. A stretch without essential clauses is skipped; with a single essential one its
 * documents are read without a window. Bounds are first read once there is a competitive score.
 *
 * Scores are summed in clause order in double and rounded once, whatever the order of evaluation.
 * Clauses run up to a window ahead of the returned document and score deleted documents too, so
 * this scorer is for a leading disjunction; `DisjunctionScorer` is for one that is advanced by
 * others. Windows start at multiples of their length, as ranges of leaves do.
 */
export class MaxScoreScorer implements Scorer, DocIdIterator {
  readonly #children: readonly Scorer[]
  readonly #iterators: readonly DocIdIterator[]
  readonly #minimum: number
  readonly #combination: Combination
  readonly #scored: boolean
  readonly #watch: Watch
  readonly #batches: BatchClock | null
  readonly #endDoc: number
  /** Current document of each clause. */
  readonly #docs: Int32Array
  #doc = -1

  // ---- window ----
  /** Documents of a window, a power of two, and the last one's index in the leaf; −1: none. */
  readonly #length: number
  #innerEnd = -1
  #base = 0
  /** A bit for each document that some clause matches; for each document a mask of its clauses. */
  readonly #bits: Int32Array
  readonly #masks: Int32Array
  readonly #maskWords: number
  /** Scores at `clause * length + document`, valid where the mask has the clause. */
  readonly #windowScores: Float32Array
  /** Postings written into the window. */
  #held = 0
  /** Upper bound of the scores in the window. */
  #innerBound = 0
  /** Index in the bounds' order of the first clause that the window holds. */
  #filledFrom = 0

  // ---- bounds ----
  readonly #bounds: ClauseBounds
  /** Copied references to the bounds: `#sums[i]` bounds the first i + 1 clauses of `#order`. */
  readonly #order: Int32Array
  readonly #sums: Float64Array
  #min = 0
  /** Target of the parent's last `shallowAdvance`. */
  #shallow = -1
  /** Stretches skipped, and candidates dropped before all clauses were read. */
  skipped = 0

  /** @param children min two and at least `minimum`, in clause order */
  constructor(children: readonly Scorer[], options: MaxScoreOptions) {
    const count = children.length
    this.#children = children
    this.#iterators = children.map(child => exactIterator(child, options.watch))
    this.#minimum = Math.max(1, options.minimum)
    this.#combination = options.combination
    this.#scored = options.scored
    this.#watch = options.watch
    this.#batches = options.batches
    this.#endDoc = options.endDoc
    this.#docs = new Int32Array(count).fill(-1)
    let length = LONGEST
    while (length > SHORTEST && length * count > MAX_SCORES) length >>>= 1
    this.#length = length
    this.#maskWords = (count + 31) >>> 5
    const scoreCount = options.scored ? length * count : 0
    const space = options.windows.borrow(length, this.#maskWords, scoreCount)
    this.#bits = space.bits
    this.#masks = space.masks
    this.#windowScores = space.scores
    const minStretch = Math.ceil((POSTINGS_PER_BOUND * count * options.maxDoc) / (this.cost() + 1))
    this.#bounds = new ClauseBounds(children, minStretch, options.watch)
    this.#order = this.#bounds.order
    this.#sums = this.#bounds.sums
  }

  docId(): number {
    return this.#doc
  }

  nextDoc(): number {
    return this.advance(this.#doc + 1)
  }

  advance(target: number): number {
    const bounds = this.#bounds
    let from = target
    for (;;) {
      if (from <= this.#innerEnd) {
        const doc = this.#nextInWindow(from)
        if (doc >= 0) {
          if (this.#min > 0 || this.#minimum > 1 ? this.#mayMatch(doc) : true)
            return (this.#doc = doc)
          from = doc + 1
          continue
        }
        from = this.#innerEnd + 1
      }
      if (this.#min > 0) {
        bounds.cover(from, this.#docs, this.#min)
        if (bounds.essential === this.#order.length) {
          this.skipped++
          if (bounds.stretchEnd === NO_MORE_DOCS) return this.#end()
          from = bounds.stretchEnd + 1
          continue
        }
        if (bounds.essential === this.#order.length - 1 && this.#minimum === 1) {
          const candidate = this.#nextOfOne(from, bounds.stretchEnd)
          if (candidate <= bounds.stretchEnd && candidate !== NO_MORE_DOCS)
            return (this.#doc = candidate)
          if (bounds.stretchEnd === NO_MORE_DOCS) return this.#end()
          from = bounds.stretchEnd + 1
          continue
        }
      }
      const lowest = this.#catchUp(from)
      const end = this.#min > 0 ? bounds.stretchEnd : NO_MORE_DOCS
      if (lowest === NO_MORE_DOCS || lowest > end) {
        if (end === NO_MORE_DOCS) return this.#end()
        from = end + 1
        continue
      }
      if (lowest >= this.#endDoc) return (this.#doc = lowest)
      this.#batches?.begin()
      this.#fill(lowest, end)
      this.#batches?.end()
      from = lowest
    }
  }

  #end(): number {
    this.#innerEnd = -1
    return (this.#doc = NO_MORE_DOCS)
  }

  // ---- windows ----------------------------------------------------------------------------------

  /** Advances the essential clauses to `from`; returns their lowest document. */
  #catchUp(from: number): number {
    const docs = this.#docs
    const first = this.#min > 0 ? this.#bounds.essential : 0
    let lowest = NO_MORE_DOCS
    for (let index = first; index < this.#order.length; index++) {
      const i = this.#order[index]!
      let doc = docs[i]!
      if (doc < from) {
        const iterator = this.#iterators[i]!
        doc = doc === from - 1 ? iterator.nextDoc() : iterator.advance(from)
        docs[i] = doc
      }
      if (doc < lowest) lowest = doc
    }
    return lowest
  }

  /**
   * Writes the essential clauses' documents from `lowest` to the window's end, up to `stretchEnd`.
   */
  #fill(lowest: number, stretchEnd: number): void {
    this.#watch.spend(this.#held + this.#order.length)
    const base = lowest & -this.#length
    const end = Math.min(base + this.#length - 1, stretchEnd)
    this.#clear()
    this.#base = base
    this.#innerEnd = end
    this.#filledFrom = this.#min > 0 ? this.#bounds.essential : 0
    let bound = this.#filledFrom > 0 ? this.#sums[this.#filledFrom - 1]! : 0
    for (let index = this.#filledFrom; index < this.#order.length; index++) {
      const i = this.#order[index]!
      if (this.#docs[i]! > end) continue
      bound += this.#scored ? this.#fillScored(i, base, end) : this.#fillUnscored(i, base, end)
    }
    this.#innerBound = bound * SLACK
  }

  /** Clears the window: entry by entry if few are set. */
  #clear(): void {
    const bits = this.#bits
    const words = this.#maskWords
    if (this.#held > this.#length >>> 3) this.#masks.fill(0)
    else
      for (let word = 0; word < bits.length; word++)
        for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
          const at = (32 * word + lowestBit(rest)) * words
          for (let i = 0; i < words; i++) this.#masks[at + i] = 0
        }
    bits.fill(0)
    this.#held = 0
  }

  /** Returns the clause's max score in the window. */
  #fillScored(i: number, base: number, end: number): number {
    const iterator = this.#iterators[i]!
    const child = this.#children[i]!
    const bits = this.#bits
    const masks = this.#masks
    const words = this.#maskWords
    const scores = this.#windowScores
    const at = i * this.#length
    const word = i >>> 5
    const bit = 1 << i
    let max = 0
    let held = 0
    let doc = this.#docs[i]!
    do {
      held++
      const slot = doc - base
      const score = child.score()
      if (score > max) max = score
      scores[at + slot] = score
      masks[slot * words + word]! |= bit
      bits[slot >>> 5]! |= 1 << slot
      doc = iterator.nextDoc()
    } while (doc <= end)
    this.#docs[i] = doc
    this.#held += held
    return max
  }

  #fillUnscored(i: number, base: number, end: number): number {
    const iterator = this.#iterators[i]!
    let doc = this.#docs[i]!
    do {
      this.#held++
      const slot = doc - base
      this.#masks[slot * this.#maskWords + (i >>> 5)]! |= 1 << i
      this.#bits[slot >>> 5]! |= 1 << slot
      doc = iterator.nextDoc()
    } while (doc <= end)
    this.#docs[i] = doc
    return 0
  }

  /** The first document of the window at or after `from`; −1 when there is none. */
  #nextInWindow(from: number): number {
    const bits = this.#bits
    const slot = Math.max(0, from - this.#base)
    let word = slot >>> 5
    let rest = bits[word]! & (-1 << slot)
    while (rest === 0) {
      if (++word === bits.length) return -1
      rest = bits[word]!
    }
    return this.#base + (word << 5) + 31 - Math.clz32(rest & -rest)
  }

  /**
   * Advances the clauses that the window lacks, until the document matches or is not competitive.
   */
  #mayMatch(doc: number): boolean {
    const min = this.#min
    if (min > 0) {
      let sum = this.#sumOf(doc)
      for (let index = this.#filledFrom - 1; index >= 0; index--) {
        if ((sum + this.#sums[index]!) * SLACK < min) {
          this.skipped++
          return false
        }
        const i = this.#order[index]!
        if (this.#docs[i]! < doc) this.#docs[i] = this.#iterators[i]!.advance(doc)
        if (this.#docs[i] === doc) sum += this.#setDown(i, doc)
      }
      if (sum * SLACK < min) {
        this.skipped++
        return false
      }
    }
    return this.#minimum === 1 || this.#matching(doc) >= this.#minimum
  }

  #setDown(i: number, doc: number): number {
    const slot = doc - this.#base
    const score = this.#children[i]!.score()
    this.#windowScores[i * this.#length + slot] = score
    this.#masks[slot * this.#maskWords + (i >>> 5)]! |= 1 << i
    return score
  }

  #matching(doc: number): number {
    const at = (doc - this.#base) * this.#maskWords
    let count = 0
    for (let word = 0; word < this.#maskWords; word++)
      for (let rest = this.#masks[at + word]!; rest !== 0; rest &= rest - 1) count++
    return count
  }

  /** The sum of the window's scores of a document, in clause order. */
  #sumOf(doc: number): number {
    const slot = doc - this.#base
    const words = this.#maskWords
    let sum = 0
    for (let word = 0; word < words; word++)
      for (let rest = this.#masks[slot * words + word]!; rest !== 0; rest &= rest - 1)
        sum += this.#windowScores[(32 * word + lowestBit(rest)) * this.#length + slot]!
    return sum
  }

  // ---- one essential clause ---------------------------------------------------------------------

  /** The next candidate of the only essential clause in the stretch. */
  #nextOfOne(from: number, stretchEnd: number): number {
    const last = this.#order.length - 1
    const lead = this.#order[last]!
    const iterator = this.#iterators[lead]!
    const child = this.#children[lead]!
    let doc = this.#docs[lead]!
    if (doc < from) doc = doc === from - 1 ? iterator.nextDoc() : iterator.advance(from)
    const rest = last === 0 ? 0 : this.#sums[last - 1]!
    while (doc <= stretchEnd && doc !== NO_MORE_DOCS) {
      const score = child.score()
      if ((score + rest) * SLACK >= this.#min && this.#mayCompete(doc, score)) break
      this.skipped++
      this.#watch.spend(1)
      doc = iterator.nextDoc()
    }
    this.#docs[lead] = doc
    return doc
  }

  /** Adds the non-essential clauses to a candidate while it is competitive. */
  #mayCompete(doc: number, score: number): boolean {
    const docs = this.#docs
    let sum = score
    for (let index = this.#order.length - 2; index >= 0; index--) {
      if ((sum + this.#sums[index]!) * SLACK < this.#min) return false
      const i = this.#order[index]!
      if (docs[i]! < doc) docs[i] = this.#iterators[i]!.advance(doc)
      if (docs[i] === doc) sum += this.#children[i]!.score()
    }
    return sum * SLACK >= this.#min
  }

  // ---- iterator and scorer ----------------------------------------------------------------------

  cost(): number {
    return totalCost(this.#iterators)
  }

  iterator(): DocIdIterator {
    return this
  }

  twoPhase(): TwoPhase | null {
    return null
  }

  score(): number {
    const doc = this.#doc
    if (this.#combination.kind === 'max') return this.#bestOf(doc)
    if (doc <= this.#innerEnd) return Math.fround(this.#sumOf(doc))
    let sum = 0
    for (let i = 0; i < this.#docs.length; i++)
      if (this.#docs[i] === doc) sum += this.#children[i]!.score()
    return Math.fround(sum)
  }

  #bestOf(doc: number): number {
    const slot = doc - this.#base
    let sum = 0
    let max = 0
    for (let word = 0; word < this.#maskWords; word++)
      for (let rest = this.#masks[slot * this.#maskWords + word]!; rest !== 0; rest &= rest - 1) {
        const score = this.#windowScores[(32 * word + lowestBit(rest)) * this.#length + slot]!
        sum += score
        if (score > max) max = score
      }
    return Math.fround(combined(this.#combination, sum, max))
  }

  shallowAdvance(target: number): number {
    this.#shallow = target
    this.#bounds.forget()
    if (target <= this.#innerEnd) return this.#innerEnd
    let end = NO_MORE_DOCS
    for (let i = 0; i < this.#docs.length; i++) {
      const doc = this.#docs[i]!
      if (doc === NO_MORE_DOCS) continue
      end = Math.min(end, this.#children[i]!.shallowAdvance(Math.max(target, doc)))
    }
    return Math.max(end, target)
  }

  maxScore(upTo: number): number {
    const isInside = this.#shallow <= this.#innerEnd
    if (isInside && upTo <= this.#innerEnd) return this.#innerBound
    let sum = 0
    for (let i = 0; i < this.#docs.length; i++) {
      const doc = this.#docs[i]!
      if (isPast(doc, upTo)) continue
      // Clauses are past the window: read their bounds behind it again.
      if (isInside) this.#children[i]!.shallowAdvance(Math.max(this.#innerEnd + 1, doc))
      sum += this.#children[i]!.maxScore(upTo)
    }
    return Math.max(sum * SLACK, isInside ? this.#innerBound : 0)
  }

  setMinCompetitiveScore(score: number): void {
    if (score > this.#min && this.#combination.kind === 'sum') this.#min = score
  }
}

/** Index of the lowest set bit of a word that is not 0. */
function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word)
}
