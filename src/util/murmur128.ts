/** MurmurHash3 for 64-bit machines with 128 bits of result, by Austin Appleby; seed 0. */
import { Word64 } from './word64.ts'

const h1 = new Word64()
const h2 = new Word64()
const k = new Word64()

/** The two halves of the hash, unsigned. */
export function murmur128(bytes: Uint8Array): readonly [bigint, bigint] {
  run(bytes)
  return [h1.toBigInt(), h2.toBigInt()]
}

/** The first half of the hash. */
export function murmur128First(bytes: Uint8Array, to: Word64): void {
  run(bytes)
  to.set(h1.high, h1.low)
}

function run(bytes: Uint8Array): void {
  const { length } = bytes
  const whole = length & ~15
  h1.set(0, 0)
  h2.set(0, 0)
  for (let at = 0; at < whole; at += 16) {
    k.set(wordAt(bytes, at + 4, length), wordAt(bytes, at, length))
    scramble1()
    h1.xor(k.high, k.low)
    h1.rotate(27)
    h1.add(h2.high, h2.low)
    h1.multiply(0, 5)
    h1.add(0, 0x52dce729)
    k.set(wordAt(bytes, at + 12, length), wordAt(bytes, at + 8, length))
    scramble2()
    h2.xor(k.high, k.low)
    h2.rotate(31)
    h2.add(h1.high, h1.low)
    h2.multiply(0, 5)
    h2.add(0, 0x38495ab5)
  }
  k.set(wordAt(bytes, whole + 12, length), wordAt(bytes, whole + 8, length))
  scramble2()
  h2.xor(k.high, k.low)
  k.set(wordAt(bytes, whole + 4, length), wordAt(bytes, whole, length))
  scramble1()
  h1.xor(k.high, k.low)
  h1.xor(0, length)
  h2.xor(0, length)
  h1.add(h2.high, h2.low)
  h2.add(h1.high, h1.low)
  finish(h1)
  finish(h2)
  h1.add(h2.high, h2.low)
  h2.add(h1.high, h1.low)
}

/** Four bytes from the lowest on; those behind the end are 0. */
function wordAt(bytes: Uint8Array, at: number, length: number): number {
  if (at + 4 <= length)
    return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
  let word = 0
  for (let i = length - 1; i >= at; i--) word = (word << 8) | bytes[i]!
  return word
}

function scramble1(): void {
  k.multiply(0x87c37b91, 0x114253d5)
  k.rotate(31)
  k.multiply(0x4cf5ad43, 0x2745937f)
}

function scramble2(): void {
  k.multiply(0x4cf5ad43, 0x2745937f)
  k.rotate(33)
  k.multiply(0x87c37b91, 0x114253d5)
}

function finish(word: Word64): void {
  word.xorShift(33)
  word.multiply(0xff51afd7, 0xed558ccd)
  word.xorShift(33)
  word.multiply(0xc4ceb9fe, 0x1a85ec53)
  word.xorShift(33)
}
