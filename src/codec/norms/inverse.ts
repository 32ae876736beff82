import { CODED_LENGTHS } from './length-code.ts'

/** BM25's parameters, as in Lucene and OpenSearch. */
export const K1: number = Math.fround(1.2)
/** The parameter b of BM25: weight of the document length. */
export const B: number = Math.fround(0.75)

/**
 * 1 / (k1 · ((1 − b) + b · length / averageLength)) for each length code, every step in float32 as
 * Lucene's `BM25Similarity` computes it. Scores and impacts are term frequencies multiplied by it.
 *
 * @param averageLength tokens of the field per document that has it; float32
 */
export function inverseNorms(averageLength: number): Float32Array {
  const f32 = Math.fround
  const average = f32(averageLength)
  const rest = f32(1 - B)
  const inverse = new Float32Array(256)
  for (let code = 0; code < 256; code++) {
    const share = f32(f32(B * f32(CODED_LENGTHS[code]!)) / average)
    inverse[code] = f32(1 / f32(K1 * f32(rest + share)))
  }
  return inverse
}
