import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HashSketches } from '../../../src/aggregation/cardinality/hash-sketches.ts'
import {
  estimate,
  exactLimit,
  noteHash,
  precisionOf,
} from '../../../src/aggregation/cardinality/hyper-log-log.ts'
import { mix64, Word64 } from '../../../src/util/word64.ts'

const free = (): void => {}
const hashOf = (value: number): Word64 => {
  const word = new Word64()
  word.set(0, value)
  mix64(word)
  return word
}

it('takes 14 index bits and 3072 exact values for a threshold of 3000', () => {
  expect([0, 1, 100, 3000, 40_000].map(precisionOf)).toEqual([4, 4, 10, 14, 18])
  expect(exactLimit(14)).toBe(3072)
})

it('is exact up to its limit and close beyond', () => {
  const sketches = new HashSketches(10, free)
  for (let value = 1; value <= 100_000; value++) {
    const { high, low } = hashOf(value)
    sketches.add(0, high, low)
    sketches.add(0, high, low)
    if (value <= 192) expect(sketches.count(0)).toBe(value)
  }
  expect(Math.abs(sketches.count(0) / 100_000 - 1)).toBeLessThan(3 * (1.04 / 32))
})

it('estimates from the registers of all hashes', () => {
  const registers = new Uint8Array(16)
  expect(estimate(registers, 4)).toBe(0)
  noteHash(registers, 4, 0x50000000, 0)
  expect(Array.from(registers)).toEqual(Array.from({ length: 16 }, (_, i) => (i === 5 ? 61 : 0)))
  noteHash(registers, 4, 0x5fffffff, 0)
  expect(registers[5]).toBe(61)
  noteHash(registers, 4, -1, -1)
  expect(registers[15]).toBe(1)
})

it('keeps the same state for any order and partition of the same values', () => {
  const value = fc.record({ owner: fc.nat(2), value: fc.nat(60), slice: fc.nat(2) })
  fc.assert(
    fc.property(fc.array(value, { maxLength: 300 }), values => {
      const whole = new HashSketches(4, free)
      const slices = [0, 1, 2].map(() => new HashSketches(4, free))
      for (const each of values) {
        const { high, low } = hashOf(each.value)
        whole.add(each.owner, high, low)
        slices[each.slice]!.add(2 - each.owner, high, low)
      }
      const merged = new HashSketches(4, free)
      for (const slice of slices.reverse()) merged.merge(slice.partial(), Int32Array.of(2, 1, 0))
      const closed = new HashSketches(4, free)
      closed.merge(merged.pick(Int32Array.of(1, 2)), Int32Array.of(1, 2))
      for (const owner of [0, 1, 2]) {
        const distinct = new Set(values.filter(v => v.owner === owner).map(v => v.value)).size
        if (distinct <= exactLimit(4)) expect(whole.count(owner)).toBe(distinct)
        expect(merged.count(owner)).toBe(whole.count(owner))
        if (owner > 0) expect(closed.count(owner)).toBe(whole.count(owner))
      }
    }),
  )
})
