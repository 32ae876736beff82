import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { NO_NORM_CODE } from '../../codec/norms/format.ts'
import { bm25, maxBm25 } from '../similarity/bm25.ts'
import { BlockSkipper } from './block-skipper.ts'
import type { PositionPostings } from './freq-postings.ts'
import type { Scorer, TwoPhase } from './scorer.ts'
import type { FreqScoring } from './term-scorer.ts'
import type { Watch } from './watch.ts'

/** Counts how often a phrase occurs in the document that all its postings stand on. */
export interface PhraseMatcher {
  /** The phrase frequency, float32; 0 when it does not occur. Reads positions. */
  frequency(): number
  /** No less than `frequency()`, without reading positions. */
  maxFrequency(): number
}

/**
 * Documents in which terms stand at given distances: the approximation has all terms, the second
 * phase reads their positions. Scored as one term that occurs as often as the phrase.
 */
export class PhraseScorer implements Scorer {
  readonly #postings: readonly PositionPostings[]
  readonly #matcher: PhraseMatcher
  readonly #isSloppy: boolean
  readonly #scoring: FreqScoring
  readonly #watch: Watch
  readonly #twoPhase: TwoPhase
  readonly #lead: PositionPostings
  readonly #others: readonly PositionPostings[]
  #freq = 0
  readonly skipper: BlockSkipper

  /** @param postings one for each term, in phrase order, not shared */
  constructor(
    postings: readonly PositionPostings[],
    matcher: PhraseMatcher,
    isSloppy: boolean,
    scoring: FreqScoring,
    watch: Watch,
  ) {
    this.#watch = watch
    this.#postings = postings
    this.#matcher = matcher
    this.#isSloppy = isSloppy
    this.#scoring = scoring
    const byCost = [...postings].sort((a, b) => a.cost() - b.cost())
    this.#lead = byCost[0]!
    this.#others = byCost.slice(1)
    const skipper = new BlockSkipper(this, watch)
    this.skipper = skipper
    const lead = this.#lead
    const approximation: DocIdIterator = {
      docId: () => lead.docId(),
      nextDoc: () => {
        const next = lead.docId() + 1
        const target = skipper.competitive(next)
        return this.#agree(target === next ? lead.nextDoc() : lead.advance(target))
      },
      advance: target => this.#agree(lead.advance(skipper.competitive(target))),
      cost: () => lead.cost(),
    }
    this.#twoPhase = {
      approximation,
      matches: () => this.#matches(),
      matchCost: () => 32 * postings.length,
    }
  }

  #agree(candidate: number): number {
    let doc = candidate
    search: while (doc !== NO_MORE_DOCS) {
      for (const other of this.#others) {
        let at = other.docId()
        if (at < doc) at = other.advance(doc)
        if (at > doc) {
          doc = at === NO_MORE_DOCS ? at : this.skipper.competitive(at)
          if (this.#lead.docId() < doc) doc = this.#lead.advance(doc)
          this.#watch.spend(1)
          continue search
        }
      }
      return doc
    }
    return doc
  }

  #matches(): boolean {
    // Positions are worth reading only where the commonest possible phrase could compete.
    if (this.skipper.min > 0) {
      if (this.#scoreOf(this.#matcher.maxFrequency()) < this.skipper.min) {
        this.skipper.skipped++
        return false
      }
    }
    this.#freq = this.#matcher.frequency()
    return this.#freq > 0
  }

  docId(): number {
    return this.#lead.docId()
  }

  iterator(): DocIdIterator | null {
    return null
  }

  twoPhase(): TwoPhase {
    return this.#twoPhase
  }

  score(): number {
    return this.#scoreOf(this.#freq)
  }

  /** The phrase frequency in the current document; only on a match. */
  freq(): number {
    return this.#freq
  }

  #scoreOf(freq: number): number {
    const { norms, inverse, weight } = this.#scoring
    const code = norms === null ? NO_NORM_CODE : norms.code(this.#lead.docId())
    return bm25(weight, freq, inverse[code]!)
  }

  shallowAdvance(target: number): number {
    let end = NO_MORE_DOCS
    for (const postings of this.#postings) {
      const from = Math.max(target, postings.docId())
      if (from !== NO_MORE_DOCS) end = Math.min(end, postings.shallowAdvance(from))
    }
    return Math.max(end, target)
  }

  maxScore(upTo: number): number {
    // A phrase occurs no more often than the term that proposes its places; with slop, no more than all
    // together.
    let impact = this.#isSloppy ? 0 : this.#lead.maxImpact(upTo)
    if (this.#isSloppy) for (const postings of this.#postings) impact += postings.maxImpact(upTo)
    const { weight, impactAverage, average } = this.#scoring
    return maxBm25(weight, impact, impactAverage, average)
  }

  setMinCompetitiveScore(score: number): void {
    this.skipper.raise(score)
  }
}

/** Terms exactly at the given distances. */
export class ExactPhraseMatcher implements PhraseMatcher {
  readonly #postings: readonly PositionPostings[]
  readonly #offsets: Int32Array
  readonly #current: Int32Array
  readonly #left: Int32Array

  /** @param offsets where each term stands in the phrase */
  constructor(postings: readonly PositionPostings[], offsets: readonly number[]) {
    // The rarest term proposes places; frequencies differ by document, lengths of lists do not.
    const order = postings.map((_, i) => i)
    order.sort((a, b) => postings[a]!.cost() - postings[b]!.cost())
    this.#postings = order.map(i => postings[i]!)
    this.#offsets = Int32Array.from(order, i => offsets[i]!)
    this.#current = new Int32Array(order.length)
    this.#left = new Int32Array(order.length)
  }

