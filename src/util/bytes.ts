/** UTF-8 and the order of byte strings. */
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** UTF-8 bytes of a string; a lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  const { length } = text
  if (length > SHORT) return encoder.encode(text)
  const bytes = new Uint8Array(length)
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i)
    if (unit > 0x7f) return encoder.encode(text)
    bytes[i] = unit
  }
  return bytes
}

/**
 * Up to this many units, a call of the encoder costs more than its work: most terms are short
 * ASCII.
 */
const SHORT = 32

/**
 * Decodes UTF-8; invalid bytes become U+FFFD, a leading U+FEFF stays. Accepts views of shared
 * memory.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/** Compares two byte strings as unsigned bytes: below 0, 0 or above 0. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return compareByteRanges(a, 0, a.length, b, 0, b.length)
}

/** Compares `a[aStart, aEnd)` and `b[bStart, bEnd)` as unsigned bytes. */
export function compareByteRanges(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const aLength = aEnd - aStart
  const bLength = bEnd - bStart
  const shared = Math.min(aLength, bLength)
  for (let i = 0; i < shared; i++) {
    const difference = a[aStart + i]! - b[bStart + i]!
    if (difference !== 0) return difference
  }
  return aLength - bLength
}
