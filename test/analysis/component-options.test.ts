import { describe, expect, it } from 'vitest'
import { AnalysisRegistry } from '../../src/analysis/registry.ts'
import { makeAnalyzerChain, makeChain } from '../support/analysis-chain.ts'
import { expectLinearTime } from '../support/linear-time.ts'

type Options = Readonly<Record<string, string | readonly string[]>>

/** Terms and where they stand. */
const cut = (type: string, options: Options, text: string): string[] => {
  const { tokens } = makeChain({ tokenizer: { type, ...options } }).tokens(text)
  return tokens.map(token => token.term)
}
const changed = (type: string, options: Options, text: string): string =>
  makeChain({ charFilters: [{ type, ...options }], tokenizer: 'keyword' }).tokens(text).tokens[0]!
    .term
const analyzed = (type: string, options: Options, text: string): string[] =>
  makeAnalyzerChain(type, options)
    .tokens(text)
    .tokens.map(token => token.term)

describe('tokenizer options', () => {
  it.each<[string, Options, string, string[]]>([
    ['standard', { max_token_length: '3' }, 'abcde', ['abc', 'de']],
    ['whitespace', { max_token_length: '3' }, 'abcde f-g', ['abc', 'de', 'f-g']],
    [
      'uax_url_email',
      {},
      'at a@b.com or http://x.org/y',
      ['at', 'a@b.com', 'or', 'http://x.org/y'],
    ],
    ['uax_url_email', { max_token_length: '4' }, 'abcdef', ['abcd', 'ef']],
    ['classic', {}, "O'Neil AT&T a-1 I.B.M.", ["O'Neil", 'AT&T', 'a-1', 'I.B.M.']],
    ['classic', { max_token_length: '3' }, 'abc abcd', ['abc']],
    ['thai', {}, 'ภาษาไทย ok', ['ภาษา', 'ไทย', 'ok']],
    ['ngram', {}, 'abc', ['a', 'ab', 'b', 'bc', 'c']],
    ['nGram', { min_gram: '2', max_gram: '2' }, 'abc', ['ab', 'bc']],
    [
      'ngram',
      { min_gram: '2', max_gram: '2', token_chars: ['letter', 'digit'] },
      'ab-c1',
      ['ab', 'c1'],
    ],
    [
      'ngram',
      { min_gram: '2', max_gram: '2', token_chars: ['custom'], custom_token_chars: '+-' },
      'a+-+',
      ['+-', '-+'],
    ],
    ['ngram', { min_gram: '1', max_gram: '1', token_chars: ['punctuation'] }, 'a.b+', ['.']],
    ['ngram', { min_gram: '1', max_gram: '1', token_chars: ['symbol'] }, 'a.b+', ['+']],
    ['ngram', { min_gram: '1', max_gram: '1', token_chars: ['whitespace'] }, 'a b', [' ']],
    ['edge_ngram', {}, 'abc', ['a', 'ab']],
    [
      'edgeNGram',
      { min_gram: '2', max_gram: '3', token_chars: ['letter'] },
      'abcd 12 xy',
      ['ab', 'abc', 'xy'],
    ],
    ['keyword', { buffer_size: '2' }, 'a b c', ['a b c']],
    ['pattern', {}, 'a,b', ['a', 'b']],
    ['pattern', { pattern: ',', flags: 'CASE_INSENSITIVE' }, 'a b,c', ['a b', 'c']],
    ['pattern', { pattern: '<(X)>', flags: 'CASE_INSENSITIVE', group: '1' }, '<x> <X>', ['x', 'X']],
    ['simple_pattern', { pattern: '[0-9]{3}' }, 'a123b4567', ['123', '456']],
    ['simple_pattern', {}, 'abc', []],
    ['simple_pattern_split', { pattern: '_' }, 'a_b__c', ['a', 'b', 'c']],
    ['simple_pattern_split', {}, 'a b', ['a b']],
    [
      'char_group',
      { tokenize_on_chars: ['whitespace', '-', '\\n'] },
      'a b-c\nd',
      ['a', 'b', 'c', 'd'],
    ],
    ['char_group', { tokenize_on_chars: ['letter'] }, '1a2', ['1', '2']],
    [
      'char_group',
      { tokenize_on_chars: ['digit', 'punctuation', 'symbol'] },
      'a1b.c+d',
      ['a', 'b', 'c', 'd'],
    ],
    ['char_group', { tokenize_on_chars: ['\\u00e9'] }, 'aéb', ['a', 'b']],
    ['char_group', { tokenize_on_chars: ['-'], max_token_length: '2' }, 'abc-d', ['ab', 'c', 'd']],
    ['path_hierarchy', {}, '/a/b', ['/a', '/a/b']],
    ['PathHierarchy', { delimiter: '-', replacement: '/' }, 'a-b', ['a', 'a/b']],
    ['path_hierarchy', { skip: '1', buffer_size: '4' }, '/a/b/c', ['/b', '/b/c']],
    ['path_hierarchy', { reverse: 'true', delimiter: '.' }, 'a.b.c', ['a.b.c', 'b.c', 'c']],
    ['letter', {}, "It's 2U", ['It', 's', 'U']],
    ['lowercase', {}, 'A1B', ['a', 'b']],
  ])('%s %j cuts %j', (type, options, text, expected) => {
    expect(cut(type, options, text)).toEqual(expected)
  })

  it('wide n-grams want the index to allow them', () => {
    const define = (settings: [string, string][]): AnalysisRegistry =>
      new AnalysisRegistry(
        new Map([
          ['index.analysis.tokenizer.t.type', 'ngram'],
          ['index.analysis.tokenizer.t.max_gram', '4'],
          ...settings,
        ]),
      )
    expect(() => define([])).toThrow('[1] but was [3]')
    expect(define([['index.max_ngram_diff', '3']]).tokenizer('t')?.name).toBe('t')
  })
})

