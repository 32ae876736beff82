import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readQueryString } from '../../../../src/engine/dsl/query-string/syntax.ts'
import { SyntaxProblem } from '../../../../src/engine/dsl/query-string/tokens.ts'

/** Pieces that mean something, between letters. */
const piece = fc.constantFrom(
  ...['a', 'b', ' ', 'AND', 'OR', 'NOT', '&&', '||', '!', '+', '-', '(', ')', '[', ']', '{', '}'],
  ...[' TO ', '^', '~', '*', '?', ':', '\\', '/', '"', '1', '.5', '\\u0041', '>', '<=', '🦊', '\t'],
)

describe('readQueryString', () => {
  it('reads any text, or tells why not', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), pieces => {
        const text = pieces.join('')
        fc.pre(text.trim() !== '')
        try {
          expect(readQueryString(text).length).toBeGreaterThan(0)
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxProblem)
          expect((error as Error).message).not.toBe('')
        }
      }),
      { numRuns: 5000 },
    )
  })

  it('takes a time linear in the text, whatever it is made of', () => {
    for (const part of ['a', '\\a', '"a', '/\\/', 'a*', 'a ', '[a TO ', '~', 'a^2 ', '(a) ', '\\'])
      for (const end of ['', '"', '/', ')', '*']) {
        const text = part.repeat(10_000) + end
        try {
          readQueryString(text)
        } catch (error) {
          expect(error).toBeInstanceOf(SyntaxProblem)
        }
      }
  })

  it('bounds the depth of brackets', () => {
    expect(() => readQueryString(`${'('.repeat(10_000)}a`)).toThrow(
      'brackets are nested more than 200 deep',
    )
  })

  it.each([
    ['a b', [['none', 'none', 'words', 'a b']]],
    [
      'a b^2',
      [
        ['none', 'none', 'words', 'a'],
        ['none', 'none', 'words', 'b'],
      ],
    ],
    [
      'a AND -b',
      [
        ['none', 'none', 'words', 'a'],
        ['and', 'prohibited', 'words', 'b'],
      ],
    ],
    ['+"a b"~2', [['none', 'required', 'phrase', 'a b']]],
    [
      'a* OR /b/',
      [
        ['none', 'none', 'prefix', 'a'],
        ['or', 'none', 'regexp', 'b'],
      ],
    ],
    ['a?b', [['none', 'none', 'wildcard', 'a?b']]],
    ['a~1', [['none', 'none', 'fuzzy', 'a']]],
  ])('cuts %s into clauses', (text, expected) => {
    const clauses = readQueryString(text).map(({ conjunction, sign, part }) => [
      conjunction,
      sign,
      part.kind,
      'text' in part ? part.text : null,
    ])
    expect(clauses).toEqual(expected)
  })
})
