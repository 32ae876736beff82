import { describe, expect, it } from 'vitest'
import { matchingRanges, tellMatching } from '../../../src/search/query/dictionary-matches.ts'
import { KernelMatching } from '../../../src/search/query/kernel-matching.ts'
import { type TermAutomaton, walkMatching } from '../../../src/search/query/matching-terms.ts'
import { automatonOf } from '../../../src/search/query/pattern.ts'
import type { TermPattern } from '../../../src/search/query/query.ts'
import {
  DictionaryCache,
  signatureBytesOf,
  skipBytesOf,
} from '../../../src/segment/dictionary-cache.ts'
import type { Leaf, LeafLoader } from '../../../src/segment/leaf.ts'
import type { SpareMemory } from '../../../src/segment/spare-memory.ts'
import { LevenshteinAutomaton } from '../../../src/util/automaton/levenshtein.ts'
import { ALL_OPERATORS } from '../../../src/util/automaton/lucene-pattern.ts'
import { decodeUtf8 } from '../../../src/util/bytes.ts'
import { Random } from '../../../src/util/random.ts'
import { plainLeaf } from '../../support/plain-leaf.ts'
import { spareMemory } from '../../support/spare-memory.ts'
import { checkedArena, testArena } from '../../support/test-arena.ts'

const plain = testArena(16 << 20)
const checked = checkedArena(16 << 20, true)
let arena = plain
/** The first address of scratch, which is all that checked kernels may write. */
const FREE = new Map([plain, checked].map(each => [each, each.scratch.mark()]))
const SEED = 4711
const LETTERS = ['a', 'a', 'b', 'b', 'c', 'd', 'z', 'é', '語', '🦊']

/** A leaf with a field of the given terms, its dictionary with skips and signatures, or without. */
function leafWith(
  terms: readonly string[],
  kind: 'text' | 'keyword' = 'keyword',
  hasSkips = true,
): Leaf {
  arena.clear()
  const memory: SpareMemory = {
    ...spareMemory(arena),
    allocateSpare: (_, bytes) => ({ arena: 0, start: arena.scratch.allocate(bytes), bytes }),
  }
  const minTerms = hasSkips ? 1 : Number.POSITIVE_INFINITY
  const policy = { minTerms, usesToMake: 1 }
  const derived = {
    termSkips: new DictionaryCache(memory, skipBytesOf, policy),
    termSignatures: new DictionaryCache(memory, signatureBytesOf, policy),
  }
  arena.scratch.release(FREE.get(arena)!)
  const loader: LeafLoader = {
    section: () => null,
    fieldData: () => null,
    reserveScratch: () => false,
    derivedTerms: (kind, field, termCount, make) =>
      derived[kind].find({ uid: 1 }, field, termCount, make),
    ordinalMaps: (_, make) => make(),
  }
  const documents = terms.map((term, id) => {
    // Terms of one document, of a few, and of many.
    const others = [terms[id >> 1]!, terms[id % 3]!]
    const tokens = kind === 'text' ? [term, ...others, term] : [...new Set([term, ...others])]
    const values = new Map([['tag', tokens]])
    const none = new Map<string, string[]>()
    return {
      id: `d${id}`,
      text: kind === 'text' ? values : none,
      keywords: kind === 'text' ? none : values,
      numbers: new Map(),
      isLive: true,
    }
  })
  const fields = {
    text: kind === 'text' ? ['tag'] : [],
    keywords: kind === 'text' ? [] : ['tag'],
    numbers: [],
  }
  const leaf = plainLeaf(arena, documents, fields, { uid: 1, ord: 1, docBase: 0 }, loader)
  // Before any walk takes scratch.
  const { section, index, flags, termCount } = leaf.terms('tag')!
  const end = section.start + section.length
  const { kernels } = leaf
  leaf.derivedTerms('termSkips', 'tag', termCount, at =>
    kernels.makeTermSkips(index, section.start, end, flags, termCount, at),
  )
  leaf.derivedTerms('termSignatures', 'tag', termCount, at => {
    const mark = arena.scratch.mark()
    const made = kernels.makeTermSignatures(
      index,
      section.start,
      end,
      flags,
      termCount,
      arena.scratch.allocate(272),
      at,
    )
    arena.scratch.release(mark)
    return made
  })
  return leaf
}

