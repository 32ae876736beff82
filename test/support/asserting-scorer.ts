/**
 * Scorers that hold their callers, and what they wrap, to the protocol: iterators move forward,
 * scores are asked for on matches, checks once per document, and no score passes the bound of its
 * run. To be put around every node by a search's `wrapSupplier`.
 */
import { type DocIdIterator, NO_MORE_DOCS } from '../../src/codec/doc-id-iterator.ts'
import type { Scorer, ScorerSupplier, TwoPhase } from '../../src/search/scorer/scorer.ts'
import type { WrapSupplier } from '../../src/search/weight/scorer-context.ts'

function hold(condition: boolean, what: string): void {
  if (!condition) throw new Error(`broke the protocol of scorers: ${what}`)
}

export const assertingWrap: WrapSupplier = (_nodeId, make) => {
  const supplier = make()
  return supplier === null ? null : new AssertingSupplier(supplier)
}

class AssertingSupplier implements ScorerSupplier {
  readonly #supplier: ScorerSupplier
  #isUsed = false

  constructor(supplier: ScorerSupplier) {
    this.#supplier = supplier
  }

  cost(): number {
    const cost = this.#supplier.cost()
    hold(cost >= 0, `cost ${cost}`)
    return cost
  }

  get(leadCost: number): Scorer {
    hold(!this.#isUsed, 'a supplier makes one scorer')
    hold(leadCost >= 0, `lead cost ${leadCost}`)
    this.#isUsed = true
    return new AssertingScorer(this.#supplier.get(leadCost))
  }
}

class AssertingScorer implements Scorer {
  readonly #scorer: Scorer
  readonly #iterator: AssertingIterator
  readonly #twoPhase: TwoPhase | null
  /** The document that the second phase accepted last. */
  #accepted = -1
  #checked = -1
  #shallow = -1
  #boundedTo = -1
  #bound = 0
  #min = 0

  constructor(scorer: Scorer) {
    this.#scorer = scorer
    const check = scorer.twoPhase()
    const exact = scorer.iterator()
    hold((check === null) !== (exact === null), 'either an iterator or two phases')
    this.#iterator = new AssertingIterator((check?.approximation ?? exact) as DocIdIterator)
    this.#twoPhase =
      check === null
        ? null
        : {
            approximation: this.#iterator,
            matches: () => {
              const doc = this.#iterator.docId()
              hold(doc >= 0 && doc !== NO_MORE_DOCS, `a check at ${doc}`)
              hold(this.#checked !== doc, `a second check at ${doc}`)
              this.#checked = doc
              const matches = check.matches()
              if (matches) this.#accepted = doc
              return matches
            },
            matchCost: () => check.matchCost(),
          }
  }

  docId(): number {
    hold(this.#scorer.docId() === this.#iterator.docId(), 'scorer and iterator stand together')
    return this.#scorer.docId()
  }

  iterator(): DocIdIterator | null {
    return this.#twoPhase === null ? this.#iterator : null
  }

  twoPhase(): TwoPhase | null {
    return this.#twoPhase
  }

  score(): number {
    const doc = this.docId()
    hold(doc >= 0 && doc !== NO_MORE_DOCS, `a score at ${doc}`)
    hold(this.#twoPhase === null || this.#accepted === doc, `a score of ${doc}, which is no match`)
    const score = this.#scorer.score()
    hold(score >= 0 && score === Math.fround(score), `the score ${score}`)
    if (doc >= this.#shallow && doc <= this.#boundedTo)
      hold(score <= this.#bound, `the score ${score} above its bound ${this.#bound}`)
    return score
  }

  shallowAdvance(target: number): number {
    hold(target >= this.#shallow, `a look ahead back from ${this.#shallow} to ${target}`)
    hold(target >= this.#iterator.docId(), `a look behind ${this.#iterator.docId()}`)
    const end = this.#scorer.shallowAdvance(target)
    hold(end >= target, `a run from ${target} to ${end}`)
    this.#shallow = target
    this.#boundedTo = -1
    return end
  }

  maxScore(upTo: number): number {
    hold(this.#shallow >= 0 && upTo >= this.#shallow, `a bound to ${upTo} from ${this.#shallow}`)
    this.#bound = this.#scorer.maxScore(upTo)
    this.#boundedTo = upTo
    hold(this.#bound >= 0, `the bound ${this.#bound}`)
    return this.#bound
  }

  setMinCompetitiveScore(score: number): void {
    hold(score >= this.#min, `a competitive score that falls from ${this.#min} to ${score}`)
    this.#min = score
    this.#scorer.setMinCompetitiveScore(score)
  }
}

class AssertingIterator implements DocIdIterator {
  readonly #iterator: DocIdIterator

  constructor(iterator: DocIdIterator) {
    this.#iterator = iterator
  }

  docId(): number {
    return this.#iterator.docId()
  }

  nextDoc(): number {
    const before = this.#iterator.docId()
    hold(before !== NO_MORE_DOCS, 'a move past the end')
    const doc = this.#iterator.nextDoc()
    hold(doc > before && this.#iterator.docId() === doc, `next from ${before} to ${doc}`)
    return doc
  }

  advance(target: number): number {
    const before = this.#iterator.docId()
    hold(target > before, `an advance back from ${before} to ${target}`)
    const doc = this.#iterator.advance(target)
    hold(doc >= target && this.#iterator.docId() === doc, `advance to ${target} gave ${doc}`)
    return doc
  }

  cost(): number {
    return this.#iterator.cost()
  }
}
