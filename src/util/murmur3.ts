/**
 * MurmurHash3_x86_32 over `bytes[start, end)`, as a signed 32-bit integer. Routing depends on it:
 * the shard of a document follows from the hash of its routing value's UTF-16LE bytes with seed 0,
 * as in OpenSearch (`Murmur3HashFunction`).
 */
export function murmur3(
  bytes: Uint8Array,
  seed: number,
  start = 0,
  end: number = bytes.length,
): number {
  const c1 = 0xcc9e2d51
  const c2 = 0x1b873593
  const length = end - start
  const whole = start + (length & ~3)
  let h = seed | 0
  for (let i = start; i < whole; i += 4) {
    let k = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24)
    k = Math.imul(k, c1)
    k = (k << 15) | (k >>> 17)
    h ^= Math.imul(k, c2)
    h = (h << 13) | (h >>> 19)
    h = (Math.imul(h, 5) + 0xe6546b64) | 0
  }
  let k = 0
  const rest = length & 3
  if (rest === 3) k ^= bytes[whole + 2]! << 16
  if (rest >= 2) k ^= bytes[whole + 1]! << 8
  if (rest >= 1) {
    k ^= bytes[whole]!
    k = Math.imul(k, c1)
    k = (k << 15) | (k >>> 17)
    h ^= Math.imul(k, c2)
  }
  h ^= length
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/** The routing hash of a string: murmur3 over its UTF-16LE bytes, seed 0. */
export function routingHash(value: string): number {
  const bytes = new Uint8Array(value.length * 2)
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i)
    bytes[2 * i] = unit & 0xff
    bytes[2 * i + 1] = unit >>> 8
  }
  return murmur3(bytes, 0)
}