function pattern(kind: 'wildcard' | 'regexp', text: string): TermAutomaton {
  const of: TermPattern =
    kind === 'wildcard'
      ? { kind, text }
      : { kind, text, operators: ALL_OPERATORS, maxStates: 10_000 }
  return automatonOf({
    kind: 'pattern',
    field: 'tag',
    start: '',
    pattern: of,
    ignoresCase: false,
    rewrite: { kind: 'constant' },
  })
}

/** The accepted terms of a leaf as the kernel alone lists them. */
function countByKernel(leaf: Leaf, automaton: TermAutomaton): number {
  const kernel = KernelMatching.open(leaf, 'tag', automaton.form, false)!
  let count = 0
  try {
    const hasAll = kernel.run(words => {
      for (let i = 0; i < words.length; i += 2) count += words[i + 1]! - words[i]!
      return true
    })
    expect(hasAll).toBe(true)
  } finally {
    kernel.close()
  }
  return count
}

/** What the kernel, with the walk in TypeScript behind it, and that walk alone say of one leaf. */
function compare(leaf: Leaf, automaton: TermAutomaton): number {
  const expected: string[] = []
  const ords: number[] = []
  let postings = 0
  walkMatching(leaf.terms('tag')!, automaton, {
    prefix: null,
    term(term, state, docFreq, ord) {
      expected.push(`${decodeUtf8(term)} ${docFreq} ${automaton.editsOf(state)}`)
      ords.push(ord)
      postings += docFreq
      return true
    },
  })
  const told: string[] = []
  tellMatching(leaf, 'tag', automaton, (term, docFreq, edits) => {
    const isNear = automaton.form?.kind === 'near'
    told.push(`${decodeUtf8(term)} ${docFreq} ${isNear ? edits : 0}`)
    return true
  })
  expect(told).toEqual(expected)
  const found = matchingRanges(leaf, 'tag', automaton)
  const listed: number[] = []
  for (let i = 0; i < found.ranges.length; i += 2)
    for (let ord = found.ranges[i]!; ord < found.ranges[i + 1]!; ord++) listed.push(ord)
  expect(listed).toEqual(ords)
  expect(found.postings).toBe(postings)
  return ords.length
}

