const BYTE_VALUES = 256

/**
 * Sorts the indices `order[from, to)` by the numbers that they have in columns: by the first column,
 * equal ones by the next. A radix sort by bytes from the lowest up, stable at each byte, so that its
 * time depends on nothing but the lengths.
 * @param columns of 32-bit words, compared as unsigned; doc IDs may stand in one too
 */
export function radixSort(
  order: Uint32Array,
  from: number,
  to: number,
  columns: readonly (Uint32Array | Int32Array)[],
): void {
  const count = to - from
  if (count < 2) return
  let current: Uint32Array = order.subarray(from, to)
  let other: Uint32Array = new Uint32Array(count)
  const starts = new Uint32Array(BYTE_VALUES)
  for (const key of columns.toReversed())
    for (let shift = 0; shift < 32; shift += 8) {
      starts.fill(0)
      for (let i = 0; i < count; i++) {
        const byte = (key[current[i]!]! >>> shift) & 0xff
        starts[byte] = starts[byte]! + 1
      }
      if (starts[(key[current[0]!]! >>> shift) & 0xff] === count) continue
      for (let byte = 0, start = 0; byte < BYTE_VALUES; byte++) {
        const next = start + starts[byte]!
        starts[byte] = start
        start = next
      }
      for (let i = 0; i < count; i++) {
        const index = current[i]!
        const byte = (key[index]! >>> shift) & 0xff
        const target = starts[byte]!
        starts[byte] = target + 1
        other[target] = index
      }
      const sorted = other
      other = current
      current = sorted
    }
  if (current.buffer !== order.buffer) order.set(current, from)
}
