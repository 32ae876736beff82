/** Collectors that count, limit or filter the matches that an inner one receives. */
import type { Leaf } from '../../segment/leaf.ts'
import { membership, type Scorer, type ScorerSupplier } from '../scorer/scorer.ts'
import type { Collector, LeafCollector, SliceState } from './collector.ts'

/** Counts matches; stops once the answer is certain. */
export class CountCollector implements Collector, LeafCollector {
  readonly #state: SliceState
  readonly #mayStop: boolean

  /** @param mayStop false when another collector of the chain decides when to end */
  constructor(state: SliceState, mayStop: boolean) {
    this.#state = state
    this.#mayStop = mayStop
  }

  openLeaf(_leaf: Leaf): LeafCollector {
    return this
  }

  setScorer(_scorer: Scorer): void {
    // Counting needs no scores.
  }

  collect(_docId: number): void {
    this.#state.count()
    if (this.#mayStop && this.#state.isPastLimit()) this.#state.isDone = true
  }
}

/** Stops the slice at the n-th match. */
export class TerminateAfterCollector implements Collector, LeafCollector {
  readonly #inner: Collector
  readonly #state: SliceState
  #left: number
  #leaf: LeafCollector | null = null

  constructor(inner: Collector, count: number, state: SliceState) {
    this.#inner = inner
    this.#left = count
    this.#state = state
  }

  openLeaf(leaf: Leaf, leafOrd: number): LeafCollector {
    this.#leaf = this.#inner.openLeaf(leaf, leafOrd)
    return this
  }

  setScorer(scorer: Scorer): void {
    this.#leaf!.setScorer(scorer)
  }

  collect(docId: number): void {
    this.#leaf!.collect(docId)
    if (--this.#left > 0) return
    this.#state.isDone = true
    this.#state.terminatedEarly = true
  }
}

/** Passes on matches that a second query also matches. */
export class FilteredCollector implements Collector {
  readonly #inner: Collector
  readonly #filter: (leaf: Leaf, leafOrd: number) => ScorerSupplier | null

  readonly #leadCost: number

  /**
   * @param filter   the filter's scorer supplier in a leaf, null when it matches nothing
   * @param leadCost estimated number of documents that it is probed with
   */
  constructor(
    inner: Collector,
    filter: (leaf: Leaf, leafOrd: number) => ScorerSupplier | null,
    leadCost: number,
  ) {
    this.#inner = inner
    this.#filter = filter
    this.#leadCost = leadCost
  }

  openLeaf(leaf: Leaf, leafOrd: number): LeafCollector {
    const inner = this.#inner.openLeaf(leaf, leafOrd)
    const supplier = this.#filter(leaf, leafOrd)
    if (supplier === null) return NOTHING
    const matches = membership(supplier.get(this.#leadCost))
    return {
      setScorer: scorer => inner.setScorer(scorer),
      collect: docId => {
        if (matches(docId)) inner.collect(docId)
      },
    }
  }
}

/** Passes on matches whose float32 score reaches a minimum. */
export class MinScoreCollector implements Collector, LeafCollector {
  readonly #inner: Collector
  readonly #minScore: number
  #leaf: LeafCollector | null = null
  #scorer: CachedScore | null = null

  constructor(inner: Collector, minScore: number) {
    this.#inner = inner
    this.#minScore = Math.fround(minScore)
  }

  openLeaf(leaf: Leaf, leafOrd: number): LeafCollector {
    this.#leaf = this.#inner.openLeaf(leaf, leafOrd)
    return this
  }

  setScorer(scorer: Scorer): void {
    // The collector below reads the same score again.
    this.#scorer = new CachedScore(scorer)
    this.#leaf!.setScorer(this.#scorer)
  }

  collect(docId: number): void {
    if (this.#scorer!.score() >= this.#minScore) this.#leaf!.collect(docId)
  }
}

/** A scorer that computes each document's score once. */
export class CachedScore implements Scorer {
  readonly #scorer: Scorer
  #doc = -1
  #score = 0

  constructor(scorer: Scorer) {
    this.#scorer = scorer
  }

  docId(): number {
    return this.#scorer.docId()
  }

  iterator(): ReturnType<Scorer['iterator']> {
    return this.#scorer.iterator()
  }

  twoPhase(): ReturnType<Scorer['twoPhase']> {
    return this.#scorer.twoPhase()
  }

  score(): number {
    const doc = this.#scorer.docId()
    if (doc !== this.#doc) {
      this.#doc = doc
      this.#score = this.#scorer.score()
    }
    return this.#score
  }

  shallowAdvance(target: number): number {
    return this.#scorer.shallowAdvance(target)
  }

  maxScore(upTo: number): number {
    return this.#scorer.maxScore(upTo)
  }

  setMinCompetitiveScore(score: number): void {
    this.#scorer.setMinCompetitiveScore(score)
  }
}

const NOTHING: LeafCollector = {
  setScorer: () => undefined,
  collect: () => undefined,
}
