import { CODED_LENGTHS } from './length-code.ts'

/** BM25's parameters, float32. */
export interface Bm25Parameters {
  /** How late repeated terms stop to count: 0 or more. */
  readonly k1: number
  /** Weight of the document length, from 0 to 1. */
  readonly b: number
}

/** As in Lucene and OpenSearch, which segments keep their impacts by. */
export const DEFAULT_BM25: Bm25Parameters = { k1: Math.fround(1.2), b: Math.fround(0.75) }

/**
 * 1 / (k1 · ((1 − b) + b · length / averageLength)) for each length code, every step in float32 as
 * Lucene's `BM25Similarity` computes it. Scores and impacts are term frequencies multiplied by it.
 *
 * @param averageLength tokens of the field per document that has it; float32
 */
export function inverseNorms(
  averageLength: number,
  { k1, b }: Bm25Parameters = DEFAULT_BM25,
): Float32Array {
  const f32 = Math.fround
  const average = f32(averageLength)
  const rest = f32(1 - b)
  const inverse = new Float32Array(256)
  for (let code = 0; code < 256; code++) {
    const share = f32(f32(b * f32(CODED_LENGTHS[code]!)) / average)
    inverse[code] = f32(1 / f32(k1 * f32(rest + share)))
  }
  return inverse
}
