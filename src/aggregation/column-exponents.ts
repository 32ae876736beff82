import { decodePoint } from '../search/scorer/point-encoding.ts'
import type { Leaf } from '../segment/leaf.ts'
import { ALL_EXPONENTS, type Exponents, exponentsOf, LONG_EXPONENTS, unionOf } from './exact-sum.ts'
import type { NumberSource } from './value-source.ts'

/**
 * Exponents of all values of a column, the missing one included, from the statistics of its leaves.
 * @returns of the stored integers or floating-point numbers, which sums add, and of decoded values
 */
export function columnExponents(
  source: NumberSource,
  leaves: readonly Leaf[],
): { readonly stored: Exponents; readonly decoded: Exponents } {
  const { encoding, scale } = source
  if (encoding === 'long' || encoding === 'unsignedLong') {
    // A quotient has 53 bits from the exponent of the smallest one, 1 / scale, on.
    const decoded =
      scale === 1
        ? LONG_EXPONENTS
        : { min: exponentsOf(1 / scale).min, max: LONG_EXPONENTS.max + exponentsOf(1 / scale).max }
    return { stored: LONG_EXPONENTS, decoded }
  }
  // A script may give any double.
  if (source.script !== undefined) return { stored: ALL_EXPONENTS, decoded: ALL_EXPONENTS }
  let found: Exponents | null = null
  for (const leaf of leaves) {
    const bounds = leaf.numericValues(source.field)?.exponents() ?? null
    if (bounds !== null) found = unionOf(found, bounds)
  }
  if (source.missing !== null) {
    const high = Number(BigInt.asIntN(32, source.missing >> 32n))
    const low = Number(source.missing & 0xffffffffn)
    found = unionOf(found, exponentsOf(decodePoint(high, low, encoding)))
  }
  const exponents = found ?? { min: 0, max: 0 }
  return { stored: exponents, decoded: exponents }
}
