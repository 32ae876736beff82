/** Why a hit has its score: the steps of the computation as a tree, in Lucene's words. */

import { NO_NORM_CODE } from '../codec/norms/format.ts'
import { B, inverseNorms, K1 } from '../codec/norms/inverse.ts'
import { CODED_LENGTHS } from '../codec/norms/length-code.ts'
import type { Leaf } from '../segment/leaf.ts'
import { floatText } from './query/describe.ts'
import type { FreqWeight } from './scorer/freq-scoring.ts'
import { PhraseScorer } from './scorer/phrase-scorer.ts'
import { exactIterator, type Scorer } from './scorer/scorer.ts'
import type { ScorerContext } from './scorer/scorer-context.ts'
import { scorerSupplier } from './scorer/scorer-supplier.ts'
import { UNWATCHED } from './scorer/watch.ts'
import { WindowPool } from './scorer/window-pool.ts'
import { inverseDocFreq } from './similarity/bm25.ts'
import type {
  MultiPhraseWeight,
  PhraseWeight,
  SpanWeight,
  SynonymWeight,
  TermWeight,
  Weight,
  WeightNode,
} from './weight/weight.ts'

/** One step; integers are counts, everything else is a float32. */
export interface Explanation {
  readonly value: number
  readonly isInteger: boolean
  readonly description: string
  readonly details: readonly Explanation[]
}

function step(
  value: number,
  description: string,
  details: readonly Explanation[] = [],
): Explanation {
  return { value: Math.fround(value), isInteger: false, description, details }
}

function countOf(value: number, description: string): Explanation {
  return { value, isInteger: true, description, details: [] }
}

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
  return new Explainer(weight, leaf, leafOrd, docId).explain(weight.root)
}

class Explainer {
  readonly #weight: Weight
  readonly #leaf: Leaf
  readonly #docId: number
  readonly #context: ScorerContext

