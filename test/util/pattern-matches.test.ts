import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BacktrackingMachine } from '../../src/util/pattern/backtracking-machine.ts'
import { backtrackingProgram } from '../../src/util/pattern/backtracking-program.ts'
import type { Machine } from '../../src/util/pattern/machine.ts'
import { Matcher } from '../../src/util/pattern/matcher.ts'
import { parsePattern } from '../../src/util/pattern/pattern-parser.ts'
import { compilePattern } from '../../src/util/pattern/pattern-program.ts'
import { Random } from '../../src/util/random.ts'
import { randomPattern, randomText } from '../support/random-patterns.ts'

/** The offsets of all matches: of each its start and end, and those of its groups. */
function offsetsOf(machine: Machine, text: string): number[][] {
  machine.reset(text)
  const found: number[][] = []
  for (let from = 0; from <= text.length && machine.find(from); ) {
    const [start = 0, end = 0] = machine.groups
    found.push([...machine.groups])
    from = end > start ? end : end + 1
  }
  return found
}

const matcherOf = (pattern: string, flags = ''): Matcher =>
  new Matcher(compilePattern(pattern, flags))
const backtracking = (pattern: string): Machine =>
  new BacktrackingMachine(backtrackingProgram(parsePattern(pattern, '')))
const matches = (pattern: string, text: string, flags = ''): number[][] =>
  offsetsOf(matcherOf(pattern, flags), text)
const wholes = (found: readonly number[][]): string =>
  found.map(([start, end]) => `${start},${end}`).join(';')

describe('patterns that look around or back', () => {
  it.each<readonly [pattern: string, text: string, matches: number[][]]>([
    [
      '(?<=[a-z])(?=[A-Z])',
      'camelCaseX',
      [
        [5, 5],
        [9, 9],
      ],
    ],
    [
      '(?<!\\d)\\d{2}(?!\\d)',
      '12 345 67',
      [
        [0, 2],
        [7, 9],
      ],
    ],
    [
      '(\\w)\\1',
      'hello aab',
      [
        [2, 4, 2, 3],
        [6, 8, 6, 7],
      ],
    ],
    ['(?<x>a)\\k<x>', 'aa', [[0, 2, 0, 1]]],
    ['(a)\\11', 'aa1', [[0, 3, 0, 1]]],
    ['(a\\1)', 'aa', []],
    ['(a\\1?)+', 'aa', [[0, 2, 1, 2]]],
    ['(a|b\\1)+', 'aba', [[0, 3, 1, 3]]],
    ['\\2(a)', 'a', []],
    ['(a)?\\1b', 'b', []],
    ['(?>a*)a', 'aaa', []],
    ['x*+x', 'xx', []],
    ['[a-z]{2,}+z', 'abz', []],
    [
      'a?+b',
      'ab b',
      [
        [0, 2],
        [3, 4],
      ],
    ],
    ['(?:a|ab){2}+', 'aba', []],
    ['(?:(?=(a))ab|ac)', 'ac', [[0, 2, 0, 1]]],
    ['(?:(a)|b)*\\1', 'aba', [[0, 3, 0, 1]]],
    ['(?<=|a)b', 'ab', [[1, 2]]],
    [
      '(?<=^|,)a',
      'a,a',
      [
        [0, 1],
        [2, 3],
      ],
    ],
    ['(?<=a+)b', 'aab', [[2, 3]]],
    ['(?<=.)b', '😀b', [[2, 3]]],
    [
      '(?!a)😀+?',
      'a😀😀',
      [
        [1, 3],
        [3, 5],
      ],
    ],
    ['(?i)(a)\\1', 'aA', [[0, 2, 0, 1]]],
    [
      'a(?i)b|c(?=d)',
      'aBCd',
      [
        [0, 2],
        [2, 3],
      ],
    ],
  ])('%j finds in %j what Java finds', (pattern, text, expected) => {
    expect(matches(pattern, text)).toEqual(expected)
  })

  it('compare letters as the flags say', () => {
    expect(matches('(ä)\\1', 'äÄ', 'CASE_INSENSITIVE')).toEqual([])
    expect(matches('(ä)\\1', 'äÄ', 'CASE_INSENSITIVE|UNICODE_CASE')).toEqual([[0, 2, 0, 1]])
    expect(matches('[^a]', 'aAb', 'CASE_INSENSITIVE')).toEqual([[2, 3]])
    expect(matches('(?i:[^a])|A', 'aAb')).toEqual([
      [1, 2],
      [2, 3],
    ])
  })

  it('match whole texts by other ways than those that match a part', () => {
    const whole = (pattern: string, text: string): boolean => {
      const matcher = new Matcher(compilePattern(pattern, '', 'whole'))
      matcher.reset(text)
      return matcher.find(0)
    }
    for (const look of ['', '(?!x)']) {
      expect(whole(`${look}a|ab`, 'ab')).toBe(true)
      expect(whole(`${look}a|ab`, 'xab')).toBe(false)
      expect(whole(`${look}ab$`, 'ab\n')).toBe(false)
    }
  })

  it('match where Java matches, in random patterns and texts', () => {
    const file = join(import.meta.dirname, 'java-matches.txt')
    const plain = (text: string): string =>
      text.replace(/\\(.)/g, (_, unit: string) => (unit === 'n' ? '\n' : unit))
    let compared = 0
    for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) {
      const [pattern = '', text = '', outcome = ''] = line.split('\t')
      let found: number[][]
      try {
        found = matches(plain(pattern), plain(text))
      } catch (error) {
        // Java refuses most of these.
        expect(String(error)).toContain('obvious maximum length')
        continue
      }
      if (outcome === 'refused') continue
      const theirs =
        outcome === '' ? [] : outcome.split(';').map(each => each.split(',').map(Number))
      expect(wholes(found), line).toBe(wholes(theirs))
      compared++
    }
    expect(compared).toBeGreaterThan(2400)
  })
})

