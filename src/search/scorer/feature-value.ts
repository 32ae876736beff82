/** Numbers of features, kept as the upper 17 of the 32 bits of a float, and functions of them. */

/** Functions that make scores of features; numbers are float32. */
export type FeatureFunction =
  | { readonly kind: 'log'; readonly scalingFactor: number }
  /** A null pivot is the mean of the shard's documents. */
  | { readonly kind: 'saturation'; readonly pivot: number | null }
  | { readonly kind: 'sigmoid'; readonly pivot: number; readonly exponent: number }
  | { readonly kind: 'linear' }

const bits = new Uint32Array(1)
const float = new Float32Array(bits.buffer)

/** The number of a frequency, float32. */
export function decodedFeature(freq: number): number {
  bits[0] = freq << 15
  return float[0]!
}

/** The score of a feature's number, float32, every step as Lucene's `FeatureField` rounds it. */
export function featureScore(fn: FeatureFunction, weight: number, value: number): number {
  const f32 = Math.fround
  switch (fn.kind) {
    case 'log':
      return f32(weight * Math.log(f32(fn.scalingFactor + value)))
    case 'saturation': {
      const pivot = fn.pivot ?? 1
      return f32(weight * f32(1 - f32(pivot / f32(value + pivot))))
    }
    case 'sigmoid': {
      const pivot = fn.pivot ** fn.exponent
      return f32(weight * (1 - pivot / (value ** fn.exponent + pivot)))
    }
    case 'linear':
      return f32(weight * value)
  }
}
