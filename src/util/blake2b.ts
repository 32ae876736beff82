/**
 * BLAKE2b of 32 bytes (RFC 7693) with a salt or a personalization, which `node:crypto` does not take. Words of 64 bits are
 * pairs of 32, the lower half first.
 */

const BLOCK_BYTES = 128
const DIGEST_BYTES = 32

const IV = new Uint32Array([
  0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a,
  0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
])

/** Orders of message words by round; rounds 10 and 11 are those of 0 and 1. */
const SIGMA: readonly (readonly number[])[] = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
]
const ROUNDS = 12

/** The words that each of the eight steps of a round mixes. */
const MIXED: readonly (readonly [a: number, b: number, c: number, d: number])[] = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
]

/**
 * The digest of some bytes, 32 long.
 * @param salt            16 bytes, or none
 * @param personalization 16 bytes, or none
 */
export function blake2b256(
  input: Uint8Array,
  salt: Uint8Array = new Uint8Array(0),
  personalization: Uint8Array = new Uint8Array(0),
): Uint8Array {
  const parameters = new Uint8Array(64)
  // Length of the digest; no key; one leaf, depth one.
  parameters.set([DIGEST_BYTES, 0, 1, 1])
  parameters.set(salt, 32)
  parameters.set(personalization, 48)
  const state = IV.map((word, i) => word ^ wordAt(parameters, 4 * i))
  const block = new Uint8Array(BLOCK_BYTES)
  // The last block is never empty, unless the input is.
  const last = Math.max(0, Math.ceil(input.length / BLOCK_BYTES) - 1) * BLOCK_BYTES
  for (let at = 0; at < last; at += BLOCK_BYTES) {
    block.set(input.subarray(at, at + BLOCK_BYTES))
    compress(state, block, at + BLOCK_BYTES, false)
  }
  block.fill(0)
  block.set(input.subarray(last))
  compress(state, block, input.length, true)
  const digest = new Uint8Array(DIGEST_BYTES)
  for (let i = 0; i < DIGEST_BYTES; i++) digest[i] = state[i >> 2]! >>> (8 * (i & 3))
  return digest
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
  )
}

/** @param count bytes up to the end of the block, its padding excluded; below 2⁵³ */
function compress(state: Uint32Array, block: Uint8Array, count: number, isLast: boolean): void {
  const message = new Uint32Array(32)
  for (let i = 0; i < 32; i++) message[i] = wordAt(block, 4 * i)
  const v = new Uint32Array(32)
  v.set(state)
  v.set(IV, 16)
  v[24]! ^= count >>> 0
  v[25]! ^= Math.floor(count / 2 ** 32)
  if (isLast) {
    v[28]! ^= 0xffffffff
    v[29]! ^= 0xffffffff
  }
  for (let round = 0; round < ROUNDS; round++) {
    const order = SIGMA[round % SIGMA.length]!
    for (let step = 0; step < MIXED.length; step++)
      mix(v, MIXED[step]!, message, order[2 * step]!, order[2 * step + 1]!)
  }
  for (let i = 0; i < 16; i++) state[i]! ^= v[i]! ^ v[i + 16]!
}

function mix(
  v: Uint32Array,
  [a, b, c, d]: readonly [number, number, number, number],
  message: Uint32Array,
  first: number,
  second: number,
): void {
  addTo(v, a, v, b)
  addTo(v, a, message, first)
  turn(v, d, a, 32)
  addTo(v, c, v, d)
  turn(v, b, c, 24)
  addTo(v, a, v, b)
  addTo(v, a, message, second)
  turn(v, d, a, 16)
  addTo(v, c, v, d)
  turn(v, b, c, 63)
}

/** Adds a word of 64 bits to another. */
function addTo(v: Uint32Array, to: number, from: Uint32Array, word: number): void {
  const low = v[2 * to]! + from[2 * word]!
  const high = v[2 * to + 1]! + from[2 * word + 1]! + (low >= 2 ** 32 ? 1 : 0)
  v[2 * to] = low
  v[2 * to + 1] = high
}

/** Turns what differs between two words to the right, into the first of them. */
function turn(v: Uint32Array, to: number, other: number, by: number): void {
  const low = v[2 * to]! ^ v[2 * other]!
  const high = v[2 * to + 1]! ^ v[2 * other + 1]!
  if (by === 32) {
    v[2 * to] = high
    v[2 * to + 1] = low
  } else if (by < 32) {
    v[2 * to] = (low >>> by) | (high << (32 - by))
    v[2 * to + 1] = (high >>> by) | (low << (32 - by))
  } else {
    v[2 * to] = (high >>> (by - 32)) | (low << (64 - by))
    v[2 * to + 1] = (low >>> (by - 32)) | (high << (64 - by))
  }
}
