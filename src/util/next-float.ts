/** The float32 number behind another one: where no score of another document lies between. */

const floats = new Float32Array(1)
const ints = new Int32Array(floats.buffer)

/** The next float32 above a non-negative one. */
export function nextFloat(value: number): number {
  floats[0] = value
  ints[0] = ints[0]! + 1
  return floats[0]!
}
