import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteColumn } from '../../src/codec/bytes/byte-column.ts'
import { firstCodes } from '../../src/codec/dense-vectors/format.ts'
import { quantise } from '../../src/codec/dense-vectors/quantise.ts'
import { DenseVectorsReader } from '../../src/codec/dense-vectors/reader.ts'
import { writeDenseVectors } from '../../src/codec/dense-vectors/writer.ts'
import { encodeVector } from '../../src/schema/knn-vector/read-vector.ts'
import type { VectorElement } from '../../src/schema/knn-vector/vector-space.ts'
import { CorruptSegmentError } from '../../src/util/errors.ts'
import { Random } from '../../src/util/random.ts'
import { inFirstVersion } from '../support/first-vectors.ts'
import { testArena } from '../support/test-arena.ts'

const arena = testArena(8 << 20)

interface Case {
  readonly element: VectorElement
  readonly dimension: number
  readonly docs: readonly number[]
  readonly vectors: readonly (readonly number[])[]
  readonly maxDoc: number
}

function randomCase(element: VectorElement, length: number, count: number, seed: number): Case {
  const random = new Random(seed)
  const isDense = random.below(2) === 0
  const docs: number[] = []
  for (let doc = 0; docs.length < count; doc++) if (isDense || random.below(3) > 0) docs.push(doc)
  const one = (): number =>
    element === 'float' ? Math.fround((random.below(2001) - 1000) / 7) : random.below(256) - 128
  return {
    element,
    dimension: element === 'binary' ? 8 * length : length,
    docs,
    vectors: docs.map(() => Array.from({ length }, one)),
    maxDoc: docs.at(-1)! + 1 + (isDense ? 0 : random.below(3)),
  }
}

function write({ element, dimension, docs, vectors, maxDoc }: Case): Uint8Array {
  const column = new ByteColumn()
  for (const [i, vector] of vectors.entries()) {
    const bytes = encodeVector(vector, element)
    column.push(docs[i]!, bytes, 0, bytes.length)
  }
  return writeDenseVectors({ element, dimension, method: null, vectors: column }, maxDoc)
}

function readerOf(bytes: Uint8Array): DenseVectorsReader {
  arena.clear()
  return new DenseVectorsReader(arena.section(bytes))
}

const cases = fc
  .tuple(
    fc.constantFrom<VectorElement>('float', 'byte', 'binary'),
    fc.constantFrom(1, 2, 3, 4, 5, 15, 16, 17, 33, 100, 255, 256, 270),
    fc.constantFrom(1, 2, 7, 127, 128, 129),
    fc.integer(),
  )
  .map(([element, length, count, seed]) => randomCase(element, length, count, seed))

function codesOf(reader: DenseVectorsReader, ord: number): Uint8Array {
  const codes = new Uint8Array(reader.codeBytes)
  reader.copyCodes(ord, codes, 0)
  return codes
}

describe('dense vectors', () => {
  it('come back as they were written, by ord and by document', () => {
    fc.assert(
      fc.property(cases, given => {
        const reader = readerOf(write(given))
        expect([reader.element, reader.dimension, reader.count]).toEqual([
          given.element,
          given.dimension,
          given.docs.length,
        ])
        for (const [ord, doc] of given.docs.entries()) {
          expect(reader.numbers(ord)).toEqual(given.vectors[ord])
          expect(reader.docOf(ord)).toBe(doc)
        }
        for (let doc = 0; doc < given.maxDoc; doc++) {
          expect(reader.ordOf(doc)).toBe(given.docs.indexOf(doc))
          const first = given.docs.findIndex(each => each >= doc)
          expect(reader.lowerBound(doc)).toBe(first < 0 ? given.docs.length : first)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('come back from their first version, with the same numbers beside them', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 16, 17, 33, 100, 255, 256, 270),
        fc.constantFrom(1, 7, 129),
        fc.integer(),
        (length, count, seed) => {
          const given = randomCase('float', length, count, seed)
          const numbersOf = (reader: DenseVectorsReader) =>
            given.docs.map((doc, ord) => [
              reader.docOf(ord) === doc,
              reader.numbers(ord),
              reader.square(ord),
              reader.step(ord),
              reader.rest(ord),
              codesOf(reader, ord),
            ])
          const bytes = write(given)
          const wanted = numbersOf(readerOf(bytes))
          const first = readerOf(inFirstVersion(bytes))
          expect(first.hasTails).toBe(false)
          expect(numbersOf(first)).toEqual(wanted)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('stand in rows of whole registers, whose padding is zeros', () => {
    fc.assert(
      fc.property(cases, given => {
        const reader = readerOf(write(given))
        expect([reader.rows % 64, reader.rowBytes % 16, reader.codeBytes % 16]).toEqual([0, 0, 0])
        const own = given.vectors[0]!.length * (given.element === 'float' ? 4 : 1)
        for (let ord = 0; ord < reader.count; ord++)
          for (let at = own; at < reader.rowBytes; at++)
            expect(arena.views.u8[reader.rows + ord * reader.rowBytes + at]).toBe(0)
      }),
      { numRuns: 50 },
    )
  })

  it('bound what codes leave out', () => {
    const values = fc.array(
      fc.oneof(
        fc.float({ noNaN: true, noDefaultInfinity: true }),
        fc.float({ noNaN: true, min: -1, max: 1 }),
        fc.constantFrom(0, 2 ** -149, -(2 ** -126), 3.4028234663852886e38),
      ),
      { minLength: 1, maxLength: 300, size: '+1' },
    )
    fc.assert(
      fc.property(values, given => {
        const vector = Float32Array.from(given)
        const codes = new Int8Array(vector.length)
        const { step, rest, tail } = quantise(vector, codes)
        const left = vector.reduce((sum, value, i) => sum + (value - codes[i]! * step) ** 2, 0)
        // Squares of the least numbers vanish, in the bound as in the sum.
        expect(rest).toBeGreaterThanOrEqual(Math.sqrt(left))
        const last = codes.subarray(firstCodes(vector.length))
        const length = Math.sqrt(last.reduce((sum, code) => sum + (code * step) ** 2, 0))
        expect(tail).toBeGreaterThanOrEqual(length)
        expect(tail).toBeLessThanOrEqual(Math.fround(length * (1 + 2 ** -18)) + 2 ** -148)
        for (const code of codes) expect(Math.abs(code)).toBeLessThanOrEqual(127)
      }),
      { numRuns: 500 },
    )
  })

  it('are refused with a header that contradicts itself', () => {
    const bytes = write(randomCase('float', 5, 20, 7))
    const words = new Uint32Array(bytes.buffer, 0, 13)
    for (const [word, value] of [
      [0, 3],
      [0, 1],
      [1, 3],
      [1, 1],
      [2, 0],
      [2, 9000],
      [3, 1_000_000],
      [4, 3],
      [5, 16],
      [6, 0],
      [7, 0],
      [8, 64],
      [9, 0],
      [9, 66],
      [9, 4_000_000],
      [10, 72],
      [11, 0],
    ] as const) {
      const kept = words[word]!
      words[word] = value
      expect(() => readerOf(bytes), `word ${word} is ${value}`).toThrow(CorruptSegmentError)
      words[word] = kept
    }
    expect(readerOf(bytes).count).toBe(20)
    expect(() => readerOf(bytes.subarray(0, 60))).toThrow(CorruptSegmentError)
  })
})
