/** Explanations of nodes that score by frequency in a field. */
import { NO_NORM_CODE } from '../../codec/norms/format.ts'
import { type Bm25Parameters, DEFAULT_BM25, inverseNorms } from '../../codec/norms/inverse.ts'
import { CODED_LENGTHS } from '../../codec/norms/length-code.ts'
import { floatText } from '../../util/json/float-text.ts'
import { inverseDocFreq } from '../similarity/bm25.ts'
import { explainScripts } from './explain-scripts.ts'
import {
  countOf,
  type ExplainedMatch,
  type Explainer,
  type Explanation,
  step,
} from './explanation.ts'
import { type FreqWeight, lengthOf } from './freq-scoring.ts'
import { explainModel } from './model/model-types.ts'
import { bm25Of, factorOf } from './similarity.ts'

/** A frequency's score, as it is explained. */
interface ExplainedScore {
  readonly score: number
  readonly boost: number
  readonly freq: number
  /** How `freq` was counted. */
  readonly occurrences: Explanation
  /** The inverse document frequency, or the sum of the terms'. */
  readonly idf: Explanation
  /** The document's length in its code, and the mean length. */
  readonly lengthCode: number
  readonly average: number
  /** Null: the default ones. */
  readonly parameters: Bm25Parameters | null
}

/**
 * Explains a frequency's score.
 * @param text        the node as printed
 * @param occurrences how `freq` was counted
 * @param idf         the node's inverse document frequency, or the sum of its terms'
 */
export function explainFrequency(
  node: FreqWeight,
  text: string,
  score: number,
  freq: number,
  occurrences: Explanation,
  idf: Explanation,
  at: Explainer,
): Explanation {
  const { average, similarity } = node
  const boost = Math.fround(node.boost * factorOf(similarity))
  const lengthCode = at.leaf.norms(node.field)?.code(at.docId) ?? NO_NORM_CODE
  const parameters = bm25Of(similarity)
  const scored = { score, boost, freq, occurrences, idf, lengthCode, average, parameters }
  return step(score, `weight(${text} in ${at.docId}) [PerFieldSimilarity], result of:`, [
    similarity?.kind === 'scripted'
      ? explainScripts(similarity, occurrences, lengthOf(lengthCode))
      : similarity?.kind === 'model'
        ? explainModel(similarity.model, similarity.terms, occurrences, lengthOf(lengthCode))
        : explainScore(scored),
  ])
}

/** Explains the computation of a BM25 score. */
export function explainScore(scored: ExplainedScore): Explanation {
  const { score, boost, freq, idf } = scored
  const factors = [idf, explainTf(scored)]
  if (boost !== 1) factors.unshift(step(boost, 'boost'))
  const formula = `score(freq=${floatText(freq)}), computed as boost * idf * tf from:`
  return step(score, formula, factors)
}

/**
 * The same for a phrase.
 * @param termIds the terms whose idfs are summed
 */
export function explainPhrase(
  node: FreqWeight,
  { score, phraseFreq }: ExplainedMatch,
  termIds: readonly number[],
  at: Explainer,
): Explanation {
  const text = at.text(node)
  if (!node.scored) return step(score, text)
  const idfs = termIds.map(termId => explainIdf(termId, node.docCount, at))
  const sum = idfs.reduce((total, idf) => total + idf.value, 0)
  const occurrences = step(phraseFreq, `phraseFreq=${floatText(phraseFreq)}`)
  const idf = step(sum, 'idf, sum of:', idfs)
  return explainFrequency(node, text, score, phraseFreq, occurrences, idf, at)
}

/** A term's frequency in the document; 0 when it does not occur. */
export function freqOf(field: string, termId: number, { leaf, states, docId }: Explainer): number {
  const state = states.terms[termId] ?? null
  if (state === null) return 0
  const mark = leaf.scratch.mark()
  const postings = leaf.postings(field, state)
  const freq = postings.advance(docId) === docId ? postings.freq() : 0
  leaf.scratch.release(mark)
  return freq
}

/** A term's document frequency over the shard. */
export function shardDocFreq(termId: number, { weight }: Explainer): number {
  let docFreq = 0
  for (const { terms } of weight.leaves) docFreq += terms[termId]?.docFreq ?? 0
  return docFreq
}

/** @param docCount documents of the shard that have the field */
export function explainIdf(termId: number, docCount: number, at: Explainer): Explanation {
  return explainIdfOf(shardDocFreq(termId, at), docCount)
}

/** An inverse document frequency. */
export function explainIdfOf(docFreq: number, docCount: number): Explanation {
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

function explainTf({
  freq,
  occurrences,
  lengthCode,
  average,
  parameters,
}: ExplainedScore): Explanation {
  const { k1, b } = parameters ?? DEFAULT_BM25
  const length = CODED_LENGTHS[lengthCode] ?? 1
  const inverse = inverseNorms(average, { k1, b })[lengthCode] ?? 1
  return step(
    1 - Math.fround(1 / Math.fround(1 + Math.fround(freq * inverse))),
    'tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:',
    [
      occurrences,
      step(k1, 'k1, term saturation parameter'),
      step(b, 'b, length normalization parameter'),
      step(length, `dl, length of field${length >= 40 ? ' (approximate)' : ''}`),
      step(average, 'avgdl, average length of field'),
    ],
  )
}
