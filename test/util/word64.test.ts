import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mix64, Word64 } from '../../src/util/word64.ts'

const long = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const halvesOf = (value: bigint): [number, number] => [
  Number(value >> 32n),
  Number(value & 0xffffffffn),
]
const mod = (value: bigint): bigint => BigInt.asUintN(64, value)

function wordOf(value: bigint): Word64 {
  const word = new Word64()
  word.set(...halvesOf(value))
  return word
}

it('adds, multiplies, rotates and shifts as integers of 64 bits do', () => {
  fc.assert(
    fc.property(long, long, fc.integer({ min: 1, max: 63 }), (a, b, by) => {
      const results: [(word: Word64) => void, bigint][] = [
        [word => word.add(...halvesOf(b)), a + b],
        [word => word.multiply(...halvesOf(b)), a * b],
        [word => word.xor(...halvesOf(b)), a ^ b],
        [word => word.xorShift(by), a ^ (a >> BigInt(by))],
      ]
      if (by !== 32)
        results.push([word => word.rotate(by), (a << BigInt(by)) | (a >> BigInt(64 - by))])
      for (const [change, expected] of results) {
        const word = wordOf(a)
        change(word)
        expect(word.toBigInt()).toBe(mod(expected))
      }
    }),
  )
})

it('mixes integers as the real server does', () => {
  fc.assert(
    fc.property(long, value => {
      const word = wordOf(value)
      mix64(word)
      let z = value
      z = mod((z ^ (z >> 32n)) * 0x4cd6944c5cc20b6dn)
      z = mod((z ^ (z >> 29n)) * 0xfc12c5b19d3259e9n)
      expect(word.toBigInt()).toBe(z ^ (z >> 32n))
    }),
  )
})