describe('the backtracking machine', () => {
  it('finds what the linear one finds, groups too', () => {
    const seed = 31
    const random = new Random(seed)
    for (let i = 0; i < 5000; i++) {
      const pattern = randomPattern(random, { backtracks: false, flags: true })
      const text = randomText(random)
      const linear = offsetsOf(matcherOf(pattern), text)
      expect(
        offsetsOf(backtracking(pattern), text),
        JSON.stringify({ seed, pattern, text }),
      ).toEqual(linear)
    }
  })

  it('finds what JavaScript finds by looks', () => {
    const leaf = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\b', '\\w', '^', '$', 'ab')
    const pattern = fc.letrec<{ node: string }>(tie => ({
      node: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.tuple(tie('node'), tie('node')).map(([a, b]) => a + b),
        fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(?:${a}|${b})`),
        fc
          .tuple(tie('node'), fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{1,2}', '{2}'))
          .map(([a, quantifier]) => `(?:${a}x)${quantifier}`),
        fc.tuple(tie('node'), fc.constantFrom('?=', '?!')).map(([a, look]) => `(${look}${a})`),
        fc
          .tuple(leaf, leaf, fc.constantFrom('?<=', '?<!'))
          .map(([a, b, look]) => `(${look}${a}|${b}${a})`),
      ),
    })).node
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom('a', 'b', 'x', ' '), maxLength: 12 }),
        (source, text) => {
          const expected = [...text.matchAll(new RegExp(source, 'g'))].map(match => [
            match.index,
            match.index + match[0].length,
          ])
          expect(offsetsOf(backtracking(source), text)).toEqual(expected)
        },
      ),
      { seed: 5, numRuns: 3000 },
    )
  })

  it.each([
    ['(?=a)(a+)+$', 'a'],
    ['(a|aa)+\\1c', 'a'],
    ['(?:a*)*(?!a)(?<=b)', 'a'],
    ['((a?){20}){20}\\1b', 'a'],
    ['(.*)(.*)(.*)(.*)(.*)\\1x', 'ab'],
    ['(?<=(?:a|b){1,500})(?<=(?:a|b|c){1,500}x)', 'ab'],
  ])('stops %j after a number of steps that grows with the text', (pattern, unit) => {
    const matcher = matcherOf(pattern)
    const run = (text: string): unknown => offsetsOf(matcher, text)
    expect(() => run(`${unit.repeat(5000)}d`)).toThrow(
      /^the pattern takes more than 10\d{6} steps on a text of \d+ characters$/,
    )
    // The next text has steps of its own.
    expect(run(unit)).toBeDefined()
  })

  it('counts the steps of all parts of a text', () => {
    const matcher = matcherOf('(?=a)(a+)+$')
    const part = `${'a'.repeat(17)}d`
    matcher.reset('')
    expect(() => {
      for (let i = 0; i < 1000; i++) {
        matcher.resetPart(part)
        matcher.find(0)
      }
    }).toThrow('takes more than')
    matcher.reset(part)
    expect(matcher.find(0)).toBe(false)
  })

  it('runs over long texts', () => {
    const text = 'camelCase '.repeat(50_000)
    expect(matches('(?<=[a-z])(?=[A-Z])', text)).toHaveLength(50_000)
    expect(matches('(?=c)(?:\\w|\\s)*+', text)).toEqual([[0, text.length]])
    expect(matches('(?=c).*e', text)).toEqual([[0, text.length - 1]])
  })
})
