import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteColumn } from '../../src/codec/bytes/byte-column.ts'
import { VectorsReader } from '../../src/codec/vectors/reader.ts'
import { VectorWriter, writeVectors } from '../../src/codec/vectors/writer.ts'
import type { VectorParts } from '../../src/schema/field-storage.ts'
import { compareBytes, decodeUtf8, encodeUtf8 } from '../../src/util/bytes.ts'
import { CorruptSegmentError } from '../../src/util/errors.ts'
import { testArena } from '../support/test-arena.ts'

const arena = testArena(8 << 20)

interface Token {
  readonly position: number
  readonly start: number
  readonly end: number
  readonly payload: readonly number[] | null
}
type Vector = Readonly<Record<string, readonly Token[]>>

const ALL: VectorParts = { positions: true, offsets: true, payloads: true }

function sectionOf(vectors: readonly Vector[], parts: VectorParts): Uint8Array {
  const column = new ByteColumn()
  const writer = new VectorWriter(parts)
  for (const [doc, vector] of vectors.entries()) {
    const terms = Object.keys(vector).map(encodeUtf8).sort(compareBytes)
    for (const term of terms) {
      for (const { position, start, end, payload } of vector[decodeUtf8(term)]!)
        writer.token(position, start, end, payload === null ? null : Uint8Array.from(payload))
      writer.endTerm(term)
    }
    const bytes = writer.finish()
    if (bytes !== null) column.push(doc, bytes, 0, bytes.length)
  }
  return writeVectors({ parts, vectors: column }, vectors.length)
}

/** Reads a vector; tokens of every other term are passed over where `skips` is set. */
function read(reader: VectorsReader, doc: number, skips = false): Vector {
  const vector: Record<string, Token[]> = {}
  const cursor = reader.cursor(doc)
  for (let i = 0; cursor.nextTerm(); i++) {
    if (skips && i % 2 === 1) continue
    const tokens: Token[] = []
    while (cursor.nextToken())
      tokens.push({
        position: cursor.position,
        start: cursor.start,
        end: cursor.end,
        payload: cursor.payload === null ? null : [...cursor.payload],
      })
    expect(tokens).toHaveLength(cursor.freq)
    vector[decodeUtf8(cursor.term.subarray(0, cursor.termLength))] = tokens
  }
  return vector
}

const tokens: fc.Arbitrary<Token[]> = fc
  .array(
    fc.record({
      position: fc.nat(2147483519),
      start: fc.nat(1_000_000),
      length: fc.nat(300),
      payload: fc.option(fc.array(fc.nat(255), { minLength: 1, maxLength: 200 })),
    }),
    { minLength: 1, maxLength: 5 },
  )
  .map(all =>
    all
      .map(({ start, length, ...rest }) => ({ ...rest, start, end: start + length }))
      .sort((a, b) => a.position - b.position),
  )
const vector: fc.Arbitrary<Vector> = fc.dictionary(
  fc.oneof(fc.string({ maxLength: 6 }), fc.string({ unit: 'grapheme', maxLength: 4 })),
  tokens,
  { maxKeys: 6, noNullPrototype: true },
)
const parts: fc.Arbitrary<VectorParts> = fc.record({
  positions: fc.boolean(),
  offsets: fc.boolean(),
  payloads: fc.boolean(),
})

describe('vectors', () => {
  it('read back what they keep, in any order of documents', () => {
    fc.assert(
      fc.property(fc.array(vector, { maxLength: 8 }), parts, (vectors, kept) => {
        fc.pre(vectors.some(each => Object.keys(each).length > 0))
        arena.clear()
        const reader = new VectorsReader(arena.section(sectionOf(vectors, kept)))
        expect(reader.parts).toEqual(kept)
        expect(reader.docCount).toBe(vectors.filter(each => Object.keys(each).length > 0).length)
        for (const [doc, each] of [...vectors.entries()].reverse()) {
          const wanted = Object.fromEntries(
            Object.entries(each).map(([term, all]) => [
              term,
              all.map(({ position, start, end, payload }) => ({
                position: kept.positions ? position : -1,
                start: kept.offsets ? start : -1,
                end: kept.offsets ? end : -1,
                payload: kept.payloads ? payload : null,
              })),
            ]),
          )
          expect(read(reader, doc)).toEqual(wanted)
          const half = read(reader, doc, true)
          for (const [term, all] of Object.entries(half)) expect(all).toEqual(wanted[term])
        }
      }),
      { numRuns: 300 },
    )
  })

  it('refuse a header that contradicts the length', () => {
    const bytes = sectionOf([{ a: [{ position: 0, start: 0, end: 1, payload: null }] }], ALL)
    for (const at of [0, 8, 16, 20]) {
      arena.clear()
      const damaged = bytes.slice()
      damaged[at + 3] = 0x7f
      expect(() => new VectorsReader(arena.section(damaged))).toThrow(CorruptSegmentError)
    }
  })

  it('end at damage with an error or with other terms, and never beyond the section', () => {
    const vectors = [
      { one: [{ position: 0, start: 0, end: 3, payload: [1, 2] }] },
      { one: [{ position: 4, start: 9, end: 12, payload: null }], ones: [] as Token[] },
    ].map(({ one }) => ({ one, two: one, twofold: one }))
    const bytes = sectionOf(vectors, ALL)
    fc.assert(
      fc.property(fc.nat(bytes.length - 33), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        arena.clear()
        const damaged = bytes.slice()
        damaged[32 + at] = damaged[32 + at]! ^ flip
        try {
          const reader = new VectorsReader(arena.section(damaged))
          for (const doc of [0, 1]) {
            const cursor = reader.cursor(doc)
            while (cursor.nextTerm()) {
              let count = 0
              while (cursor.nextToken() && count < 1000) count++
            }
          }
        } catch (error) {
          expect(error).toBeInstanceOf(CorruptSegmentError)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
