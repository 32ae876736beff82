/**
 * What a weight becomes on one leaf. Lucene's protocol: an approximation that may be too wide and,
 * for queries that need one, a second phase that decides; scores on demand; bounds of scores over
 * runs of documents, from which those that cannot compete are passed over.
 */
import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import type { Watch } from './watch.ts'

/** An approximation with the check that makes it exact. */
export interface TwoPhase {
  readonly approximation: DocIdIterator
  /** Whether the approximation's current document matches; at most once per document. */
  matches(): boolean
  /** About how many simple steps a check takes; cheaper ones go first. */
  matchCost(): number
}

/** A cursor over one leaf's matches. The same object serves all its documents. */
export interface Scorer {
  /** The current document of the iterator, or of the approximation. */
  docId(): number
  /** The matches; null when there is a second phase. Always the same object. */
  iterator(): DocIdIterator | null
  /** The two phases; null when the iterator is exact. Always the same object. */
  twoPhase(): TwoPhase | null
  /** The current document's score, float32; only on a match, and without moving in between. */
  score(): number
  /**
   * Prepares `maxScore` from `target` on, without moving the iterator. Returns the last document of
   * the run that holds `target` for which a bound can be told cheaply.
   */
  shallowAdvance(target: number): number
  /** No match from the last `shallowAdvance` target through `upTo` scores above this. */
  maxScore(upTo: number): number
  /** From now on, matches that score below may be left out. Never falls. */
  setMinCompetitiveScore(score: number): void
}

/** Makes one scorer; asked for its cost first when a parent must choose an order. */
export interface ScorerSupplier {
  /** About how many documents the iterator will pass. */
  cost(): number
  /**
   * @param leadCost how often the caller will move it: below `cost()` it is advanced by others
   */
  get(leadCost: number): Scorer
}

/** Whether an iterator that stands on `doc` has nothing more up to `upTo`. */
export function isPast(doc: number, upTo: number): boolean {
  return doc > upTo || doc === NO_MORE_DOCS
}

/** A scorer's matches one by one, checks included. */
export function exactIterator(scorer: Scorer, watch: Watch): DocIdIterator {
  const twoPhase = scorer.twoPhase()
  if (twoPhase !== null) return new TwoPhaseIterator(twoPhase, watch)
  return scorer.iterator() as DocIdIterator
}

/** What moves first: the approximation, or the exact iterator. */
export function leadIterator(scorer: Scorer): DocIdIterator {
  return scorer.twoPhase()?.approximation ?? (scorer.iterator() as DocIdIterator)
}

/** About how many documents all of them pass together. */
export function totalCost(parts: readonly { cost(): number }[]): number {
  let sum = 0
  for (const each of parts) sum += each.cost()
  return sum
}

/** A check reads values or positions: it counts as a few steps. */
const STEPS_PER_CHECK = 4

/** Two phases as one iterator. */
class TwoPhaseIterator implements DocIdIterator {
  readonly #twoPhase: TwoPhase
  readonly #approximation: DocIdIterator
  readonly #watch: Watch

  constructor(twoPhase: TwoPhase, watch: Watch) {
    this.#watch = watch
    this.#twoPhase = twoPhase
    this.#approximation = twoPhase.approximation
  }

  docId(): number {
    return this.#approximation.docId()
  }

  nextDoc(): number {
    return this.#verified(this.#approximation.nextDoc())
  }

  advance(target: number): number {
    return this.#verified(this.#approximation.advance(target))
  }

  cost(): number {
    return this.#approximation.cost()
  }

  #verified(first: number): number {
    let doc = first
    while (doc !== NO_MORE_DOCS && !this.#twoPhase.matches()) {
      this.#watch.spend(STEPS_PER_CHECK)
      doc = this.#approximation.nextDoc()
    }
    return doc
  }
}
