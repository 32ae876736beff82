import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnalysisRegistry } from '../../../../src/analysis/registry.ts'
import { RunFilter, visitPlainWords } from '../../../../src/engine/fetch/highlight/plain-words.ts'

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

type Token = readonly [term: string, position: number, start: number, end: number]

function visited(text: string, limit: number, terms: readonly string[] | null): Token[] {
  const tokens: Token[] = []
  visitPlainWords(analyzer, text, -1, limit, new RunFilter(terms), (...token) => tokens.push(token))
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

  it('are none of analyzers that change or drop words', () => {
    const registry = new AnalysisRegistry(new Map())
    for (const name of ['english', 'stop', 'whitespace', 'keyword'])
      expect([name, registry.analyzer(name)!.takesPlainWords]).toEqual([name, false])
  })
})