describe('char filter options', () => {
  it.each<[string, Options, string, string]>([
    ['html_strip', {}, '<p>a &amp; <b>b</b></p>', '\na & b\n'],
    ['html_strip', { escaped_tags: ['b'] }, '<p>a <b>b</b></p>', '\na <b>b</b>\n'],
    ['html_strip', {}, 'x<a title="1 > 0">y</a>', 'xy'],
    ['mapping', { mappings: ['a => b', 'ab => c'] }, 'ab a', 'c b'],
    ['mapping', { mappings: ['\\u0041 => \\\\', ' \\u0020 => _'] }, 'A', '\\'],
    ['pattern_replace', { pattern: '(\\d)-(\\d)', replacement: '$2$1' }, 'a1-2', 'a21'],
    ['pattern_replace', { pattern: 'x' }, 'axb', 'ab'],
    ['pattern_replace', { pattern: 'X', replacement: '', flags: 'CASE_INSENSITIVE' }, 'axb', 'ab'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Java's way to name a group
    ['pattern_replace', { pattern: '(?<w>b)', replacement: '[${w}]' }, 'abc', 'a[b]c'],
  ])('%s %j changes %j', (type, options, text, expected) => {
    expect(changed(type, options, text)).toBe(expected)
  })

  it('mappings may stand in a file', () => {
    const chain = makeChain({
      charFilters: [{ type: 'mapping', mappings_path: 'm.txt' }],
      tokenizer: 'keyword',
      files: { 'm.txt': ['# smiles', ':) => _happy_', ''] },
    })
    expect(chain.tokens('so :)').tokens[0]!.term).toBe('so _happy_')
  })

  it('offsets are those of the text before them', () => {
    const { tokens, endOffset } = makeChain({
      charFilters: ['html_strip', { type: 'mapping', mappings: ['& => and'] }],
      tokenizer: 'whitespace',
    }).tokens('<b>A</b> &amp; <i>B</i>')
    expect(tokens.map(token => [token.term, token.startOffset, token.endOffset])).toEqual([
      ['A', 3, 8],
      ['and', 9, 14],
      ['B', 18, 23],
    ])
    expect(endOffset).toBe(23)
  })

  it('a text that would grow without bounds is refused', () => {
    const grow = (type: string, options: Options) => () =>
      changed(type, options, 'a'.repeat(100_000))
    expect(grow('mapping', { mappings: [`a => ${'b'.repeat(500)}`] })).toThrow(
      'longer by more than',
    )
    const replacement = 'b'.repeat(500)
    expect(grow('pattern_replace', { pattern: 'a', replacement })).toThrow('longer by more than')
  })

  it('markup that never ends takes time in proportion to the text', () => {
    for (const unit of ['<a <!--#-->', '<a b=\'x" c="', '<', '<?', '&', '<script><!--'])
      expectLinearTime(20_000, size => {
        changed('html_strip', {}, unit.repeat(size))
      })
  })
})

describe('analyzer options', () => {
  it.each<[string, Options, string, string[]]>([
    [
      'standard',
      { max_token_length: '2', stopwords: '_english_' },
      'The fox',
      ['th', 'e', 'fo', 'x'],
    ],
    ['standard', { stopwords: ['fox'] }, 'The fox', ['the']],
    ['simple', {}, 'A1 B', ['a', 'b']],
    ['whitespace', {}, 'A1 B', ['A1', 'B']],
    ['stop', {}, 'The fox', ['fox']],
    ['stop', { stopwords: ['fox'] }, 'The fox', ['the']],
    ['keyword', {}, 'A b', ['A b']],
    ['pattern', {}, 'A-b', ['a', 'b']],
    [
      'pattern',
      { pattern: 'X', flags: 'CASE_INSENSITIVE', lowercase: 'false', stopwords: ['B'] },
      'AxBxC',
      ['A', 'C'],
    ],
    ['fingerprint', {}, 'b Á b a', ['a b']],
    ['fingerprint', { separator: '+', stopwords: ['b'] }, 'c b a', ['a+c']],
    ['fingerprint', { max_output_size: '3' }, 'some longer words', []],
  ])('%s %j makes of %j', (type, options, text, expected) => {
    expect(analyzed(type, options, text)).toEqual(expected)
  })

  it('stop words: in any case, at the end, from a file', () => {
    const stop = (options: Options, text: string): string[] =>
      makeChain({
        tokenizer: 'whitespace',
        filters: [{ type: 'stop', ...options }],
        files: { 's.txt': ['# words', 'x'] },
      })
        .tokens(text)
        .tokens.map(token => `${token.term}+${token.positionIncrement}`)
    expect(stop({ stopwords: ['the'] }, 'The the fox')).toEqual(['The+1', 'fox+2'])
    expect(stop({ stopwords: ['THE'], ignore_case: 'true' }, 'The the fox')).toEqual(['fox+3'])
    expect(stop({ remove_trailing: 'false' }, 'fox and the')).toEqual(['fox+1', 'the+2'])
    expect(stop({ remove_trailing: 'false' }, 'fox and the ')).toEqual(['fox+1'])
    expect(stop({ stopwords_path: 's.txt' }, 'a x b')).toEqual(['a+1', 'b+2'])
    expect(stop({ stopwords: '_none_' }, 'a the')).toEqual(['a+1', 'the+1'])
  })
})

describe('the simple patterns of Lucene', () => {
  it.each<[string, string, string[]]>([
    ['a|bc', 'abc', ['a', 'bc']],
    ['[^ab]+', 'abxyb', ['xy']],
    ['"a*"', 'a*aa', ['a*']],
    ['<5-12>', '4 5 012 13', ['5', '012', '1', '3'].slice(0, 2)],
    ['<01-12>', '1 01 12 13', ['01', '12']],
    ['a{2,3}', 'aaaaa', ['aaa', 'aa']],
    ['a{2}', 'aaaaa', ['aa', 'aa']],
    ['(ab)+c?', 'ababc', ['ababc']],
    ['.&~b', 'abc', ['a', 'c']],
    ['x@y', 'axbyc', ['xby']],
    ['#|a', 'ba', ['a']],
    ['\\d+\\w', '12a', ['12a']],
    ['\\.', 'a.b', ['.']],
    ['()', 'ab', []],
  ])('%s finds in %j', (pattern, text, expected) => {
    expect(cut('simple_pattern', { pattern }, text)).toEqual(expected)
  })

  it.each([
    ['(a', "expected ')'"],
    ['a{', 'integer expected'],
    ['a{2', "expected '}'"],
    ['"a', "expected '\"'"],
    ['<a', "expected '>'"],
    ['<name>', "'name' not found"],
    ['<1-x>', 'interval syntax error'],
    ['a\\', 'unexpected end-of-string'],
    ['a)', 'end-of-string expected'],
    ['[b-a]', 'invalid range'],
    ['.*a.{14}', 'more than 10000 effort'],
    ['a'.repeat(1001), 'longer than the maximum'],
    ['('.repeat(200), 'nested too deeply'],
    ['a{1001}', 'more than the 1000 allowed'],
  ])('%s is refused', (pattern, reason) => {
    expect(() => cut('simple_pattern', { pattern }, 'a')).toThrow(reason)
  })

  it('a text that takes too long is stopped', () => {
    expect(() => cut('simple_pattern', { pattern: '.*b' }, 'a'.repeat(100_000))).not.toThrow()
    const text = `${'a'.repeat(60_000)}\n`
    expect(() => cut('simple_pattern', { pattern: '[a]*b' }, text)).toThrow('takes more than')
  })
})
