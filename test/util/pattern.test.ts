import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnalysisRegistry } from '../../src/analysis/registry.ts'
import { PatternTokenizer, tokenPattern } from '../../src/analysis/tokenizer/pattern-tokenizer.ts'
import { Matcher } from '../../src/util/pattern/matcher.ts'
import { compilePattern } from '../../src/util/pattern/pattern-program.ts'
import { tokenizeText } from '../support/tokenize-text.ts'

const terms = (pattern: string, text: string, group = -1, flags = ''): string[] =>
  tokenizeText(new PatternTokenizer(tokenPattern(pattern, flags, group)), text).tokens.map(
    token => token.term,
  )

/** All matches with their groups. */
function matches(pattern: string, text: string, flags = ''): unknown[] {
  const matcher = new Matcher(compilePattern(pattern, flags))
  matcher.reset(text)
  const found: unknown[] = []
  let from = 0
  while (from <= text.length && matcher.find(from)) {
    const groups = [...matcher.groups]
    found.push(
      groups.flatMap((start, i) =>
        i % 2 === 0 ? [start < 0 ? undefined : text.slice(start, groups[i + 1])] : [],
      ),
    )
    from = groups[1]! > groups[0]! ? groups[1]! : groups[1]! + 1
  }
  return found
}

describe('patterns', () => {
  it('cut between their matches, or at a group', () => {
    expect(terms('\\W+', 'The foo_bar, 2 x!')).toEqual(['The', 'foo_bar', '2', 'x'])
    expect(terms(',', 'a,,b,')).toEqual(['a', 'b'])
    expect(terms("'([^']+)'", "aaa 'bbb' 'ccc'", 1)).toEqual(['bbb', 'ccc'])
    expect(terms("'([^']+)'", "aaa 'bbb'", 0)).toEqual(["'bbb'"])
    expect(terms('X', 'axbXc', -1, 'CASE_INSENSITIVE')).toEqual(['a', 'b', 'c'])
    expect(terms('.', 'a.b', -1, 'LITERAL')).toEqual(['a', 'b'])
    expect(terms('(?:)', 'ab')).toEqual(['a', 'b'])
    expect(terms('[^\\p{L}\\d]+', 'Größe 12–x')).toEqual(['Größe', '12', 'x'])
    expect(terms('([^\\p{L}\\d]+)|(\\D+)(\\d+)', 'a1')).toEqual([])
  })

  it('know the classes of Java', () => {
    expect(matches('[a-c&&[^b]]+', 'abcac')).toEqual([['a'], ['cac']])
    expect(matches('[a-c[x-z]]+', 'axdz')).toEqual([['ax'], ['z']])
    expect(matches('\\p{Punct}+', 'a.,b')).toEqual([['.,']])
    expect(matches('\\p{Lu}', 'aÄB')).toEqual([['Ä'], ['B']])
    expect(matches('\\p{IsGreek}+', 'aβγ')).toEqual([['βγ']])
    expect(matches('\\x41\\u0042\\Q.*\\E', 'AB.*')).toEqual([['AB.*']])
    expect(matches('^b$', 'a\nb\r\nc', 'MULTILINE')).toEqual([['b']])
    expect(matches('c$', 'c\n')).toEqual([['c']])
    expect(matches('a.b', 'a\nb a😀b')).toEqual([['a😀b']])
  })

  it('know classes beyond ASCII where a flag says so', () => {
    const text = 'él-empezó-a-reír'
    const words = '(\\b\\p{L}+\\b)'
    const found = (pattern: string, flags = ''): unknown[] =>
      matches(pattern, text, flags).map(groups => (groups as string[])[1])
    expect(found(words)).toEqual(['l', 'empez', 'a', 'reír'])
    expect(found(`(?U)${words}`)).toEqual(['él', 'empezó', 'a', 'reír'])
    for (const flag of ['UNICODE_CHARACTER_CLASS', 'UNICODE_CHAR_CLASS'])
      expect(found(words, flag)).toEqual(['él', 'empezó', 'a', 'reír'])
    expect(matches('(?U)\\w+', 'e\u0301_𝒳 ٣')).toEqual([['e\u0301_𝒳'], ['٣']])
    expect(matches('(?U)\\b𝒳\\B', '𝒳𝒳 𝒳')).toEqual([['𝒳']])
    expect(matches('(?U)[\\d\\s]+|\\D', '٣\u2003é')).toEqual([['٣\u2003'], ['é']])
    expect(matches('(?U)\\p{Lower}|\\p{Blank}', 'Éé\u00a0\n')).toEqual([['é'], ['\u00a0']])
    expect(matches('(?U:\\w)\\w|(?U)(?-U)\\w', 'éé éa a')).toEqual([['éa'], ['a']])
    expect(matches('(?iU)É', 'é')).toEqual([['é']])
  })

  it('pass over spaces and comments where a flag says so', () => {
    const pattern = `(?x) a + + # letters)
      ( [b - d \\ ] | (?-x: e) ) \\# {2}  # two`
    expect(matches(pattern, 'aac## e## a e##a ##').map(groups => (groups as string[])[0])).toEqual([
      'aac##',
      'a e##',
      'a ##',
    ])
    expect(matches('a b|C', 'ab c', 'CASE_INSENSITIVE|COMMENTS')).toEqual([['ab'], ['c']])
    expect(matches('a b# c\\d', 'ab')).toEqual([])
  })

  it('find what a backtracking engine finds, groups too', () => {
    const leaf = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\b', '\\w', '^', '$', 'ab')
    const pattern = fc.letrec<{ node: string }>(tie => ({
      node: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.tuple(tie('node'), tie('node')).map(([a, b]) => a + b),
        fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(${a}|${b})`),
        fc
          .tuple(tie('node'), fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{1,2}', '{2}'))
          .map(([a, quantifier]) => `(?:${a}x)${quantifier}`),
        tie('node').map(a => `(${a})`),
      ),
    })).node
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom('a', 'b', 'x', ' '), maxLength: 12 }),
        (source, text) => {
          // A group inside a repeat is reset by JavaScript and kept by Java: whole matches only.
          const expected = [...text.matchAll(new RegExp(source, 'g'))].map(match => match[0])
          expect(matches(source, text).map(groups => (groups as string[])[0])).toEqual(expected)
        },
      ),
      { seed: 12, numRuns: 2000 },
    )
  })

  it('take time in proportion to the text where backtracking takes for ever', () => {
    const text = 'a'.repeat(3000)
    expect(matches('(a+)+b', text)).toEqual([])
    expect(matches('(a|a)*c|(a?){20}b', text)).toEqual([])
  })

  it('compile at once, however often they repeat nothing', () => {
    for (const nothing of ['(?:)', 'a{0}', '(?:(?:)|a{0}){0}'])
      for (const look of ['', '(?=b)']) {
        const pattern = `${look}b(?:(?:(?:${nothing}){9999}){9999}){9999}`
        expect(matches(pattern, 'abb')).toEqual([['b'], ['b']])
      }
    expect(matches('(a){0}b', 'ab')).toEqual([['b', undefined]])
  })

  it('stop where a text would take too long', () => {
    expect(() => terms('a(.*b)?', 'a'.repeat(60_000))).toThrow('takes more than')
  })

  // The places are Java's.
  it.each([
    ['(?d).+', 'a\rb\u0085c\nd', '0-5 6-7'],
    ['(?dm)^.', '\na\rb\r\nc\n', '1-2 6-7'],
    ['(?dm).$', 'a\r\nb\rc\n', '1-2 5-6'],
    ['(?d).$', 'ab\r\n', '2-3'],
    ['(?d)\\w$', 'b\n', '0-1'],
    ['(?d)a$', 'a\r', ''],
    ['(?d)a\\Z', 'a\n', '0-1'],
    ['(?d)a\\Z', 'a\r\n', ''],
    ['(?dm)^$', '\r\n\n', '2-2'],
    ['(?dx)a # c\rb\nc', 'ac', '0-2'],
    ['(?dm-d)^.', 'a\rb', '0-1 2-3'],
    ['a(?d:.)b', 'a\rb', '0-3'],
    ['a(?:.)b', 'a\rb', ''],
    ['(?d)(?-d).', '\r', ''],
    ['(?dm)$', 'a\n\nb\n', '1-1 2-2 4-4 5-5'],
    ['(?dm)^', 'a\n\nb\n', '0-0 2-2 3-3'],
  ])('end lines at `\\n` alone under the flag d: %j in %j', (pattern, text, places) => {
    const matcher = new Matcher(compilePattern(pattern, ''))
    matcher.reset(text)
    const found: string[] = []
    let from = 0
    while (from <= text.length && matcher.find(from)) {
      const [start, end] = matcher.groups as unknown as [number, number]
      found.push(`${start}-${end}`)
      from = end === start ? end + 1 : end
    }
    expect(found.join(' ')).toBe(places)
  })

  it('take the flag by its name', () => {
    expect(matches('.+', 'a\rb\nc', 'UNIX_LINES')).toEqual([['a\rb'], ['c']])
    expect(matches('^.', 'a\rb\nc', 'MULTILINE|UNIX_LINES')).toEqual([['a'], ['c']])
    expect(() => compilePattern('a', 'CANON_EQ')).toThrow('[flags: CANON_EQ] is not supported yet')
  })

  it.each([
    ['(', 'Unclosed group'],
    [')', "Unmatched closing ')'"],
    ['[a', 'Unclosed character class'],
    ['*a', "Dangling meta character '*'"],
    ['a{2', 'Illegal repetition'],
    ['a{3,2}', 'Illegal repetition range'],
    ['[b-a]', 'Illegal character range'],
    ['\\', 'Unexpected end'],
    ['\\y', 'Illegal/unsupported escape sequence'],
    ['\\p{Nope}', 'Unknown character property name {Nope}'],
    ['a**', "Dangling meta character '*'"],
    ['a+++', "Dangling meta character '+'"],
    ['\\k<x>', 'named capturing group <x> does not exist'],
    ['\\kx', "\\k is not followed by '<' for named capturing group"],
    ['(?<1>a)', 'capturing group name does not start with a Latin letter'],
    ['(?<a', "named capturing group is missing trailing '>'"],
    ['(?<a>b)(?<a>c)', 'Named capturing group <a> is already defined'],
    ['(?=a', 'Unclosed group'],
    ['(?<!a', 'Unclosed group'],
    ['(?>a', 'Unclosed group'],
    ['(?i', 'Unknown inline modifier'],
    ['(?#a)', 'Unknown inline modifier'],
    ['(?c)a', '[inline flag c in a pattern] is not supported yet'],
    ['(?x)(a # )', 'Unclosed group'],
    ['(?<=(?:a|bc)*)', 'Look-behind group does not have an obvious maximum length'],
    ['(?<=(a)\\1)b', 'Look-behind group does not have an obvious maximum length'],
    ['(?=a)((a{1000}){1000}b|c){9}', 'compiles to too many steps'],
    ['((a{1000}){1000}){9}', 'compiles to too many steps'],
    ['a'.repeat(1001), 'longer than the maximum'],
    ['('.repeat(100), 'nested too deeply'],
  ])('that cannot be read are refused: %j', (pattern, reason) => {
    expect(() => compilePattern(pattern, '')).toThrow(reason)
  })

  it('are what the pattern analyzer and tokenizer run', () => {
    const registry = new AnalysisRegistry(
      new Map<string, string | string[]>([
        ['index.analysis.analyzer.camel.type', 'pattern'],
        ['index.analysis.analyzer.camel.pattern', '[-_]'],
        ['index.analysis.analyzer.camel.lowercase', 'false'],
        ['index.analysis.analyzer.camel.stopwords', ['B']],
        ['index.analysis.analyzer.mine.tokenizer', 'cut'],
        ['index.analysis.analyzer.mine.filter', ['lowercase']],
        ['index.analysis.tokenizer.cut.type', 'pattern'],
        ['index.analysis.tokenizer.cut.pattern', '"([^"]*)"'],
        ['index.analysis.tokenizer.cut.group', '1'],
      ]),
    )
    const of = (name: string, text: string): string[] =>
      registry
        .analyzer(name)!
        .tokens(text)
        .tokens.map(token => token.term)
    expect(of('pattern', 'The QUICK-fox')).toEqual(['the', 'quick', 'fox'])
    expect(of('camel', 'A-B_C')).toEqual(['A', 'C'])
    expect(of('mine', 'x "Foo bar" "B"')).toEqual(['foo bar', 'b'])
    expect(() => tokenPattern('(a)', '', 2)).toThrow('pattern only has: 1 capturing groups')
    expect(() => tokenPattern('a', 'NOPE', -1)).toThrow('Unknown regex flag [NOPE]')
  })
})
