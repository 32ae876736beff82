import { describe, expect, it } from 'vitest'
import { matchingRanges, tellMatching } from '../../../src/search/query/dictionary-matches.ts'
import { KernelMatching } from '../../../src/search/query/kernel-matching.ts'
import { type TermAutomaton, walkMatching } from '../../../src/search/query/matching-terms.ts'
import { automatonOf } from '../../../src/search/query/pattern.ts'
import type { TermPattern } from '../../../src/search/query/query.ts'
import type { Leaf } from '../../../src/segment/leaf.ts'
import { LevenshteinAutomaton } from '../../../src/util/automaton/levenshtein.ts'
import { decodeUtf8 } from '../../../src/util/bytes.ts'
import { Random } from '../../../src/util/random.ts'
import { plainLeaf } from '../../support/plain-leaf.ts'
import { testArena } from '../../support/test-arena.ts'

const arena = testArena(16 << 20)
const SEED = 4711
const OPERATORS = {
  intersection: true,
  complement: true,
  empty: true,
  anyString: true,
  interval: true,
}
const LETTERS = ['a', 'a', 'b', 'b', 'c', 'd', 'z', 'é', '語', '🦊']

/** A leaf whose keywords are given. */
function leafWith(terms: readonly string[]): Leaf {
  arena.clear()
  const documents = terms.map((term, id) => ({
    id: `d${id}`,
    text: new Map<string, string[]>(),
    keywords: new Map([['tag', [term]]]),
    numbers: new Map(),
    isLive: true,
  }))
  const fields = { text: [], keywords: ['tag'], numbers: [] }
  return plainLeaf(arena, documents, fields, { uid: 1, ord: 0, docBase: 0 })
}

function pattern(kind: 'wildcard' | 'regexp', text: string): TermAutomaton {
  const of: TermPattern =
    kind === 'wildcard' ? { kind, text } : { kind, text, operators: OPERATORS, maxStates: 10_000 }
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

  it(`are those of the walk in TypeScript (seed ${SEED})`, () => {
    let found = 0
    for (let round = 0; round < 12; round++) {
      const terms = new Set(Array.from({ length: 30 + random.below(3000) }, () => word(9)))
      const leaf = leafWith([...terms])
      const accepted = (automaton: TermAutomaton): void => {
        const count = compare(leaf, automaton)
        expect(countByKernel(leaf, automaton)).toBe(count)
        found += count
      }
      for (const text of ['*', '', 'a*', '*a', '*ba*', 'a?b*', '??é*', 'ab*語*', '*🦊', 'nowhere'])
        accepted(pattern('wildcard', text))
      for (const text of ['.*', 'a[a-c]+', '[é語].*b', '(a|bc)*d.*', '.*z{1,2}', '~(a.*)', '[^a]+'])
        accepted(pattern('regexp', text))
      for (let i = 0; i < 40; i++) {
        const near = [...word(8)].map(char => char.codePointAt(0)!)
        const edits = ([0, 1, 2] as const)[random.below(3)]!
        const swaps = random.below(2) === 0
        accepted(new LevenshteinAutomaton(near, edits, random.below(3), swaps))
      }
    }
    expect(found).toBeGreaterThan(40_000)
  }, 120_000)

  it('fill more than one output', () => {
    const terms = Array.from({ length: 9000 }, (_, i) =>
      `${i % 2 === 0 ? 'x' : 'y'}${i}`.padEnd(40, 'q'),
    )
    const leaf = leafWith(terms)
    expect(compare(leaf, pattern('wildcard', '*[0-9]*'))).toBe(0)
    expect(compare(leaf, pattern('wildcard', 'x*'))).toBe(4500)
    // Every other term, so that no two ranges meet.
    expect(compare(leaf, pattern('regexp', '[xy][0-9]*[02468]q+'))).toBe(4500)
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
