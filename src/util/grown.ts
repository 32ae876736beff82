/** A copy of an array in a larger one. @param size of the copy, no less than the array's */
export function grown(array: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(size)
  larger.set(array)
  return larger
}
