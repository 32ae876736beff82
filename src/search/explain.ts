/** Explains a hit's score: walks the weight's nodes, each kind of which explains its own step. */
import type { Leaf } from '../segment/leaf.ts'
import { BitSet } from '../util/bit-set.ts'
import { wholeLeaf } from './matches-at.ts'
import { IntervalScorer } from './scorer/interval-scorer.ts'
import { PhraseScorer } from './scorer/phrase-scorer.ts'
import { exactIterator } from './scorer/scorer.ts'
import { UNWATCHED } from './scorer/watch.ts'
import { addPostings } from './weight/add-postings.ts'
import type { ExplainedMatch, Explainer, Explanation } from './weight/explanation.ts'
import type { ScorerContext } from './weight/scorer-context.ts'
import type { LeafStates, Weight } from './weight/weight.ts'
import type { WeightNode } from './weight/weight-node.ts'
import { scorerSupplier } from './weight/weight-ops.ts'
import { typeOf } from './weight/weight-types.ts'

/**
 * Explains a match.
 *
 * @param weight made with scores, for the whole shard
 * @param leaf   the document's, with the weight's sections and scratch for its iterators
 * @returns null when the document does not match
 */
export function explain(
  weight: Weight,
  leaf: Leaf,
  leafOrd: number,
  docId: number,
): Explanation | null {
  return new DocumentExplainer(weight, leaf, leafOrd, docId).explain(weight.root)
}

/** Why a document matches, or why it does not. */
export interface ExplainedDocument {
  readonly isMatch: boolean
  readonly explanation: Explanation
}

/**
 * Explains a document, matching or not.
 * @param weight made with scores and with the nodes' descriptions, for the whole shard
 * @param leaf   the document's, with the weight's sections and scratch for its iterators
 */
export function explainDocument(
  weight: Weight,
  leaf: Leaf,
  leafOrd: number,
  docId: number,
): ExplainedDocument {
  const explainer = new DocumentExplainer(weight, leaf, leafOrd, docId)
  const match = explainer.explain(weight.root)
  return { isMatch: match !== null, explanation: match ?? explainer.miss(weight.root) }
}

class DocumentExplainer implements Explainer {
  readonly weight: Weight
  readonly leaf: Leaf
  readonly states: LeafStates
  readonly docId: number
  readonly #context: ScorerContext

  constructor(weight: Weight, leaf: Leaf, leafOrd: number, docId: number) {
    this.weight = weight
    this.leaf = leaf
    this.states = weight.leaves[leafOrd] ?? { terms: [], expansions: [] }
    this.docId = docId
    this.#context = wholeLeaf(leaf, this.states)
  }

  /** Null when the node does not match. Depth is that of the query. */
  explain(node: WeightNode): Explanation | null {
    const match = this.#match(node)
    return match === null ? null : typeOf(node.kind).explain(node, match, this)
  }

  /** Depth is that of the query. */
  miss(node: WeightNode): Explanation {
    return typeOf(node.kind).explainMiss(node, this)
  }

  explainAt(node: WeightNode, docId: number): Explanation | null {
    return new DocumentExplainer(this.weight, this.leaf, this.leaf.ord, docId).explain(node)
  }

  documentsWith(field: string, termId: number): BitSet {
    const docs = new BitSet(this.leaf.maxDoc)
    const state = this.states.terms[termId] ?? null
    const mark = this.leaf.scratch.mark()
    if (state !== null) addPostings(docs, field, state, this.#context)
    this.leaf.scratch.release(mark)
    return docs
  }

  /** The node's query as it prints, without a boost around it. */
  text(node: WeightNode): string {
    const { type, description } = this.weight.nodes[node.id] ?? { type: '', description: '' }
    if (type !== 'BoostQuery') return description
    return description.slice(1, description.lastIndexOf(')^'))
  }

  #match(node: WeightNode): ExplainedMatch | null {
    const { scratch } = this.leaf
    const mark = scratch.mark()
    const scorer = scorerSupplier(node, this.#context)?.get(1) ?? null
    const isMatch =
      scorer !== null && exactIterator(scorer, UNWATCHED).advance(this.docId) === this.docId
    const match = isMatch
      ? {
          score: scorer.score(),
          phraseFreq:
            scorer instanceof PhraseScorer || scorer instanceof IntervalScorer ? scorer.freq() : 0,
        }
      : null
    scratch.release(mark)
    return match
  }
}
