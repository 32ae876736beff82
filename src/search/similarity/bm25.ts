/**
 * BM25 as Lucene computes it, step by step in float32, so that scores agree bit for bit:
 *
 *   idf    = f32(ln(1 + (N − n + 0.5) / (n + 0.5)))        N documents with the field, n with the term
 *   w      = f32(boost · idf)
 *   inv[i] = 1 / (k1 · ((1 − b) + b · len(i) / avgdl))     `codec/norms/inverse.ts`
 *   score  = w − w / (1 + f · inv[norm])                   every step in f32
 *
 * Written this way the score cannot fall when f grows or the document gets shorter, rounding
 * included, which the bounds of block skipping rest on. Source: Lucene's `BM25Similarity`.
 */
import { type Bm25Parameters, inverseNorms } from '../../codec/norms/inverse.ts'

const { fround, log } = Math

/**
 * Every upper bound is multiplied by this after all other arithmetic: it covers the rounding of the
 * sums above a clause. Smaller factors vanish in float32 and have lost hits.
 */
export const SLACK: number = 1 + 2 ** -20

/** Inverse document frequency, float32. `docCount` ≥ `docFreq` ≥ 1. */
export function inverseDocFreq(docFreq: number, docCount: number): number {
  return fround(log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5)))
}

/** Mean length of a field in tokens, float32; 1 for a field without any. */
export function averageLength(sumTotalTermFreq: number, docCount: number): number {
  return docCount === 0 || sumTotalTermFreq <= 0 ? 1 : fround(sumTotalTermFreq / docCount)
}

/** One clause's score, float32; `inverse` is the norm's entry in `inverseNorms(averageLength)`. */
export function bm25(weight: number, freq: number, inverse: number): number {
  return fround(weight - fround(weight / fround(1 + fround(fround(freq) * inverse))))
}

/** Least and greatest factor between a field's inverse norms now and when its impacts were made. */
export interface Drift {
  readonly least: number
  readonly most: number
}

const UNKNOWN: Drift = { least: 0, most: Number.POSITIVE_INFINITY }
const NONE: Drift = { least: 1, most: 1 }

/**
 * The drift of a field's inverse norms since its impacts were made, which they are by the default parameters.
 *
 * @param madeWith   the mean length that the impacts were made with; 0: unknown
 * @param average    the mean length for scores now
 * @param parameters null: the default
 */
export function driftOf(
  madeWith: number,
  average: number,
  parameters: Bm25Parameters | null,
): Drift {
  if (!(madeWith > 0)) return UNKNOWN
  if (parameters !== null)
    return driftBetween(inverseNorms(madeWith), inverseNorms(average, parameters))
  const factor = average / madeWith
  if (factor === 1) return NONE
  if (factor > 1) return { least: 1, most: factor }
  return factor < 1 ? { least: factor, most: 1 } : UNKNOWN
}

function driftBetween(before: Float32Array, now: Float32Array): Drift {
  let [least, most] = [Number.POSITIVE_INFINITY, 0]
  for (let code = 0; code < before.length; code++) {
    const factor = now[code]! / before[code]!
    least = Math.min(least, factor)
    most = Math.max(most, factor)
  }
  return { least, most }
}

/**
 * Upper bound of the scores of documents whose `f · inv[norm]` is at most `impact`.
 *
 * @param impact max f · inv[norm] when it was made; Infinity when unknown
 * @param drift  the most of the norms' drift since then
 */
export function maxBm25(weight: number, impact: number, drift: number): number {
  // In float32 like the score itself: each step is monotone, so that rounding cannot push the bound
  // below a score. In double it could, when f · inv is small and the subtraction cancels.
  const share = fround(weight / fround(1 + impact * drift * SLACK))
  return fround(weight - share) * SLACK
}
