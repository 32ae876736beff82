/** Scorers that time every call: wrappers around each node's scorer in a profiled search. */
import type { Scorer, ScorerSupplier, TwoPhase } from '../search/scorer/scorer.ts'
import type { BatchTimes } from './batch-times.ts'
import { type SamplingMode, Timer } from './timer.ts'

type DocIdIterator = NonNullable<ReturnType<Scorer['iterator']>>

/** The timers of one node, by method. */
export class NodeTimers {
  readonly advance: Timer
  readonly buildScorer: Timer
  readonly computeMaxScore: Timer
  readonly match: Timer
  readonly nextDoc: Timer
  readonly score: Timer
  readonly setMinCompetitiveScore: Timer
  readonly shallowAdvance: Timer

  constructor(mode: SamplingMode, overhead: number, now: () => number, batches: BatchTimes) {
    const timer = (): Timer => new Timer(mode, overhead, now, batches)
    this.advance = timer()
    this.buildScorer = timer()
    this.computeMaxScore = timer()
    this.match = timer()
    this.nextDoc = timer()
    this.score = timer()
    this.setMinCompetitiveScore = timer()
    this.shallowAdvance = timer()
  }

  /** In the order of `LEAF_TIMING_TYPES`. */
  all(): readonly Timer[] {
    return [
      this.advance,
      this.buildScorer,
      this.computeMaxScore,
      this.match,
      this.nextDoc,
      this.score,
      this.setMinCompetitiveScore,
      this.shallowAdvance,
    ]
  }
}

/** Calls of `cost` and `get` count as `build_scorer`, like making the supplier. */
export class ProfilingSupplier implements ScorerSupplier {
  readonly #supplier: ScorerSupplier
  readonly #timers: NodeTimers

  constructor(supplier: ScorerSupplier, timers: NodeTimers) {
    this.#supplier = supplier
    this.#timers = timers
  }

  cost(): number {
    this.#timers.buildScorer.start()
    const cost = this.#supplier.cost()
    this.#timers.buildScorer.stop()
    return cost
  }

  get(leadCost: number): Scorer {
    this.#timers.buildScorer.start()
    const scorer = this.#supplier.get(leadCost)
    this.#timers.buildScorer.stop()
    return new ProfilingScorer(scorer, this.#timers)
  }
}

class ProfilingScorer implements Scorer {
  readonly #scorer: Scorer
  readonly #timers: NodeTimers
  readonly #iterator: DocIdIterator | null
  readonly #twoPhase: TwoPhase | null

  constructor(scorer: Scorer, timers: NodeTimers) {
    this.#scorer = scorer
    this.#timers = timers
    const check = scorer.twoPhase()
    const iterator = scorer.iterator()
    this.#twoPhase = check === null ? null : new ProfilingTwoPhase(check, timers)
    this.#iterator = iterator === null ? null : new ProfilingIterator(iterator, timers)
  }

  docId(): number {
    return this.#scorer.docId()
  }

  iterator(): DocIdIterator | null {
    return this.#iterator
  }

  twoPhase(): TwoPhase | null {
    return this.#twoPhase
  }

  score(): number {
    const timer = this.#timers.score
    timer.start()
    const score = this.#scorer.score()
    timer.stop()
    return score
  }

  shallowAdvance(target: number): number {
    const timer = this.#timers.shallowAdvance
    timer.start()
    const end = this.#scorer.shallowAdvance(target)
    timer.stop()
    return end
  }

  maxScore(upTo: number): number {
    const timer = this.#timers.computeMaxScore
    timer.start()
    const bound = this.#scorer.maxScore(upTo)
    timer.stop()
    return bound
  }

  setMinCompetitiveScore(score: number): void {
    const timer = this.#timers.setMinCompetitiveScore
    timer.start()
    this.#scorer.setMinCompetitiveScore(score)
    timer.stop()
  }
}

class ProfilingIterator implements DocIdIterator {
  readonly #iterator: DocIdIterator
  readonly #nextDoc: Timer
  readonly #advance: Timer

  constructor(iterator: DocIdIterator, timers: NodeTimers) {
    this.#iterator = iterator
    this.#nextDoc = timers.nextDoc
    this.#advance = timers.advance
  }

  docId(): number {
    return this.#iterator.docId()
  }

  nextDoc(): number {
    this.#nextDoc.start()
    const doc = this.#iterator.nextDoc()
    this.#nextDoc.stop()
    return doc
  }

  advance(target: number): number {
    this.#advance.start()
    const doc = this.#iterator.advance(target)
    this.#advance.stop()
    return doc
  }

  cost(): number {
    return this.#iterator.cost()
  }
}

class ProfilingTwoPhase implements TwoPhase {
  readonly approximation: DocIdIterator
  readonly #check: TwoPhase
  readonly #match: Timer

  constructor(check: TwoPhase, timers: NodeTimers) {
    this.#check = check
    this.#match = timers.match
    this.approximation = new ProfilingIterator(check.approximation, timers)
  }

  matches(): boolean {
    this.#match.start()
    const matches = this.#check.matches()
    this.#match.stop()
    return matches
  }

  matchCost(): number {
    return this.#check.matchCost()
  }
}
