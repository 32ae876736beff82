import { describe, expect, it } from 'vitest'
import { NO_MORE_DOCS } from '../../src/codec/doc-id-iterator.ts'
import { inverseNorms } from '../../src/codec/norms/inverse.ts'
import { POSTINGS_SCRATCH_BYTES, PostingsReader } from '../../src/codec/postings/reader.ts'
import { PostingsWriter } from '../../src/codec/postings/writer.ts'
import { TermsReader } from '../../src/codec/terms/reader.ts'
import { twinKernels } from '../../src/kernels/twin.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { Random } from '../../src/util/random.ts'
import { holdDocIdIterator } from '../support/contracts/doc-id-iterator.ts'
import { NASTY_COUNTS, type PlainPostings, randomPostings } from '../support/postings-cases.ts'
import { testArena } from '../support/test-arena.ts'

const arena = testArena()
const twin = twinKernels(arena.memory)

interface Shape {
  readonly hasFreqs: boolean
  readonly hasPositions: boolean
  readonly hasNorms: boolean
}

const SHAPES: readonly Shape[] = [
  { hasFreqs: false, hasPositions: false, hasNorms: false },
  { hasFreqs: true, hasPositions: false, hasNorms: true },
  { hasFreqs: true, hasPositions: true, hasNorms: true },
  { hasFreqs: true, hasPositions: true, hasNorms: false },
]

function build(terms: readonly PlainPostings[], shape: Shape, norms: Uint8Array) {
  arena.clear()
  arena.scratch.reset()
  const writer = new PostingsWriter({
    hasFreqs: shape.hasFreqs,
    hasPositions: shape.hasPositions,
    norms: shape.hasNorms ? norms : null,
    averageLength: Math.fround(17.3),
  })
  terms.forEach((term, i) => {
    const name = termName(i)
    writer.addTerm(
      name,
      0,
      name.length,
      term.docs,
      shape.hasFreqs ? term.freqs : null,
      0,
      term.docs.length,
      shape.hasPositions ? term.positions : null,
      0,
    )
  })
  const made = writer.finish()
  const dictionary = new TermsReader(arena.section(made.terms), Math.fround(17.3))
  const postings = arena.section(made.postings)
  const positions = made.positions === null ? null : arena.section(made.positions)
  return { made, dictionary, postings, positions }
}

function termName(i: number): Uint8Array {
  return encodeUtf8(`t${String(i).padStart(5, '0')}`)
}

describe.each(SHAPES)('postings %o', shape => {
  it.each([1, 2, 3])('come back as they were written, kernels and twin alike (seed %i)', seed => {
    const random = new Random(seed)
    const maxDoc = seed === 3 ? 4000 : 2 ** 31 - 2
    const terms = NASTY_COUNTS.flatMap(count => [
      randomPostings(random, count, maxDoc),
      randomPostings(random, Math.max(1, count - random.below(3)), maxDoc),
    ])
    const norms = new Uint8Array(maxDoc === 4000 ? 4000 : 0)
    for (let i = 0; i < norms.length; i++) norms[i] = random.below(256)
    const withNorms = { ...shape, hasNorms: shape.hasNorms && maxDoc === 4000 }
    const { made, dictionary, postings, positions } = build(terms, withNorms, norms)
    expect(made.termCount).toBe(terms.length)
    expect(made.sumDocFreq).toBe(terms.reduce((sum, t) => sum + t.docs.length, 0))
    terms.forEach((term, i) => {
      const state = dictionary.lookup(termName(i))!
      expect(state.docFreq).toBe(term.docs.length)
      const total = term.freqs.reduce((sum, freq) => sum + freq, 0)
      expect(state.totalTermFreq).toBe(shape.hasFreqs ? total : term.docs.length)
      for (const kernels of [arena.kernels, twin]) {
        const reader = new PostingsReader(postings, positions, kernels)
        arena.scratch.reset()
        const make = () => {
          arena.scratch.reset()
          return reader.iterator(state, arena.scratch.allocate(POSTINGS_SCRATCH_BYTES))
        }
        holdDocIdIterator(make, term.docs, random)
        const iterator = make()
        let position = 0
        for (let d = 0; d < term.docs.length; d++) {
          // Now and then a document is passed over without asking for its frequency.
          const skip = random.below(4) === 0
          expect(iterator.nextDoc()).toBe(term.docs[d])
          if (!skip) {
            expect(iterator.freq()).toBe(shape.hasFreqs ? term.freqs[d] : 1)
            if (shape.hasPositions)
              for (let p = 0; p < term.freqs[d]!; p++)
                expect(iterator.nextPosition()).toBe(term.positions[position + p])
          }
          position += term.freqs[d]!
        }
        if (withNorms.hasNorms) {
          const inverse = inverseNorms(Math.fround(17.3))
          const bound = make()
          let least = 0
          for (let d = 0; d < term.docs.length; d++) {
            const doc = term.docs[d]!
            if (doc < least) continue
            const upTo = bound.shallowAdvance(doc)
            const most = bound.maxImpact(upTo)
            let real = 0
            for (let e = d; e < term.docs.length && term.docs[e]! <= upTo; e++) {
              const impact = Math.fround(term.freqs[e]! * inverse[norms[term.docs[e]!]!]!)
              real = Math.max(real, impact)
            }
            expect(most).toBeGreaterThanOrEqual(real)
            if (upTo === NO_MORE_DOCS) break
            least = upTo + 1
          }
          expect(bound.termImpact()).toBeGreaterThan(0)
        }
      }
    })
  })

  it('come back where the last blocks have no bytes: neighbours, each with the term once', () => {
    const docs = Int32Array.from({ length: 256 }, (_, doc) => doc)
    const plain = { docs, freqs: docs.map(() => 1), positions: docs.map(() => 0) }
    const { dictionary, postings, positions } = build([plain], shape, new Uint8Array(256).fill(1))
    const state = dictionary.lookup(termName(0))!
    for (const kernels of [arena.kernels, twin]) {
      const reader = new PostingsReader(postings, positions, kernels)
      arena.scratch.reset()
      const iterator = reader.iterator(state, arena.scratch.allocate(POSTINGS_SCRATCH_BYTES))
      for (const doc of docs) {
        expect(iterator.nextDoc()).toBe(doc)
        expect(iterator.freq()).toBe(1)
      }
      expect(iterator.nextDoc()).toBe(NO_MORE_DOCS)
    }
  })
})

