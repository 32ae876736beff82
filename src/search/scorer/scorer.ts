/**
 * A weight opened on one leaf, in Lucene's protocol: an approximation that may be too wide, a
 * second phase that decides where needed, scores on demand, and score bounds over runs of
 * documents, so that non-competitive runs are skipped.
 */
import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import type { Watch } from './watch.ts'

/** An approximation and the check that makes it exact. */
export interface TwoPhase {
  readonly approximation: DocIdIterator
  /** Whether the approximation's current document matches; at most once per document. */
  matches(): boolean
  /** Estimated steps of a check; cheaper ones run first. */
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
   * the run that holds `target` and has a cheap bound.
   */
  shallowAdvance(target: number): number
  /** Upper bound of the scores from the last `shallowAdvance` target through `upTo`. */
  maxScore(upTo: number): number
  /** From now on, matches with lower scores may be skipped. Never falls. */
  setMinCompetitiveScore(score: number): void
}

/** Makes one scorer; its cost is known first, so that a parent can order its clauses. */
export interface ScorerSupplier {
  /** Estimated number of documents that the iterator will pass. */
  cost(): number
  /**
   * @param leadCost how many times the caller will move it; below `cost()`, another clause leads
   */
  get(leadCost: number): Scorer
}

/** Whether an iterator at `doc` has no document up to `upTo`. */
export function isPast(doc: number, upTo: number): boolean {
  return doc > upTo || doc === NO_MORE_DOCS
}

/** A scorer's matches as one iterator, second phase included. */
export function exactIterator(scorer: Scorer, watch: Watch): DocIdIterator {
  const twoPhase = scorer.twoPhase()
  if (twoPhase !== null) return new TwoPhaseIterator(twoPhase, watch)
  return scorer.iterator() as DocIdIterator
}

/**
 * Tells whether documents match, asked in ascending order: a second phase runs on these alone, so that
 * a script runs on no document that is not asked for.
 */
export function membership(scorer: Scorer): (docId: number) => boolean {
  const check = scorer.twoPhase()
  const lead = leadIterator(scorer)
  let last = -1
  let isMatch = false
  return docId => {
    if (docId === last) return isMatch
    last = docId
    const at = lead.docId() < docId ? lead.advance(docId) : lead.docId()
    isMatch = at === docId && (check === null || check.matches())
    return isMatch
  }
}

/** The approximation, or the exact iterator. */
export function leadIterator(scorer: Scorer): DocIdIterator {
  return scorer.twoPhase()?.approximation ?? (scorer.iterator() as DocIdIterator)
}

/** The sum of the costs. */
export function totalCost(parts: readonly { cost(): number }[]): number {
  let sum = 0
  for (const each of parts) sum += each.cost()
  return sum
}

/**
 * The bound of scores that nothing else bounds: the highest float32. It is finite, because bounds are
 * added and subtracted.
 */
export const NO_BOUND: number = 3.4028234663852886e38

/** Steps of a check, which reads values or positions. */
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
