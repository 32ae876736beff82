import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ShardWords } from '../../../src/search/suggest/shard-words.ts'
import {
  type CountedTerms,
  type SimilarTerm,
  type SpellCheck,
  type SuggestMode,
  similarTerms,
} from '../../../src/search/suggest/similar-terms.ts'
import type { StringDistance } from '../../../src/search/suggest/string-distance.ts'
import type { Leaf } from '../../../src/segment/leaf.ts'
import { Turn } from '../../../src/util/turns.ts'
import { type PlainDocument, plainLeaf } from '../../support/plain-leaf.ts'
import { testArena } from '../../support/test-arena.ts'

const arena = testArena(8 << 20)
const FIELDS = { text: ['f'], keywords: [], numbers: [] }

/** Leaves of texts, cut where each list ends. */
function leavesOf(...parts: readonly (readonly string[])[]): Leaf[] {
  arena.clear()
  let docBase = 0
  return parts.map((texts, ord) => {
    const documents = texts.map(
      (text, i): PlainDocument => ({
        id: `${docBase + i}`,
        text: new Map([['f', text.split(' ')]]),
        keywords: new Map(),
        numbers: new Map(),
        isLive: true,
      }),
    )
    const leaf = plainLeaf(arena, documents, FIELDS, { uid: ord + 1, ord, docBase })
    docBase += texts.length
    return leaf
  })
}

/** Finds terms, however many turns that takes. */
function similar(
  words: CountedTerms,
  word: string,
  size: number,
  mode: SuggestMode,
  check: SpellCheck,
): readonly SimilarTerm[] {
  const steps = similarTerms(words, word, size, mode, check, new Turn())
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value
}

const CHECK: SpellCheck = {
  accuracy: 0.5,
  sort: 'score',
  distance: 'internal',
  maxEdits: 2,
  maxInspections: 5,
  maxTermFreq: 0.5,
  prefixLength: 1,
  minWordLength: 3,
  minDocFreq: 0,
}
const TEXTS = [
  'amsterdam meetup amsterdam',
  'rotterdam meeting',
  'amsterdams meet',
  'hamster dam',
  'meetups mettup metup',
  'amstrdam',
  'university universe univers',
  'universal universities',
  'unversity amster',
]
const MODES = {
  SUGGEST_WHEN_NOT_IN_INDEX: 'missing',
  SUGGEST_MORE_POPULAR: 'popular',
  SUGGEST_ALWAYS: 'always',
} as const

/** Word, measure, mode, whether by frequency, and what Lucene 8.7's `DirectSpellChecker` finds. */
const VECTORS = readFileSync(join(import.meta.dirname, 'lucene-similar-terms.txt'), 'utf8')
  .trim()
  .split('\n')
  .map(line => line.split('|') as [string, StringDistance, keyof typeof MODES, string, string])

it.each([
  ['one segment', [TEXTS]],
  ['three segments', [TEXTS.slice(0, 2), TEXTS.slice(2, 7), TEXTS.slice(7)]],
])('the terms similar to a word are those of Lucene, in %s', (_, parts) => {
  const words = new ShardWords(leavesOf(...parts), 'f')
  expect(VECTORS).toHaveLength(210)
  for (const [word, distance, mode, byFrequency, wanted] of VECTORS) {
    const sort = byFrequency === '1' ? 'frequency' : 'score'
    const found = similar(words, word, 5, MODES[mode], { ...CHECK, distance, sort })
    const expected = wanted.split(' ').filter(each => each !== '')
    expect(
      found.map(({ term, docFreq, score }) => `${term}:${docFreq}:${score}`),
      `${word} ${distance} ${mode} ${sort}`,
    ).toEqual(
      expected.map(each => {
        const [term, docFreq, score] = each.split(':')
        return `${term}:${docFreq}:${Math.fround(Number(score))}`
      }),
    )
  }
})