describe('a dictionary', () => {
  it('finds what stands behind a term so long that the next one shares nothing with it', () => {
    const names = ['028', '0283', '02831', '0284', `0284${'1'.repeat(90)}`, '02844', '0285', '03']
    arena.clear()
    const writer = new PostingsWriter({
      hasFreqs: true,
      hasPositions: false,
      norms: null,
      averageLength: 1,
    })
    names.forEach((text, i) => {
      const name = encodeUtf8(text)
      writer.addTerm(name, 0, name.length, Int32Array.of(i), Int32Array.of(1), 0, 1, null, 0)
    })
    const terms = new TermsReader(arena.section(writer.finish().terms), 1)
    const docOf = (text: string): number | null => terms.lookup(encodeUtf8(text))?.singleDoc ?? null
    expect(names.map(docOf)).toEqual(names.map((_, i) => i))
    const absent = ['', '0', '02', '0280', '02841', '028411', '02843', '02845', '02851', '031', '1']
    expect(absent.map(docOf)).toEqual(absent.map(() => null))
  })

  it('finds every term, its place and the next one above', () => {
    const random = new Random(9)
    const names = [
      ...new Set(
        Array.from({ length: 2000 }, () =>
          Array.from({ length: 1 + random.below(6) }, () => 'abé'[random.below(3)]).join(''),
        ),
      ),
    ]
      .map(encodeUtf8)
      .sort(Buffer.compare)
    arena.clear()
    const writer = new PostingsWriter({
      hasFreqs: true,
      hasPositions: false,
      norms: null,
      averageLength: 1,
    })
    const one = Int32Array.of(1)
    for (const name of names) writer.addTerm(name, 0, name.length, one, one, 0, 1, null, 0)
    const terms = new TermsReader(arena.section(writer.finish().terms), 1)
    expect(terms.termCount).toBe(names.length)
    for (let i = 0; i < names.length; i++) {
      expect(terms.ordOf(names[i]!)).toBe(i)
      expect(terms.termOfOrd(i)).toEqual(Uint8Array.from(names[i]!))
    }
    const iterator = terms.iterator()
    for (let i = 0; i < 2000; i++) {
      const probe = encodeUtf8(
        Array.from({ length: random.below(7) }, () => 'abcéz'[random.below(5)]).join(''),
      )
      const ceil = names.findIndex(name => Buffer.compare(name, probe) >= 0)
      expect(iterator.seekCeil(probe)).toBe(ceil >= 0)
      if (ceil >= 0) expect(iterator.ord()).toBe(ceil)
      expect(terms.lookup(probe) !== null).toBe(
        ceil >= 0 && Buffer.compare(names[ceil]!, probe) === 0,
      )
    }
    expect(
      new TermsReader(
        arena.section(
          new PostingsWriter({
            hasFreqs: false,
            hasPositions: false,
            norms: null,
            averageLength: 1,
          }).finish().terms,
        ),
        1,
      ).lookup(names[0]!),
    ).toBe(null)
  })
})