  constructor(weight: Weight, leaf: Leaf, leafOrd: number, docId: number) {
    this.#weight = weight
    this.#leaf = leaf
    this.#docId = docId
    this.#context = {
      leaf,
      states: weight.leaves[leafOrd] ?? { terms: [], expansions: [] },
      prunes: false,
      wrap: null,
      inverses: new Map(),
      postings: [],
      skippers: [],
      endDoc: leaf.maxDoc,
      windows: new WindowPool(),
      watch: UNWATCHED,
      batches: null,
    }
  }

  /** Null when the node does not match. Depth is that of the query. */
  explain(node: WeightNode): Explanation | null {
    const { scratch } = this.#leaf
    const mark = scratch.mark()
    const scorer = this.#scorerOn(node)
    const score = scorer?.score() ?? 0
    const freq = scorer instanceof PhraseScorer ? scorer.freq() : 0
    scratch.release(mark)
    if (scorer === null) return null
    switch (node.kind) {
      case 'term':
        return node.scored ? this.#term(node, score) : step(score, this.#text(node))
      case 'phrase':
        return node.scored ? this.#phrase(node, score, freq) : step(score, this.#text(node))
      case 'synonym':
        return node.scored ? this.#synonym(node, score) : step(score, this.#text(node))
      case 'multiPhrase':
      case 'span':
        return node.scored ? this.#phrase(node, score, freq) : step(score, this.#text(node))
      case 'boolean': {
        const details = node.clauses.flatMap(({ occur, node: clause }) => {
          if (occur === 'must_not') return []
          const inner = this.explain(clause)
          if (inner === null) return []
          if (occur !== 'filter') return [inner]
          const parts = [step(0, 'FILTER clause'), inner]
          return [step(0, 'match on required clause, product of:', parts)]
        })
        return step(score, 'sum of:', details)
      }
      case 'disMax': {
        const details = node.children.flatMap(child => this.explain(child) ?? [])
        const tie = node.tieBreaker
        const words = tie === 0 ? 'max of:' : `max plus ${floatText(tie)} times others of:`
        return step(score, words, details)
      }
      case 'boosting': {
        const positive = this.explain(node.positive)
        const isNegative = this.explain(node.negative) !== null
        const factor = step((isNegative ? node.factor : 1) * node.boost, 'boost')
        return step(score, 'product of:', positive === null ? [factor] : [positive, factor])
      }
      default: {
        const power = score === 1 ? '' : `^${floatText(score)}`
        return step(score, `${this.#text(node)}${power}`)
      }
    }
  }

  /** The node's scorer, standing on the document; null when it does not match. */
  #scorerOn(node: WeightNode): Scorer | null {
    const scorer = scorerSupplier(node, this.#context)?.get(1) ?? null
    if (scorer === null) return null
    return exactIterator(scorer, UNWATCHED).advance(this.#docId) === this.#docId ? scorer : null
  }

  /** The node's query as it prints, without a boost around it. */
  #text(node: WeightNode): string {
    const { type, description } = this.#weight.nodes[node.id] ?? { type: '', description: '' }
    if (type !== 'BoostQuery') return description
    return description.slice(1, description.lastIndexOf(')^'))
  }

  #term(node: TermWeight, score: number): Explanation {
    const { field, term, termId } = node
    const state = this.#context.states.terms[termId] ?? null
    let freq = 1
    if (state !== null) {
      const mark = this.#leaf.scratch.mark()
      const postings = this.#leaf.postings(field, state)
      if (postings.advance(this.#docId) === this.#docId) freq = postings.freq()
      this.#leaf.scratch.release(mark)
    }
    const occurrences = step(freq, 'freq, occurrences of term within document')
    const idf = this.#idf(termId, node.docCount)
    return this.#weighted(node, `${field}:${term}`, score, freq, occurrences, idf)
  }

  #synonym(node: SynonymWeight, score: number): Explanation {
    let freq = 0
    let commonest = node.termIds[0] ?? 0
    for (const termId of node.termIds) {
      if (this.#docFreq(termId) > this.#docFreq(commonest)) commonest = termId
      const state = this.#context.states.terms[termId] ?? null
      if (state === null) continue
      const mark = this.#leaf.scratch.mark()
      const postings = this.#leaf.postings(node.field, state)
      if (postings.advance(this.#docId) === this.#docId) freq += postings.freq()
      this.#leaf.scratch.release(mark)
    }
    const occurrences = step(freq, `termFreq=${floatText(freq)}`)
    const idf = this.#idf(commonest, node.docCount)
    return this.#weighted(node, this.#text(node), score, freq, occurrences, idf)
  }

  #phrase(
    node: PhraseWeight | MultiPhraseWeight | SpanWeight,
    score: number,
    freq: number,
  ): Explanation {
    const idfs = node.termIds
      .flat()
      .filter(termId => node.kind === 'phrase' || this.#docFreq(termId) > 0)
      .map(termId => this.#idf(termId, node.docCount))
    const sum = idfs.reduce((total, idf) => total + idf.value, 0)
    const text = this.#text(node)
    const occurrences = step(freq, `phraseFreq=${floatText(freq)}`)
    return this.#weighted(node, text, score, freq, occurrences, step(sum, 'idf, sum of:', idfs))
  }

  #weighted(
    node: FreqWeight,
    text: string,
    score: number,
    freq: number,
    occurrences: Explanation,
    idf: Explanation,
  ): Explanation {
    const factors = [idf, this.#tf(node, freq, occurrences)]
    if (node.boost !== 1) factors.unshift(step(node.boost, 'boost'))
    const formula = `score(freq=${floatText(freq)}), computed as boost * idf * tf from:`
    return step(score, `weight(${text} in ${this.#docId}) [PerFieldSimilarity], result of:`, [
      step(score, formula, factors),
    ])
  }

  #idf(termId: number, docCount: number): Explanation {
    const docFreq = this.#docFreq(termId)
    const all = Math.max(docCount, docFreq)
    return step(
      inverseDocFreq(docFreq, all),
      'idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:',
      [
        countOf(docFreq, 'n, number of documents containing term'),
        countOf(all, 'N, total number of documents with field'),
      ],
    )
  }

  #docFreq(termId: number): number {
    let docFreq = 0
    for (const { terms } of this.#weight.leaves) docFreq += terms[termId]?.docFreq ?? 0
    return docFreq
  }

  #tf(node: FreqWeight, freq: number, occurrences: Explanation): Explanation {
    const code = this.#leaf.norms(node.field)?.code(this.#docId) ?? NO_NORM_CODE
    const length = CODED_LENGTHS[code] ?? 1
    const inverse = inverseNorms(node.average)[code] ?? 1
    return step(
      1 - Math.fround(1 / Math.fround(1 + Math.fround(freq * inverse))),
      'tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:',
      [
        occurrences,
        step(K1, 'k1, term saturation parameter'),
        step(B, 'b, length normalization parameter'),
        step(length, `dl, length of field${length >= 40 ? ' (approximate)' : ''}`),
        step(node.average, 'avgdl, average length of field'),
      ],
    )
  }
}
