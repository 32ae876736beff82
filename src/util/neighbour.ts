const BITS = new DataView(new ArrayBuffer(8))

/** The next double above or below; what has none is its own. */
export function neighbour(value: number, above: boolean): number {
  if (Number.isNaN(value) || value === (above ? Infinity : -Infinity)) return value
  if (value === 0) return above ? Number.MIN_VALUE : -Number.MIN_VALUE
  BITS.setFloat64(0, value)
  BITS.setBigInt64(0, BITS.getBigInt64(0) + (value > 0 === above ? 1n : -1n))
  return BITS.getFloat64(0)
}
