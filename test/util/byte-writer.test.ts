import { describe, expect, it } from 'vitest'
import { ByteWriter } from '../../src/util/byte-writer.ts'
import { Random } from '../../src/util/random.ts'

describe('bits of numbers', () => {
  it('stand one after another, lowest first, whatever their width', () => {
    const random = new Random(5)
    for (let round = 0; round < 300; round++) {
      const width = round % 33
      const values = Int32Array.from({ length: random.below(40) }, () => random.nextUint32() | 0)
      const start = random.below(values.length + 1)
      const out = new ByteWriter(1)
      out.u8(7)
      out.bits(values, start, values.length, width)
      let all = 0n
      for (let i = values.length - 1; i >= start; i--)
        all = (all << BigInt(width)) | BigInt.asUintN(width, BigInt(values[i]!))
      const expected = [7]
      for (let i = 0; i < Math.ceil(((values.length - start) * width) / 8); i++)
        expected.push(Number((all >> BigInt(8 * i)) & 255n))
      expect([...out.view()]).toEqual(expected)
    }
  })
})
