/** MurmurHash3 for 64-bit machines with 128 bits of result, by Austin Appleby; seed 0. */

const MASK = (1n << 64n) - 1n
const C1 = 0x87c37b91114253d5n
const C2 = 0x4cf5ad432745937fn

/** The two halves of the hash, unsigned. */
export function murmur128(bytes: Uint8Array): readonly [bigint, bigint] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let h1 = 0n
  let h2 = 0n
  const whole = bytes.length & ~15
  for (let at = 0; at < whole; at += 16) {
    h1 ^= scramble1(view.getBigUint64(at, true))
    h1 = (((rotate(h1, 27n) + h2) & MASK) * 5n + 0x52dce729n) & MASK
    h2 ^= scramble2(view.getBigUint64(at + 8, true))
    h2 = (((rotate(h2, 31n) + h1) & MASK) * 5n + 0x38495ab5n) & MASK
  }
  h2 ^= scramble2(tail(bytes, whole + 8, bytes.length))
  h1 ^= scramble1(tail(bytes, whole, Math.min(whole + 8, bytes.length)))
  const length = BigInt(bytes.length)
  h1 ^= length
  h2 ^= length
  h1 = (h1 + h2) & MASK
  h2 = (h2 + h1) & MASK
  h1 = mix(h1)
  h2 = mix(h2)
  h1 = (h1 + h2) & MASK
  h2 = (h2 + h1) & MASK
  return [h1, h2]
}

function tail(bytes: Uint8Array, start: number, end: number): bigint {
  let value = 0n
  for (let i = end - 1; i >= start; i--) value = (value << 8n) | BigInt(bytes[i]!)
  return value
}

function scramble1(k: bigint): bigint {
  return (rotate((k * C1) & MASK, 31n) * C2) & MASK
}

function scramble2(k: bigint): bigint {
  return (rotate((k * C2) & MASK, 33n) * C1) & MASK
}

function rotate(value: bigint, by: bigint): bigint {
  return ((value << by) | (value >> (64n - by))) & MASK
}

function mix(value: bigint): bigint {
  let k = value
  k ^= k >> 33n
  k = (k * 0xff51afd7ed558ccdn) & MASK
  k ^= k >> 33n
  k = (k * 0xc4ceb9fe1a85ec53n) & MASK
  return k ^ (k >> 33n)
}