/** Edits with swaps of neighbours, each unit touched once. */
function edits(a: string, b: string): number {
  const costs: number[][] = []
  for (let i = 0; i <= a.length; i++) {
    costs.push([])
    for (let j = 0; j <= b.length; j++) {
      if (i === 0 || j === 0) {
        costs[i]!.push(i + j)
        continue
      }
      const change = costs[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = isSwap ? costs[i - 2]![j - 2]! + 1 : Number.POSITIVE_INFINITY
      costs[i]!.push(Math.min(change, swap, costs[i - 1]![j]! + 1, costs[i]![j - 1]! + 1))
    }
  }
  return costs[a.length]![b.length]!
}

it('finds what comparing every term finds, however the documents are cut', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 })
  const texts = fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 12,
  })
  fc.assert(
    fc.property(
      texts,
      word,
      fc.nat(12),
      fc.nat(3),
      fc.constantFrom(1 as const, 2 as const),
      (given, sought, cut, prefixLength, maxEdits) => {
        const documents = given.map(each => each.join(' '))
        const parts = [documents.slice(0, cut), documents.slice(cut)].filter(
          part => part.length > 0,
        )
        const words = new ShardWords(leavesOf(...parts), 'f')
        const check = {
          ...CHECK,
          accuracy: 0,
          maxTermFreq: 1000,
          minWordLength: 1,
          maxEdits,
          prefixLength,
        }
        const found = similar(words, sought, 1000, 'always', check)
        const counts = new Map<string, number>()
        for (const terms of given)
          for (const term of new Set(terms)) counts.set(term, (counts.get(term) ?? 0) + 1)
        const wanted = [...counts].flatMap(([term, docFreq]) => {
          const near = edits(sought, term)
          const kept = Math.min(Math.max(prefixLength, near - 1), sought.length)
          if (near === 0 || near > maxEdits || term.slice(0, kept) !== sought.slice(0, kept))
            return []
          // Words one edit away with another first letter are drawn with two.
          const score = Math.fround(1 - Math.fround(near / Math.min(term.length, sought.length)))
          return score < 0 ? [] : [{ term, score, docFreq }]
        })
        const order = (a: { term: string; score: number; docFreq: number }, b: typeof a): number =>
          b.score - a.score || b.docFreq - a.docFreq || (a.term < b.term ? -1 : 1)
        expect(found).toEqual(wanted.sort(order).map(each => expect.objectContaining(each)))
      },
    ),
    { numRuns: 200 },
  )
})

it('keeps as many as it looks at, the most similar ones', () => {
  const words = new ShardWords(leavesOf(['word', 'ward', 'wore', 'worn', 'wards', 'sword']), 'f')
  const few = { ...CHECK, maxInspections: 1, accuracy: 0 }
  expect(similar(words, 'worx', 2, 'always', few).map(({ term }) => term)).toEqual(['word', 'wore'])
  expect(similar(words, 'worx', 2, 'always', { ...few, maxInspections: 0 })).toEqual([])
})

it('leaves words alone that are short, long, or frequent, and terms that are rare', () => {
  const words = new ShardWords(leavesOf(['sea sea', 'sea', 'seat', 'seas', 'x']), 'f')
  const terms = (word: string, check: Partial<SpellCheck>): string[] =>
    similar(words, word, 5, 'always', { ...CHECK, ...check }).map(({ term }) => term)
  expect(terms('sea', { minWordLength: 4 })).toEqual([])
  expect(terms('sea', {})).toEqual(['seas', 'seat'])
  expect(terms('sea', { maxTermFreq: Math.fround(0.1) })).toEqual([])
  expect(terms('sea', { maxTermFreq: 1 })).toEqual([])
  expect(terms('sea', { maxTermFreq: 2 })).toEqual(['seas', 'seat'])
  expect(terms('seam', {})).toEqual(['seas', 'seat', 'sea'])
  expect(terms('seam', { minDocFreq: 1 })).toEqual(['sea'])
  expect(terms('seam', { minDocFreq: Math.fround(0.45) })).toEqual(['sea'])
  expect(terms('s'.repeat(600), {})).toEqual([])
})
