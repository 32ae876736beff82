/** Phrase scoring: the scorer, and its exact and sloppy matchers. */
import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { BlockSkipper } from './block-skipper.ts'
import type { PositionPostings } from './freq-postings.ts'
import type { Scorer, TwoPhase } from './scorer.ts'
import { type FreqScoring, maxScoreOf, scoreOf } from './term-scorer.ts'
import type { Watch } from './watch.ts'

/** Computes a phrase's frequency in the document at which all its postings are positioned. */
export interface PhraseMatcher {
  /** The phrase frequency, float32; 0 without an occurrence. Reads positions. */
  frequency(): number
  /** An upper bound of `frequency()` that reads no positions. */
  maxFrequency(): number
}

/**
 * Documents with terms at given positions: the approximation is the conjunction of the terms, the
 * second phase reads their positions. Scored as a term with the phrase's frequency.
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
    // Positions are read only if the max possible frequency is competitive.
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
    return scoreOf(this.#scoring, freq, this.#lead.docId())
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
    // A phrase occurs no more often than the leading term; with slop, no more often than all terms
    // together.
    let impact = this.#isSloppy ? 0 : this.#lead.maxImpact(upTo)
    if (this.#isSloppy) for (const postings of this.#postings) impact += postings.maxImpact(upTo)
    return maxScoreOf(this.#scoring, impact)
  }

  setMinCompetitiveScore(score: number): void {
    this.skipper.raise(score)
  }
}

/** Terms exactly at the given positions. */
export class ExactPhraseMatcher implements PhraseMatcher {
  readonly #postings: readonly PositionPostings[]
  readonly #offsets: Int32Array
  readonly #current: Int32Array
  readonly #left: Int32Array

  /** @param offsets each term's position in the phrase */
  constructor(postings: readonly PositionPostings[], offsets: readonly number[]) {
    // The term of the lowest cost leads; frequencies vary by document, costs do not.
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
      // Below every start position, even one before the first position of the lead.
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
    // Not the min of all frequencies in the document: the lead may repeat a position.
    return this.#postings[0]!.freq()
  }
}

/** One term of a sloppy phrase: its positions in the current document and its offset. */
interface SloppyTerm {
  readonly postings: PositionPostings
  /** The term's position in the phrase. */
  readonly offset: number
  readonly ord: number
  /** Repeats of the same term, by offset; null without repeats. */
  group: SloppyTerm[] | null
  left: number
  /** Position less offset: equal for all terms of an exact match. */
  at: number
}

/**
 * Terms near each other, moved by at most `slop` positions in total. A match counts 1 / (1 +
 * distance). Lucene's algorithm, whose results depend on its order: the term with the lowest
 * position is advanced until it passes the next one, and the shortest span on the way counts.
 * Repeats never share a position: the lower of two that collide is advanced.
 */
export class SloppyPhraseMatcher implements PhraseMatcher {
  readonly #terms: readonly SloppyTerm[]
  readonly #groups: readonly SloppyTerm[][]
  readonly #slop: number
  #end = 0

  /** @param repeats equal numbers mark repeats of one term, which must not share a position */
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

  /** Moves every term to its first position, repeats to successive ones; false if one runs out. */
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

  /** Advances the lower of two colliding repeats until none collide. */
  #separate(moved: SloppyTerm, group: readonly SloppyTerm[]): boolean {
    let term = moved
    for (;;) {
      const position = term.at + term.offset
      const other = group.find(each => each !== term && each.at + each.offset === position)
      if (other === undefined) return true
      const isLower = term.at < other.at || (term.at === other.at && term.offset < other.offset)
      if (!isLower) term = other
      if (!this.#move(term)) return false
    }
  }
}

/** The term with the lowest position, ties by phrase order, except `except`. */
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
