import { describe, expect, it } from 'vitest'
import { PostingsWriter } from '../../src/codec/postings/writer.ts'
import { TermsReader } from '../../src/codec/terms/reader.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { CorruptSegmentError } from '../../src/util/errors.ts'
import { Random } from '../../src/util/random.ts'
import { NASTY_COUNTS, randomPostings } from '../support/postings-cases.ts'
import { checkedArena, type TestArena, testArena } from '../support/test-arena.ts'

const MAX_DOC = 3000
const SHAPES = [
  { hasFreqs: false, hasPositions: false, hasNorms: false },
  { hasFreqs: true, hasPositions: false, hasNorms: true },
  { hasFreqs: true, hasPositions: true, hasNorms: true },
  { hasFreqs: true, hasPositions: true, hasNorms: false },
]
const usual = testArena(32 << 20)
/**
 * The module that is published, and the debug build, which stops at the first stray access; of damaged
 * bytes at the first stray write, because reads may pass a section's end by some bytes.
 */
const BUILDS: readonly [string, TestArena, TestArena][] = [
  ['kernels', usual, usual],
  ['kernels of the debug build', checkedArena(32 << 20, true), checkedArena(32 << 20, false)],
]

/** Words that share much with each other, one in twenty of them long. */
function randomWord(random: Random): string {
  const length = random.below(20) === 0 ? 100 + random.below(200) : random.below(7)
  return Array.from({ length }, () => 'aabcé'[random.below(5)]).join('')
}

/** A dictionary, read twice: by a kernel, and without one. */
function dictionary(arena: TestArena, random: Random, shape: (typeof SHAPES)[number]) {
  arena.clear()
  arena.scratch.reset()
  arena.beginLeaf(1)
  const count = [1, 31, 32, 33, 64, 300][random.below(6)]!
  const names = [...new Set(Array.from({ length: count }, () => randomWord(random)))]
    .map(encodeUtf8)
    .sort(Buffer.compare)
  const norms = Uint8Array.from({ length: MAX_DOC }, () => random.below(256))
  const { hasFreqs, hasPositions, hasNorms } = shape
  const writer = new PostingsWriter({
    hasFreqs,
    hasPositions,
    norms: hasNorms ? norms : null,
    averageLength: 17,
  })
  const counts = names.map(() =>
    random.below(2) === 0 ? 1 : NASTY_COUNTS[random.below(NASTY_COUNTS.length)]!,
  )
  names.forEach((name, i) => {
    const { docs, freqs, positions } = randomPostings(random, counts[i]!, MAX_DOC)
    const [own, places] = [hasFreqs ? freqs : null, hasPositions ? positions : null]
    writer.addTerm(name, 0, name.length, docs, own, 0, docs.length, places, 0)
  })
  const section = arena.section(writer.finish().terms)
  const kernels = arena.kernelsOf(1)
  let calls = 0
  const byKernel = new TermsReader(section, 17, {
    lookUpTerm: record => {
      calls++
      return kernels.lookUpTerm(record)
    },
    take: bytes => arena.scratch.tryAllocate(bytes),
    giveBack: at => arena.scratch.release(at),
  })
  const plain = new TermsReader(section, 17)
  return { names, counts, section, byKernel, plain, calls: () => calls }
}

/** What a call gives, or what it says of damaged bytes. */
function outcome(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    if (!(error instanceof CorruptSegmentError)) throw error
    return error.message
  }
}

describe.each(BUILDS)('a look-up by the %s', (_, arena, lenient) => {
  it.each(SHAPES)('finds what is there and nothing else (%o)', shape => {
    const random = new Random(5)
    for (let round = 0; round < 30; round++) {
      const { names, counts, byKernel, plain, calls } = dictionary(arena, random, shape)
      const probes = [...names.map(name => Buffer.from(name).toString())]
      for (let i = 0; i < 60; i++) probes.push(randomWord(random))
      for (const probe of probes) {
        const bytes = encodeUtf8(probe)
        const place = names.findIndex(name => Buffer.compare(name, bytes) >= 0)
        const ceiling = place < 0 ? names.length : place
        const isThere = place >= 0 && Buffer.compare(names[place]!, bytes) === 0
        expect(byKernel.ceilingOf(bytes)).toBe(ceiling)
        expect(plain.ceilingOf(bytes)).toBe(ceiling)
        expect(byKernel.ordOf(bytes)).toBe(isThere ? ceiling : -1)
        const state = plain.lookup(bytes)
        expect(state?.docFreq ?? 0).toBe(isThere ? counts[ceiling] : 0)
        expect(byKernel.lookup(bytes)).toEqual(state)
        expect(byKernel.lookupText(probe)).toEqual(state)
        expect(plain.lookupText(probe)).toEqual(state)
      }
      expect(calls()).toBeGreaterThan(probes.length)
    }
  })

  it.each(SHAPES)('says the same of damaged bytes as one without (%o)', shape => {
    const random = new Random(6)
    const seen = { found: 0, corrupt: 0 }
    for (let round = 0; round < 150; round++) {
      const { names, section, byKernel, plain } = dictionary(lenient, random, shape)
      for (let i = 0; i < 1 + random.below(8); i++)
        lenient.views.u8[section.start + 32 + random.below(section.length - 32)] =
          random.below(3) === 0 ? 0xff : random.below(256)
      for (const name of names.slice(0, 40)) {
        const expected = outcome(() => plain.lookup(name))
        expect(outcome(() => byKernel.lookup(name))).toEqual(expected)
        expect(outcome(() => byKernel.ceilingOf(name))).toEqual(
          outcome(() => plain.ceilingOf(name)),
        )
        if (typeof expected === 'string') seen.corrupt++
        else if (expected !== null) seen.found++
      }
    }
    expect(seen.found).toBeGreaterThan(100)
    expect(seen.corrupt).toBeGreaterThan(100)
  })

  it('does without a kernel where there is no room for its record', () => {
    const { names, byKernel, plain, calls } = dictionary(arena, new Random(7), SHAPES[2]!)
    const mark = arena.scratch.mark()
    for (let size = 1 << 20; size >= 64; size >>= 1) while (arena.scratch.tryAllocate(size) >= 0) {}
    for (const name of names) expect(byKernel.lookup(name)).toEqual(plain.lookup(name))
    expect(calls()).toBe(0)
    arena.scratch.release(mark)
  })
})
