import { BLOCK_POINTS } from './point-blocks.ts'
import { radixSort } from './radix-sort.ts'

/**
 * Rows tile by tile (sort-tile-recursive, Leutenegger 1997): in order of the first coordinate they are cut into
 * strips of as many blocks as there are strips, and each strip is put in order of the second. Equal ones stand
 * in order of document.
 * @param first  words of the first coordinate, most significant first
 * @param second the second's
 */
export function tileOrder(
  docs: Int32Array,
  first: readonly Uint32Array[],
  second: readonly Uint32Array[],
  count: number,
): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i)
  radixSort(order, 0, count, [...first, ...second, docs])
  const blocksOfStrip = Math.ceil(Math.sqrt(Math.ceil(count / BLOCK_POINTS)))
  const strip = blocksOfStrip * BLOCK_POINTS
  for (let from = 0; from < count; from += strip)
    radixSort(order, from, Math.min(from + strip, count), second)
  return order
}
