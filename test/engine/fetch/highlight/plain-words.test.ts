import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnalysisRegistry } from '../../../../src/analysis/registry.ts'
import { RunFilter, visitPlainWords } from '../../../../src/engine/fetch/highlight/plain-words.ts'
import { canSearch, searchWords } from '../../../../src/engine/fetch/highlight/word-search.ts'

const analyzer = new AnalysisRegistry(new Map()).analyzer('standard')!

const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(..." \n\t.,:;'_-()/@aAzZ09"),
      fc.constantFrom(
        'Word',
        'two words ',
        "can't",
        'a.b',
        '3.14',
        'x_y',
        'été',
        '日本',
        '😀',
        'I.B.M.',
      ),
      fc.integer({ min: 60, max: 300 }).map(length => 'x'.repeat(length)),
      fc.string({ unit: 'grapheme', maxLength: 3 }),
    ),
    { maxLength: 20 },
  )
  .map(parts => parts.join(''))

const spaced = fc
  .array(
    fc.constantFrom('a', 'word', 'two', 'words.', 'z, x', '- /', '日本', 'été', '"09"', '(b)'),
    {
      maxLength: 20,
    },
  )
  .map(parts => parts.join(' '))

type Token = readonly [term: string, position: number, start: number, end: number]

function visited(text: string, limit: number, terms: readonly string[] | null): Token[] {
  const tokens: Token[] = []
  const cursor = { at: 0, position: -1 }
  const filter = new RunFilter(terms)
  // In steps of a few words.
  while (cursor.at < text.length)
    visitPlainWords(analyzer, text, cursor, cursor.at + 7, limit, filter, (...token) =>
      tokens.push(token),
    )
  return tokens
}

function streamed(text: string, limit: number): Token[] {
  let position = -1
  return analyzer
    .tokens(text)
    .tokens.map(({ term, positionIncrement, startOffset, endOffset }): Token => {
      position += positionIncrement
      return [term, position, startOffset, endOffset]
    })
    .filter(([, , start]) => start <= limit)
}

describe('plain words', () => {
  it('are the tokens of the analyzer', () => {
    expect(analyzer.takesPlainWords).toBe(true)
    fc.assert(
      fc.property(texts, fc.oneof(fc.constant(10_000), fc.nat(60)), (text, limit) => {
        expect(visited(text, limit, null)).toEqual(streamed(text, limit))
      }),
      { numRuns: 2000 },
    )
  })

  it('of the terms that are looked for are all visited', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(40), { maxLength: 4 }), (text, picks) => {
        const all = streamed(text, 10_000)
        const terms = picks.flatMap(pick => all[pick % Math.max(1, all.length)]?.[0] ?? [])
        const wanted = all.filter(([term]) => terms.includes(term))
        expect(visited(text, 10_000, terms).filter(([term]) => terms.includes(term))).toEqual(
          wanted,
        )
      }),
      { numRuns: 1000 },
    )
  })

  it('are found by looking for them', () => {
    fc.assert(
      fc.property(
        texts,
        fc.uniqueArray(
          fc.constantFrom('a', 'z', '09', 'word', 'two', 'can', 't', 'b', '3', 'x', 'xx'),
          {
            maxLength: 4,
          },
        ),
        (text, picks) => {
          const terms = new Set(picks)
          expect(canSearch(terms)).toBe(true)
          const words = searchWords(analyzer, text, terms, 0)
          if (words === null) return
          const wanted = picks.flatMap(pick =>
            streamed(text, 10_000).flatMap(([term, , start, end]) =>
              term === pick ? [{ term, position: 0, start, end }] : [],
            ),
          )
          expect(words.found).toEqual(wanted)
        },
      ),
      { numRuns: 4000 },
    )
  })

  it('are found once within a stretch without blanks', () => {
    expect(searchWords(analyzer, "a(a'b a", new Set(['a']), 0)!.found).toEqual([
      { term: 'a', position: 0, start: 0, end: 1 },
      { term: 'a', position: 0, start: 6, end: 7 },
    ])
    expect(searchWords(analyzer, "a(a' a", new Set(['a']), 0)!.found).toHaveLength(3)
  })

  it('have their distances, where these are short', () => {
    let known = 0
    fc.assert(
      fc.property(
        fc.oneof(texts, spaced),
        fc.uniqueArray(fc.constantFrom<string>('a', 'z', '09', 'word', 'two', 'words'), {
          minLength: 1,
        }),
        fc.integer({ min: 1, max: 5 }),
        (text, picks, reach) => {
          const words = searchWords(analyzer, text, new Set(picks), reach)
          if (words === null) return
          let place = 0
          let before = -1
          const tokens = streamed(text, 10_000)
          const distances = tokens.flatMap(([term, position, start, end]) => {
            if (!picks.includes(term)) return []
            place += Math.min(reach, position - before - 1)
            before = position
            return [{ term, position: place++, start, end }]
          })
          expect([...words.found].sort((a, b) => a.start - b.start)).toEqual(distances)
          expect(words.count).toBe(place + Math.min(reach, tokens.length - before - 1))
          if (distances.length > 1) known++
        },
      ),
      { numRuns: 4000 },
    )
    expect(known).toBeGreaterThan(1000)
  })

  it('are not looked for where there are too many, or of other characters', () => {
    for (const terms of [['é'], ["can't"], ['A'], [''], 'abcdefghi'.split('')])
      expect(canSearch(new Set(terms))).toBe(false)
    expect(searchWords(analyzer, 'İ a', new Set(['a']), 0)).toBeNull()
    expect(searchWords(analyzer, `${'x'.repeat(300)} a`, new Set(['x']), 0)).toBeNull()
  })

  it('are none of analyzers that change or drop words', () => {
    const registry = new AnalysisRegistry(new Map())
    for (const name of ['english', 'stop', 'whitespace', 'keyword'])
      expect([name, registry.analyzer(name)!.takesPlainWords]).toEqual([name, false])
  })
})
