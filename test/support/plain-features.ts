/** Features and their scores, the plain way: numbers keep 17 bits of a float's 32. */
import type { FeatureFunction } from '../../src/search/scorer/feature-value.ts'

const f32 = Math.fround

/** What is kept of a number, and back. */
export const plainFeature = {
  freqOf(value: number): number {
    const bytes = Buffer.alloc(4)
    bytes.writeFloatBE(value)
    return bytes.readUInt32BE() >>> 15
  },
  valueOf(freq: number): number {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE((freq << 15) >>> 0)
    return bytes.readFloatBE()
  },
}

/** The score of a number; a saturation has its pivot. */
export function plainFeatureScore(of: FeatureFunction, value: number, boost: number): number {
  const kept = plainFeature.valueOf(plainFeature.freqOf(value))
  switch (of.kind) {
    case 'linear':
      return f32(boost * kept)
    case 'log':
      return f32(boost * Math.log(f32(of.scalingFactor + kept)))
    case 'saturation':
      return f32(boost * f32(1 - f32(of.pivot! / f32(kept + of.pivot!))))
    case 'sigmoid': {
      const pivot = of.pivot ** of.exponent
      return f32(boost * (1 - pivot / (kept ** of.exponent + pivot)))
    }
  }
}
