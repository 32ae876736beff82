import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import { NO_BOUND, type Scorer } from './scorer.ts'
import type { Watch } from './watch.ts'

/** How the scores of several nested documents become one. */
export type BlockScoreMode = 'avg' | 'sum' | 'min' | 'max' | 'none'

/** The documents that nested documents are joined to; each follows its own. */
export interface ParentDocs {
  /** The first one from a document on; at least `maxDoc` when there is none. */
  next(docId: number): number
  /** The last one up to a document; −1 when there is none. */
  previous(docId: number): number
}

/**
 * Joins matching nested documents to the documents that they belong to. The scores of a document's
 * nested ones are read when its own is asked for. Nested documents stand in the index right before
 * their document, so both sides only ever move forward.
 */
export class BlockJoinScorer implements Scorer, DocIdIterator {
  readonly #child: Scorer
  readonly #children: DocIdIterator
  readonly #parents: ParentDocs
  readonly #mode: BlockScoreMode
  readonly #watch: Watch
  #doc = -1
  /** The document that `#score` belongs to. */
  #scored = -1
  #score = 0

  /** @param children the child's exact matches, nested documents alone */
  constructor(
    child: Scorer,
    children: DocIdIterator,
    parents: ParentDocs,
    mode: BlockScoreMode,
    watch: Watch,
  ) {
    this.#child = child
    this.#children = children
    this.#parents = parents
    this.#mode = mode
    this.#watch = watch
  }

  docId(): number {
    return this.#doc
  }

  nextDoc(): number {
    return this.advance(this.#doc + 1)
  }

  advance(target: number): number {
    if (target >= NO_MORE_DOCS) return (this.#doc = NO_MORE_DOCS)
    const first = this.#parents.previous(target - 1) + 1
    let child = this.#children.docId()
    if (child < first) child = this.#children.advance(first)
    return (this.#doc = child === NO_MORE_DOCS ? NO_MORE_DOCS : this.#parents.next(child))
  }

  cost(): number {
    return this.#children.cost()
  }

  iterator(): DocIdIterator {
    return this
  }

  twoPhase(): null {
    return null
  }

  score(): number {
    if (this.#mode === 'none') return 0
    if (this.#scored !== this.#doc) {
      this.#scored = this.#doc
      this.#score = Math.fround(this.#combine())
    }
    return this.#score
  }

  shallowAdvance(_target: number): number {
    return NO_MORE_DOCS
  }

  maxScore(_upTo: number): number {
    return this.#mode === 'none' ? 0 : NO_BOUND
  }

  setMinCompetitiveScore(_score: number): void {
    // A nested document says nothing of the others, so none is skipped.
  }

  /** Reads the scores of the document's nested matches, the first of which is current; float64. */
  #combine(): number {
    const children = this.#children
    let score = this.#child.score()
    let count = 1
    while (children.nextDoc() < this.#doc) {
      const next = this.#child.score()
      count++
      this.#watch.spend(1)
      if (this.#mode === 'min') score = Math.min(score, next)
      else if (this.#mode === 'max') score = Math.max(score, next)
      else score += next
    }
    return this.#mode === 'avg' ? score / count : score
  }
}
