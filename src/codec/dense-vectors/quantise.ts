import { firstCodes, MAX_CODE } from './format.ts'

/** Codes of a vector. */
export interface Quantised {
  /** The value of one step; 0 for a vector of zeros. */
  readonly step: number
  /** No less than the length of the difference between the vector and its codes in steps; float32. */
  readonly rest: number
  /** No less than the length of the codes from `firstCodes` on, in steps; float32. */
  readonly tail: number
}

/** Rounds a bound up by more than all float32 and double rounding on the way to it. */
const SLACK = 1 + 2 ** -20
/** The least float32 above 0. */
const LEAST = 2 ** -149

/**
 * Rounds a vector's components to steps of a 127th of the largest.
 * @param vector finite
 * @param codes  receives them; as long as the vector, or longer
 */
export function quantise(vector: Float32Array, codes: Int8Array): Quantised {
  let largest = 0
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]!))
  const step = Math.fround(largest / MAX_CODE)
  // Of a step that is no normal number the inverse is infinite: all of the vector is left out.
  const inverse = 1 / step
  const isCoded = Number.isFinite(inverse) && step > 0
  const first = firstCodes(vector.length)
  let left = 0
  let behind = 0
  for (let i = 0; i < vector.length; i++) {
    const wanted = isCoded ? Math.round(vector[i]! * inverse) : 0
    const code = Math.max(-MAX_CODE, Math.min(MAX_CODE, wanted))
    codes[i] = code
    left += (vector[i]! - code * step) ** 2
    if (i >= first) behind += code ** 2
  }
  return {
    step: isCoded ? step : 0,
    rest: Math.fround(Math.sqrt(left) * SLACK + LEAST),
    tail: behind === 0 ? 0 : Math.fround(step * Math.sqrt(behind) * SLACK),
  }
}
