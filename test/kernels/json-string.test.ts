import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bufferMemory } from '../../src/indexing/inverted-buffer.ts'
import { StagedBytes } from '../../src/indexing/staged-bytes.ts'
import { JSON_LIMITS, JSON_TOKENS, JsonReader } from '../../src/util/json/json-reader.ts'

const memory = bufferMemory()
const { plainRun } = memory.kernels
const staged = new StagedBytes(memory)

/** All tokens of an input with their places, up to the error's message where there is one. */
function read(reader: JsonReader, bytes: Uint8Array, start: number, end: number): unknown[] {
  const found: unknown[] = []
  try {
    reader.reset(bytes, start, end)
    for (let token = reader.next(); token !== JSON_TOKENS.end; token = reader.next())
      found.push([
        token,
        reader.start - start,
        reader.end - start,
        reader.hasEscapes,
        reader.text(),
      ])
  } catch (error) {
    found.push((error as Error).message)
  }
  return found
}

it('passes over the plain bytes of a string, whatever its length and what ends it', () => {
  const plain = fc.constantFrom(0x20, 0x21, 0x41, 0x5b, 0x5d, 0x61, 0x7e, 0x7f)
  const byte = fc.oneof({ weight: 60, arbitrary: plain }, fc.integer({ min: 0, max: 255 }))
  fc.assert(
    fc.property(fc.array(byte, { maxLength: 90 }), bytes => {
      const at = staged.put(Uint8Array.from(bytes))
      const isPlain = (b: number): boolean => b >= 0x20 && b < 0x80 && b !== 0x22 && b !== 0x5c
      for (let from = 0; from <= bytes.length; from++) {
        const other = bytes.findIndex((b, i) => i >= from && !isPlain(b))
        const expected = other < 0 ? bytes.length : other
        expect(plainRun(at + from, at + bytes.length) - at).toBe(expected)
      }
    }),
    { seed: 3, numRuns: 500 },
  )
})

it('reads the same tokens and errors with and without a kernel', () => {
  const alone = new JsonReader(JSON_LIMITS)
  const helped = new JsonReader(JSON_LIMITS, plainRun)
  const text = fc.string({
    unit: fc.constantFrom(...'abc "\\\n\t\u0001é漢💩0123456789xyz'),
    maxLength: 60,
  })
  const value = fc.oneof(text, fc.integer(), fc.array(text, { maxLength: 3 }))
  const input = fc.tuple(
    fc.dictionary(text, value, { maxKeys: 4 }),
    fc.option(fc.tuple(fc.nat(200), fc.nat(255))),
  )
  let broken = 0
  fc.assert(
    fc.property(input, ([object, damage]) => {
      const bytes = new TextEncoder().encode(JSON.stringify(object))
      if (damage !== null && damage[0] < bytes.length) bytes[damage[0]] = damage[1]
      const at = staged.put(bytes)
      const found = read(helped, memory.views.u8, at, at + bytes.length)
      expect(found).toEqual(read(alone, bytes, 0, bytes.length))
      if (typeof found.at(-1) === 'string') broken++
    }),
    { seed: 4, numRuns: 3000 },
  )
  expect(broken).toBeGreaterThan(300)
})
