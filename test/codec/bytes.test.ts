import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteColumn } from '../../src/codec/bytes/byte-column.ts'
import { BytesReader } from '../../src/codec/bytes/reader.ts'
import { writeBytes } from '../../src/codec/bytes/writer.ts'
import { NO_MORE_DOCS } from '../../src/codec/doc-id-iterator.ts'
import { CorruptSegmentError } from '../../src/util/errors.ts'
import { testArena } from '../support/test-arena.ts'

const arena = testArena(8 << 20)

/** A reader of values by document. */
function readerOf(documents: readonly (readonly number[][])[]): BytesReader {
  const column = new ByteColumn()
  for (const [doc, values] of documents.entries())
    for (const value of values) column.push(doc, Uint8Array.from(value), 0, value.length)
  return new BytesReader(arena.section(writeBytes(column, documents.length)))
}

const value: fc.Arbitrary<number[]> = fc.oneof(
  fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 40 }),
  fc.constant<number[]>([1, 2, 3, 4]),
)
/** Few documents, and enough to pass over ranks; many without a value. */
const documents: fc.Arbitrary<number[][][]> = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 2, arbitrary: fc.constant<number[][]>([]) },
        fc.array(value, { maxLength: 3 }),
      ),
      {
        maxLength: 60,
      },
    ),
    fc.constantFrom(0, 1, 31, 511, 512, 513, 1500),
  )
  .map(([some, gap]) => [...some, ...Array.from({ length: gap }, () => []), [[7]], ...some])

describe('bytes', () => {
  it('read back by document, in any order', () => {
    fc.assert(
      fc.property(documents, all => {
        arena.clear()
        const reader = readerOf(all)
        expect(reader.docCount).toBe(all.filter(values => values.length > 0).length)
        for (const [doc, values] of [...all.entries()].reverse()) {
          expect(reader.advanceExact(doc)).toBe(values.length > 0)
          const found = Array.from({ length: reader.valueCount() }, (_, i) => [...reader.value(i)])
          expect(found).toEqual(values)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('list the documents that have a value', () => {
    fc.assert(
      fc.property(documents, fc.nat(2000), (all, target) => {
        arena.clear()
        const wanted = all.flatMap((values, doc) => (values.length > 0 ? doc : []))
        const iterator = readerOf(all).docs()
        const found: number[] = []
        for (let doc = iterator.nextDoc(); doc !== NO_MORE_DOCS; doc = iterator.nextDoc())
          found.push(doc)
        expect(found).toEqual(wanted)
        const next = wanted.find(doc => doc >= target) ?? NO_MORE_DOCS
        expect(readerOf(all).docs().advance(target)).toBe(next)
      }),
      { numRuns: 60 },
    )
  })

  it('takes no room for ends where values are of one length', () => {
    const column = new ByteColumn()
    for (let doc = 0; doc < 100; doc++) column.push(doc, Uint8Array.of(doc, 1), 0, 2)
    expect(writeBytes(column, 100).length).toBe(64 + 200 + 16)
  })

  it('refuses a value past the section', () => {
    arena.clear()
    const column = new ByteColumn()
    column.push(0, Uint8Array.of(1, 2), 0, 2)
    column.push(1, Uint8Array.of(3), 0, 1)
    const bytes = writeBytes(column, 2)
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(64 + 4, 1 << 20, true)
    const reader = new BytesReader(arena.section(bytes))
    reader.advanceExact(1)
    expect(() => reader.value(0)).toThrow(CorruptSegmentError)
  })
})
