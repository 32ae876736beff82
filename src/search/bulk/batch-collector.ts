/**
 * Hits that no kernel keeps: the collectors of the iterators keep them, of matches that kernels hand over
 * in batches.
 */
import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { nextFloat } from '../../util/next-float.ts'
import type { CollectSpec, SliceHit } from '../collector/collect-spec.ts'
import type { LeafCollector } from '../collector/collector.ts'
import type { MatchBatch } from '../collector/gather.ts'
import type { CollapseKey } from '../collector/gather-plan.ts'
import { readsScores, type TopCollector } from '../collector/top-collector.ts'
import type { FunctionScoreScorer } from '../scorer/function-score-scorer.ts'
import { NO_BOUND, type Scorer } from '../scorer/scorer.ts'
import { scriptOf } from '../sort/sort-key.ts'
import { functionScorer } from '../weight/function-score.ts'
import type { ScorerContext } from '../weight/scorer-context.ts'
import type { FunctionScoreWeight, WeightNode } from '../weight/weight-node.ts'
import { WEIGHT_OPS } from '../weight/weight-ops.ts'
import { GroupBests } from './group-bests.ts'
import { isByScore } from './score-hits.ts'

/** Whether collectors keep a search's hits, unless kernels keep them by one column. */
export function collectsBatches(
  { topCount, sort, collapse }: Pick<CollectSpec, 'topCount' | 'sort' | 'collapse'>,
  functions: FunctionScoreWeight | null,
): boolean {
  return topCount > 0 && (functions !== null || collapse !== null || !isByScore(sort))
}

/** The functions that change a search's scores; null: it has none. */
export function functionsOf(root: WeightNode): FunctionScoreWeight | null {
  return root.kind === 'functionScore' ? root : null
}

/** Whether collectors can keep the hits of matches in batches: their order needs no iterators and no scripts. */
export function canCollectBatches({ sort }: Pick<CollectSpec, 'sort'>): boolean {
  return (sort ?? []).every(key => scriptOf(key) === null && !('nested' in key && key.nested))
}

/** The hits of one slice. */
export class BatchCollector {
  readonly #collector: TopCollector
  readonly #functions: FunctionScoreWeight | null
  readonly #listed = new ListedScorer()
  #leaf: LeafCollector | null = null
  #scorer: FunctionScoreScorer | null = null
  /** By whose groups batches may leave out matches; null: by none. */
  readonly #collapse: CollapseKey | null
  #bests: GroupBests | null = null
  /** Whether batches have to carry scores. */
  readonly readsScores: boolean
  /** Whether matches may be left out whose scores change no hit. */
  readonly prunes: boolean

  /** @param functions change the scores; null: scores are those of the batches */
  constructor(spec: CollectSpec, collector: TopCollector, functions: FunctionScoreWeight | null) {
    this.#collector = collector
    this.#functions = functions
    const reads = functions === null ? readsScores(spec) : functions.readsScores
    this.readsScores = reads || spec.minScore !== null
    this.prunes = reads && isByScore(spec.sort) && spec.searchAfter === null
    this.#collapse = this.prunes && functions === null ? spec.collapse : null
  }

  /** @param context opens the filters of functions; its scratch, and the leaf's, lives until the leaf's last batch */
  openLeaf(leaf: Leaf, leafOrd: number, context: ScorerContext): void {
    this.#leaf = this.#collector.openLeaf(leaf, leafOrd)
    this.#bests = this.#collapse === null ? null : GroupBests.of(leaf, this.#collapse)
    if (this.#functions === null) this.#leaf.setScorer(this.#listed)
    else {
      const { maxDoc } = leaf
      this.#scorer = functionScorer(this.#functions, this.#listed, maxDoc, context, WEIGHT_OPS)
      this.#leaf.setScorer(this.#scorer)
    }
  }

  /** The least score, by that of batches, of later matches in the leaf that may change the hits; 0: any may. */
  neededScore(): number {
    const floor = this.#collector.floor()
    if (floor < 0) return 0
    return this.#scorer === null ? nextFloat(floor) : this.#scorer.neededScore(floor)
  }

  /**
   * Leaves out listed matches that change no hit, for a better one of their group came before them.
   * @param docs   address of the documents, i32
   * @param scores address of their scores, f32
   * @returns how many are left, in their places
   */
  keepBests(docs: number, scores: number, count: number): number {
    return this.#bests?.keep(docs, scores, count) ?? count
  }

  collect(batch: MatchBatch): void {
    const docs = batch.docs()
    const listed = this.#listed
    const leaf = this.#leaf!
    listed.scores = batch.scores ?? NO_SCORES
    if (this.prunes) {
      this.#collectBest(batch, leaf)
      return
    }
    for (let i = 0; i < batch.count; i++) {
      listed.index = i
      listed.doc = docs[i]!
      leaf.collect(docs[i]!)
    }
  }

  #collectBest(batch: MatchBatch, leaf: LeafCollector): void {
    const docs = batch.docs()
    const listed = this.#listed
    const { scores } = listed
    let floor = this.#collector.floor()
    let needed = this.neededScore()
    for (let i = 0; i < batch.count; i++) {
      if (scores[i]! < needed) continue
      listed.index = i
      listed.doc = docs[i]!
      leaf.collect(docs[i]!)
      const raised = this.#collector.floor()
      if (raised === floor) continue
      floor = raised
      needed = this.neededScore()
    }
  }

  hits(): SliceHit[] {
    return this.#collector.hits()
  }

  /** Of all matches; NaN when none was computed. */
  maxScore(): number {
    return this.#collector.maxScore()
  }
}

const NO_SCORES = new Float32Array(0)

/** The current match of a batch as a scorer; it moves with the batch alone. */
class ListedScorer implements Scorer, DocIdIterator {
  doc = -1
  /** Of the match in the batch. */
  index = 0
  scores: Float32Array = NO_SCORES

  docId(): number {
    return this.doc
  }

  iterator(): DocIdIterator {
    return this
  }

  twoPhase(): null {
    return null
  }

  score(): number {
    return this.scores[this.index]!
  }

  nextDoc(): number {
    throw new Error('a batch moves its scorer')
  }

  advance(): number {
    throw new Error('a batch moves its scorer')
  }

  cost(): number {
    return 0
  }

  shallowAdvance(): number {
    return NO_MORE_DOCS
  }

  maxScore(): number {
    return NO_BOUND
  }

  setMinCompetitiveScore(): void {
    // Every match is handed over.
  }
}