  frequency(): number {
    const postings = this.#postings
    const offsets = this.#offsets
    const current = this.#current
    const left = this.#left
    for (let i = 0; i < postings.length; i++) {
      left[i] = postings[i]!.freq()
      // Below every place, also those ahead of the first position that a lead may propose.
      current[i] = -0x80000000
    }
    const lead = postings[0]!
    let count = 0
    propose: while (left[0]! > 0) {
      left[0] = left[0]! - 1
      const start = lead.nextPosition() - offsets[0]!
      for (let i = 1; i < postings.length; i++) {
        const wanted = start + offsets[i]!
        while (current[i]! < wanted) {
          if (left[i] === 0) return count
          left[i] = left[i]! - 1
          current[i] = postings[i]!.nextPosition()
        }
        if (current[i] !== wanted) continue propose
      }
      count++
    }
    return count
  }

  maxFrequency(): number {
    // Not that of the rarest of all in the document: the lead may stand at one place twice.
    return this.#postings[0]!.freq()
  }
}

/** One term of a sloppy phrase: its positions in the current document, and where it stands. */
interface SloppyTerm {
  readonly postings: PositionPostings
  /** Where it stands in the phrase. */
  readonly offset: number
  readonly ord: number
  /** Terms that repeat one another, by offset; null for a term that stands alone. */
  group: SloppyTerm[] | null
  left: number
  /** Position less offset: equal for all terms of an exact match. */
  at: number
}

/**
 * Terms near one another, moved about by at most `slop` positions together. A place counts
 * 1 / (1 + distance). Lucene's algorithm, whose results depend on the order in which it walks: the
 * term that stands lowest is moved until it passes the next one, the shortest span on the way
 * counts. Terms that repeat never stand on one position: the lower of two that meet is moved on.
 */
export class SloppyPhraseMatcher implements PhraseMatcher {
  readonly #terms: readonly SloppyTerm[]
  readonly #groups: readonly SloppyTerm[][]
  readonly #slop: number
  #end = 0

  /** @param repeats equal numbers for what must not stand on one position: the same term */
  constructor(
    postings: readonly PositionPostings[],
    offsets: readonly number[],
    repeats: readonly number[],
    slop: number,
  ) {
    this.#terms = postings.map((iterator, i) => ({
      postings: iterator,
      offset: offsets[i]!,
      ord: i,
      group: null,
      left: 0,
      at: 0,
    }))
    const groups = new Map<number, SloppyTerm[]>()
    this.#terms.forEach((term, i) => {
      const group = groups.get(repeats[i]!)
      if (group === undefined) groups.set(repeats[i]!, [term])
      else if (group.every(other => other.offset !== term.offset)) group.push(term)
    })
    this.#groups = [...groups.values()].filter(group => group.length > 1)
    for (const group of this.#groups) {
      group.sort((a, b) => a.offset - b.offset)
      for (const term of group) term.group = group
    }
    this.#slop = slop
  }

  frequency(): number {
    if (!this.#start()) return 0
    const terms = this.#terms
    let freq = 0
    let isOpen = true
    while (isOpen) {
      let term = lowest(terms, null)
      let next = lowest(terms, term).at
      let length = this.#end - term.at
      isOpen = false
      while (this.#move(term)) {
        if (term.group !== null && !this.#separate(term, term.group)) break
        if (term.at > next) {
          if (length <= this.#slop) {
            isOpen = true
            break
          }
          term = lowest(terms, null)
          next = lowest(terms, term).at
          length = this.#end - term.at
        } else length = Math.min(length, this.#end - term.at)
      }
      if (length <= this.#slop) freq = Math.fround(freq + Math.fround(1 / (1 + length)))
    }
    return freq
  }

  maxFrequency(): number {
    let sum = 0
    for (const term of this.#terms) sum += term.postings.freq()
    return sum
  }

  /** Puts every term on its first position, repeats on successive ones; false if one runs out. */
  #start(): boolean {
    this.#end = Number.NEGATIVE_INFINITY
    for (const term of this.#terms) {
      term.left = term.postings.freq()
      this.#step(term)
    }
    for (const group of this.#groups)
      for (let i = 1; i < group.length; i++)
        for (let steps = 0; steps < i; steps++) if (!this.#step(group[i]!)) return false
    for (const term of this.#terms) this.#end = Math.max(this.#end, term.at)
    return true
  }

  #step(term: SloppyTerm): boolean {
    if (term.left === 0) return false
    term.left--
    term.at = term.postings.nextPosition() - term.offset
    return true
  }

  #move(term: SloppyTerm): boolean {
    if (!this.#step(term)) return false
    if (term.at > this.#end) this.#end = term.at
    return true
  }

  /** Moves on the lower of two repeats that stand on one position, until none do. */
  #separate(moved: SloppyTerm, group: readonly SloppyTerm[]): boolean {
    let term = moved
    for (;;) {
      const place = term.at + term.offset
      const other = group.find(each => each !== term && each.at + each.offset === place)
      if (other === undefined) return true
      const isLower = term.at < other.at || (term.at === other.at && term.offset < other.offset)
      if (!isLower) term = other
      if (!this.#move(term)) return false
    }
  }
}

/** The term that stands lowest, the earlier in the phrase first; `except` is passed over. */
function lowest(terms: readonly SloppyTerm[], except: SloppyTerm | null): SloppyTerm {
  let best: SloppyTerm | null = null
  for (const term of terms) {
    if (term === except) continue
    if (
      best === null ||
      term.at < best.at ||
      (term.at === best.at &&
        (term.offset < best.offset || (term.offset === best.offset && term.ord < best.ord)))
    )
      best = term
  }
  return best as SloppyTerm
}
