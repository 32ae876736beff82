import { afterEach, describe, expect, it, vi } from 'vitest'
import { openIds } from '../../src/codec/ids/reader.ts'
import { writeIds } from '../../src/codec/ids/writer.ts'
import { newDocumentId } from '../../src/engine/document/document-id.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { CorruptSegmentError } from '../../src/util/errors.ts'
import { Random } from '../../src/util/random.ts'
import { testArena } from '../support/test-arena.ts'

const arena = testArena(16 << 20)

function write(ids: readonly string[]): Uint8Array {
  const offsets = new Uint32Array(ids.length + 1)
  ids.forEach((id, i) => {
    offsets[i + 1] = offsets[i]! + Buffer.byteLength(id)
  })
  return writeIds(encodeUtf8(ids.join('')), offsets, ids.length)
}

function open(bytes: Uint8Array) {
  arena.clear()
  return openIds(arena.section(bytes))
}

const random = new Random(81)
const hex = (count: number): string =>
  Array.from({ length: count }, () => random.below(16).toString(16)).join('')

/** The id of document `i`, where so many are made in a millisecond: what ids share is as the clock has it. */
function made(i: number, perMillisecond: number): string {
  vi.useFakeTimers({ now: 1_790_000_000_000 + Math.floor(i / perMillisecond), toFake: ['Date'] })
  return newDocumentId()
}

/** Makers of ids by what they look like, and the most bytes that 1,280 of them may take each. */
const KINDS: readonly (readonly [string, (i: number) => string, number])[] = [
  ['made by the server', i => made(i, 400), 3.5],
  ['made by the server, five a millisecond', i => made(i, 5), 4.25],
  ['the same but for a counter', i => `order-${String(100_000 + i)}`, 4.5],
  ['whole numbers', i => String(i * 3), 5],
  ['hexadecimal', () => hex(32), 19.5],
  ['UUIDs', () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`, 20],
  ['paths of any length', i => `https://example.org/${hex(i % 40)}/${i}`, 33],
  ['bytes above ASCII', i => `größe-${i}-日本`, 16],
  ['long', i => 'x'.repeat(300) + hex(i % 7), 12],
  ['of any length, the empty one among them', i => hex(i % 5), 6],
]

afterEach(() => {
  vi.useRealTimers()
})

describe('ids', () => {
  it.each(KINDS)('%s come back and are found, for any number of documents', (_, idOf, most) => {
    for (const count of [0, 1, 2, 127, 128, 129, 255, 257, 1280]) {
      const ids = Array.from({ length: count }, (_, i) => idOf(i))
      const bytes = write(ids)
      const reader = open(bytes)
      expect(reader.maxDoc).toBe(count)
      ids.forEach((id, i) => {
        expect(Buffer.from(reader.id(i)).toString()).toBe(id)
        expect(ids[reader.lookup(encodeUtf8(id))]).toBe(id)
      })
      expect(reader.lookup(encodeUtf8('nobody'))).toBe(-1)
      if (count === 1280) expect(bytes.length / count).toBeLessThan(most)
    }
  })

  it('of the youngest accepted document are found where they repeat', () => {
    for (let round = 0; round < 20; round++) {
      const count = 1 + random.below(900)
      const ids = Array.from({ length: count }, () => `id-${random.below(1 + count / 3)}`)
      const alive = ids.map(() => random.below(3) > 0)
      const reader = open(write(ids))
      for (const id of new Set(ids)) {
        expect(reader.lookup(encodeUtf8(id))).toBe(ids.lastIndexOf(id))
        const youngest = ids.findLastIndex((each, doc) => each === id && alive[doc]!)
        expect(reader.lookup(encodeUtf8(id), doc => alive[doc]!)).toBe(youngest)
      }
    }
  })

  it('of two documents lie as the format draws them', () => {
    const bytes = write(['a7', 'a8'])
    const view = new DataView(bytes.buffer)
    const at = (header: number): number => view.getUint32(header, true)
    expect([at(0), at(4), at(8), at(12)]).toEqual([2, 2, 1, 1])
    expect([at(at(16)), at(at(16) + 4)]).toEqual([0, 2])
    expect(bytes[at(20)]).toBe(0b01)
    expect([...bytes.subarray(at(32), at(36))]).toEqual([0, 2, 0, 0, 0x61, 0, 0x37, 0x10])
  })

  it('whose bytes are hostile are refused or misread, but never read past the section', () => {
    const whole = write(Array.from({ length: 300 }, (_, i) => (i < 150 ? `id-${i}` : hex(16))))
    let refused = 0
    for (let round = 0; round < 2000; round++) {
      const bytes = whole.slice()
      for (let i = 0; i <= random.below(3); i++)
        bytes[4 + random.below(bytes.length - 4)] = random.below(256)
      try {
        const reader = open(bytes)
        for (let doc = 0; doc < 300; doc += 7) {
          const id = reader.id(doc)
          expect(id.length).toBeLessThan(bytes.length + 65536)
          const found = reader.lookup(id)
          expect(found).toBeLessThan(Math.max(1, reader.maxDoc))
        }
      } catch (error) {
        expect(error).toBeInstanceOf(CorruptSegmentError)
        refused++
      }
    }
    expect(refused).toBeGreaterThan(20)
  })
})