describe('terms that an automaton accepts, by the kernel', () => {
  const random = new Random(SEED)
  const word = (most: number): string =>
    Array.from(
      { length: 1 + random.below(most) },
      () => LETTERS[random.below(LETTERS.length)]!,
    ).join('')

  it.each([
    ['kernels', 'keyword', true],
    ['kernels', 'keyword', false],
    ['kernels', 'text', true],
    ['checked kernels', 'text', true],
  ] as const)(
    `are those of the walk in TypeScript (seed ${SEED}): %s, %s, skips: %s`,
    (kernels, kind, skips) => {
      arena = kernels === 'kernels' ? plain : checked
      let found = 0
      for (let round = 0; round < 12; round++) {
        const terms = new Set(Array.from({ length: 30 + random.below(3000) }, () => word(9)))
        // Groups with such terms have no skips.
        if (round % 3 === 0) for (let i = 0; i < 20; i++) terms.add(word(3) + word(3).repeat(40))
        const leaf = leafWith([...terms], kind, skips)
        const accepted = (automaton: TermAutomaton): void => {
          const count = compare(leaf, automaton)
          expect(countByKernel(leaf, automaton)).toBe(count)
          found += count
        }
        for (const text of [
          '*',
          '',
          'a*',
          '*a',
          '*ba*',
          'a?b*',
          '??é*',
          'ab*語*',
          '*🦊',
          'nowhere',
        ])
          accepted(pattern('wildcard', text))
        for (const text of [
          '.*',
          'a[a-c]+',
          '[é語].*b',
          '(a|bc)*d.*',
          '.*z{1,2}',
          '~(a.*)',
          '[^a]+',
        ])
          accepted(pattern('regexp', text))
        for (let i = 0; i < 30; i++) {
          const held = word(1) + word(4)
          accepted(pattern('wildcard', `${word(1)}*${held}*`))
          accepted(pattern('wildcard', `*${held}${i % 2 === 0 ? '' : '*'}`))
          accepted(pattern('wildcard', `?${word(1)}*${held}?`))
          accepted(pattern('regexp', `(${word(2)}|.)*${held}[a-z]{0,2}`))
        }
        for (let i = 0; i < 40; i++) {
          const near = [...word(8)].map(char => char.codePointAt(0)!)
          const edits = ([0, 1, 2] as const)[random.below(3)]!
          const swaps = random.below(2) === 0
          accepted(new LevenshteinAutomaton(near, edits, random.below(3), swaps))
        }
      }
      expect(found).toBeGreaterThan(40_000)
    },
    240_000,
  )

  it('fill more than one output', () => {
    arena = plain
    const terms = Array.from({ length: 9000 }, (_, i) =>
      `${i % 2 === 0 ? 'x' : 'y'}${i}`.padEnd(40, 'q'),
    )
    const leaf = leafWith(terms)
    expect(compare(leaf, pattern('wildcard', '*[0-9]*'))).toBe(0)
    expect(compare(leaf, pattern('wildcard', 'x*'))).toBe(4500)
    // Every other term, so that no two ranges meet.
    expect(compare(leaf, pattern('regexp', '[xy][0-9]*[02468]q+'))).toBe(4500)
  })

  it('are found near words whose positions fill one half of a set, or both', () => {
    arena = checked
    for (const length of [30, 31, 32, 33, 61, 62]) {
      const word = Array.from({ length }, (_, i) => 'abcdefg'[(i * i) % 7]!)
      const withAt = (at: number, ...put: string[]): string =>
        word.toSpliced(at, 1, ...put).join('')
      const ends = [0, 1, 29, 30, length - 2, length - 1]
      const changed = ends.flatMap(at => [withAt(at), withAt(at, 'z'), withAt(at, word[at]!, 'y')])
      const far = `zz${withAt(length - 1, 'z')}`
      const leaf = leafWith([...new Set([word.join(''), ...changed, far])].sort())
      const points = word.map(char => char.codePointAt(0)!)
      for (const prefix of [0, 1, 31, 32, length].filter(each => each <= length))
        for (const maxEdits of [1, 2] as const) {
          const automaton = new LevenshteinAutomaton(points, maxEdits, prefix, true)
          const found = compare(leaf, automaton)
          expect(found, `${length} ${prefix} ${maxEdits}`).toBeGreaterThan(0)
          if (prefix === 0) expect(found).toBeGreaterThanOrEqual(changed.length / 2)
        }
    }
    arena = plain
  })

  it('are found where a term or a word is longer than the kernel takes', () => {
    const long = `b${'é'.repeat(3000)}`
    const leaf = leafWith([
      'a',
      'ab',
      long,
      `${long}z`,
      'c'.repeat(300),
      `${'c'.repeat(299)}d`,
      'd',
    ])
    expect(compare(leaf, pattern('wildcard', '*z'))).toBe(1)
    expect(compare(leaf, pattern('wildcard', 'b*'))).toBe(2)
    const near = Array.from({ length: 300 }, () => 0x63)
    expect(compare(leaf, new LevenshteinAutomaton(near, 1, 0, true))).toBe(2)
    expect(compare(leafWith(['c'.repeat(300), 'd']), pattern('wildcard', 'c*'))).toBe(1)
  })
})
