import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizeText } from '../../src/analysis/normalizer.ts'
import { AnalysisRegistry } from '../../src/analysis/registry.ts'
import { StandardTokenizer } from '../../src/analysis/tokenizer/standard-tokenizer.ts'
import { lowerCase } from '../../src/analysis/tokenizer/unicode-tables.ts'
import { expectLinearTime } from '../support/linear-time.ts'
import { tokenizeText } from '../support/tokenize-text.ts'

const terms = (text: string, max?: number): string[] =>
  tokenizeText(new StandardTokenizer(max), text).tokens.map(token => token.term)
const typed = (text: string): string[] =>
  tokenizeText(new StandardTokenizer(), text).tokens.map(token => `${token.term} ${token.type}`)

describe('the standard tokenizer', () => {
  // Outcomes of Lucene's StandardTokenizer; so are the types and the emoji below.
  it.each([
    ['B2B', ['B2B']],
    [
      "The 2 QUICK Brown-Foxes jumped over the lazy dog's bone.",
      ['The', '2', 'QUICK', 'Brown', 'Foxes', 'jumped', 'over', 'the', 'lazy', "dog's", 'bone'],
    ],
    [
      "O'Reilly you're she's Jim's don't O'Reilly's",
      ["O'Reilly", "you're", "she's", "Jim's", "don't", "O'Reilly's"],
    ],
    ['21.35', ['21.35']],
    ['216.239.63.104', ['216.239.63.104']],
    ['1,024 1,a a.b', ['1,024', '1', 'a', 'a.b']],
    ['R2D2 C3PO', ['R2D2', 'C3PO']],
    ['foo_bar _ _1_ __a', ['foo_bar', '_1_', '__a']],
    [
      'some-dashed-phrase dogs,chase,cats ac/dc',
      ['some', 'dashed', 'phrase', 'dogs', 'chase', 'cats', 'ac', 'dc'],
    ],
    ['', []],
    ['  \t\n', []],
    ["' . , a'", ['a']],
    ['a..b a.', ['a', 'b', 'a']],
    ['1.5a x3.4y', ['1.5a', 'x3.4y']],
  ])('cuts %j', (text, expected) => {
    expect(terms(text)).toEqual(expected)
  })

  it('tells the types of tokens', () => {
    expect(typed('Wha\u0301t 2 一二 ひら カタカナ 훈민정음 ภาษาไทย שלום "א"ב')).toEqual([
      'Wha\u0301t <ALPHANUM>',
      '2 <NUM>',
      '一 <IDEOGRAPHIC>',
      '二 <IDEOGRAPHIC>',
      'ひ <HIRAGANA>',
      'ら <HIRAGANA>',
      'カタカナ <KATAKANA>',
      '훈민정음 <HANGUL>',
      'ภาษาไทย <SOUTHEAST_ASIAN>',
      'שלום <ALPHANUM>',
      'א"ב <ALPHANUM>',
    ])
  })

  it('keeps emoji sequences together', () => {
    expect(typed('💩💩👨‍👩‍👧👍🏽 #️⃣ 1⃣ 🇩🇪🇫🇷 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️ © ™')).toEqual([
      '💩 <EMOJI>',
      '💩 <EMOJI>',
      '👨‍👩‍👧 <EMOJI>',
      '👍🏽 <EMOJI>',
      '#️⃣ <EMOJI>',
      '1⃣ <EMOJI>',
      '🇩🇪 <EMOJI>',
      '🇫🇷 <EMOJI>',
      '🏴󠁧󠁢󠁥󠁮󠁧󠁿 <EMOJI>',
      '❤️ <EMOJI>',
      '© <EMOJI>',
      '™ <EMOJI>',
    ])
  })

  it('lets a skin tone stand for itself after a letter, as Lucene does', () => {
    expect(typed('a🏽b 👍🏽')).toEqual([
      'a <ALPHANUM>',
      '🏽 <EMOJI>',
      'b <ALPHANUM>',
      '👍🏽 <EMOJI>',
    ])
  })

  it('gives offsets in UTF-16 units', () => {
    const { tokens, endOffset } = tokenizeText(new StandardTokenizer(), 'ä 💩x\ud800 é')
    expect(tokens.map(token => [token.term, token.startOffset, token.endOffset])).toEqual([
      ['ä', 0, 1],
      ['💩', 2, 4],
      ['x', 4, 5],
      ['é', 7, 8],
    ])
    expect(endOffset).toBe(8)
  })

  it('splits tokens that are too long', () => {
    expect(terms('a'.repeat(600)).map(term => term.length)).toEqual([255, 255, 90])
    expect(terms('abcdefg hi', 3)).toEqual(['abc', 'def', 'g', 'hi'])
    expect(terms('𐐀𐐀𐐀', 3)).toEqual(['𐐀', '𐐀', '𐐀'])
  })

  it('takes time in proportion to the text, whatever it is', () => {
    expectLinearTime(6000, size => {
      const joined = `${'\u200d'.repeat(size)}a${'\u0301'.repeat(size)}`
      terms(`${joined}${'a.'.repeat(size)}`)
    })
  })

  it('finds tokens that rise, do not overlap and are substrings', () => {
    const unit = fc.constantFrom(...'ab1_.,\'" -א一ひカ훈ภ💩🇩\u0301\u200d\ufe0f#\u20e3👍🏽é')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), text => {
        let last = 0
        for (const token of tokenizeText(new StandardTokenizer(), text).tokens) {
          expect(token.startOffset).toBeGreaterThanOrEqual(last)
          expect(token.term).toBe(text.slice(token.startOffset, token.endOffset))
          expect(token.term.length).toBeGreaterThan(0)
          last = token.endOffset
        }
      }),
      { seed: 1, numRuns: 2000 },
    )
  })
})

describe('lower case', () => {
  it('maps code points without context', () => {
    const lower = (text: string): string =>
      [...text].map(char => String.fromCodePoint(lowerCase(char.codePointAt(0)!))).join('')
    expect(lower('ABC ÄÖ ΣΑΣ İI ẞ Ω K Ⱥ Ǆ Ა 𐐀')).toBe('abc äö σασ ii ß ω k ⱥ ǆ ა 𐐨')
  })

  it('agrees with JavaScript wherever one code point makes one', () => {
    const wrong: string[] = []
    for (let point = 0; point < 0x110000; point++) {
      if (point >= 0xd800 && point < 0xe000) continue
      const text = String.fromCodePoint(point)
      const lower = text.toLowerCase()
      const lowerPoint = lower.codePointAt(0)!
      const isOne = lower === String.fromCodePoint(lowerPoint)
      if (isOne && lowerCase(point) !== lowerPoint) wrong.push(point.toString(16))
    }
    // Letters that Unicode got after the tables' version.
    expect(wrong.length).toBeLessThan(64)
    expect(wrong.filter(hex => Number.parseInt(hex, 16) < 0xa7c0)).toEqual(['1c89'])
  })
})

describe('analyzers', () => {
  const registry = new AnalysisRegistry(
    new Map<string, string | string[]>([
      ['index.analysis.analyzer.mine.tokenizer', 'standard'],
      ['index.analysis.analyzer.mine.filter', ['lowercase', 'few']],
      ['index.analysis.analyzer.slow.type', 'custom'],
      ['index.analysis.analyzer.slow.tokenizer', 'short'],
      ['index.analysis.analyzer.slow.filter', ['few', 'lowercase', 'stop']],
      ['index.analysis.analyzer.std.type', 'standard'],
      ['index.analysis.analyzer.std.stopwords', '_english_'],
      ['index.analysis.analyzer.std.max_token_length', '5'],
      ['index.analysis.filter.few.type', 'stop'],
      ['index.analysis.filter.few.stopwords.0', 'x'],
      ['index.analysis.filter.few.stopwords.1', 'the'],
      ['index.analysis.tokenizer.short.type', 'whitespace'],
      ['index.analysis.tokenizer.short.max_token_length', '4'],
      ['index.analysis.normalizer.lower.filter', 'lowercase'],
      ['index.number_of_shards', '1'],
    ]),
  )

  /** Terms with their positions, both ways. */
  function analyzed(name: string, text: string): string[] {
    const analyzer = registry.analyzer(name)!
    const found: string[] = []
    const decoder = new TextDecoder()
    const bytes = new TextEncoder().encode(`"${text}"`)
    const end = analyzer.analyzeBytes(bytes, 1, bytes.length - 1, -1, {
      words: null,
      repeated: () => expect.unreachable('no frequencies'),
      token: (b, s, e, p) => found.push(`${decoder.decode(b.subarray(s, e))}@${p}`),
    })
    const stream = analyzer.tokens(text)
    let position = -1
    const again = stream.tokens.map(token => {
      position += token.positionIncrement
      return `${token.term}@${position}`
    })
    expect(again).toEqual(found)
    expect(position + stream.trailingIncrement).toBe(end)
    return found
  }

  it('has the built-in ones', () => {
    expect(analyzed('standard', 'The QUICK-fox 2')).toEqual(['the@0', 'quick@1', 'fox@2', '2@3'])
    expect(analyzed('simple', "It's 2 fast4U")).toEqual(['it@0', 's@1', 'fast@2', 'u@3'])
    expect(analyzed('whitespace', " It's\u00a02\u2003Fast ")).toEqual(["It's\u00a02@0", 'Fast@1'])
    expect(analyzed('keyword', 'New York')).toEqual(['New York@0'])
    expect(analyzed('stop', 'The fox and THE hound of')).toEqual(['fox@1', 'hound@4'])
    expect(registry.analyzer('default')?.name).toBe('standard')
    expect(registry.analyzer('nope')).toBeNull()
  })

  it('has those that the settings define', () => {
    expect(analyzed('mine', 'X the Fox x')).toEqual(['fox@2'])
    expect(analyzed('slow', 'X The foxes of')).toEqual(['x@0', 'foxe@2', 's@3'])
    expect(analyzed('std', 'the longest of')).toEqual(['longe@1', 'st@2'])
  })

  it('normalizes keywords', () => {
    for (const name of ['lowercase', 'lower'])
      expect(normalizeText(registry.normalizer(name)!, 'ÄİȺ x')).toBe('äiⱥ x')
    expect(registry.hasNormalizer('none')).toBe(false)
  })

  it.each([
    [
      { 'analyzer.a.filter': 'lowercase' },
      'analyzer [a] must specify either an analyzer type, or a tokenizer',
    ],
    [
      { 'analyzer.a.tokenizer': 'nope' },
      'Custom Analyzer [a] failed to find tokenizer under name [nope]',
    ],
    [
      { 'analyzer.a.tokenizer': 'standard', 'analyzer.a.filter': 'nope' },
      'Custom Analyzer [a] failed to find filter under name [nope]',
    ],
    [{ 'analyzer.a.type': 'nope' }, 'Unknown analyzer type [nope] for [a]'],
    [{ 'analyzer.a.type': 'polish' }, '[polish] is not supported yet'],
    [{ 'tokenizer.t.type': 'nope' }, 'Unknown tokenizer type [nope] for [t]'],
    [{ 'filter.f.type': 'condition' }, 'must specify either [source] for an inline script'],
    [{ 'normalizer.n.filter': 'stop' }, 'Custom normalizer [n] may not use filter [stop]'],
    [
      { 'tokenizer.t.type': 'standard', 'tokenizer.t.max_token_length': '0' },
      'maxTokenLength must be greater than 0',
    ],
  ])('refuses %j', (settings, reason) => {
    const flat = new Map(Object.entries(settings).map(([k, v]) => [`index.analysis.${k}`, v]))
    expect(() => new AnalysisRegistry(flat)).toThrow(reason)
  })

  it('takes the short way for plain words only where the automaton agrees', () => {
    const unit = fc.constantFrom(
      ...[
        'a',
        'B',
        '1',
        '_',
        '.',
        ',',
        "'",
        '"',
        ' ',
        '#',
        '*',
        '-',
        '\u20e3',
        '\ufe0f',
        'é',
        '💩',
      ],
      ...['word', '9'.repeat(63), 'x'.repeat(64), 'y'.repeat(130), '\u0301', ':', ';', '一', 'ש'],
    )
    const plain = registry.analyzer('standard')!
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 12 }), text => {
        const found: string[] = []
        const bytes = new TextEncoder().encode(text)
        plain.analyzeBytes(bytes, 0, bytes.length, -1, {
          words: null,
          repeated: () => expect.unreachable('no frequencies'),
          token: (b, s, e) => found.push(new TextDecoder().decode(b.subarray(s, e))),
        })
        expect(found).toEqual(plain.tokens(text).tokens.map(token => token.term))
      }),
      { seed: 8, numRuns: 3000 },
    )
  })

  it('gives the same terms by bytes and by records for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 40 }),
        fc.constantFrom('standard', 'simple', 'whitespace', 'stop', 'std', 'slow', 'keyword'),
        (text, name) => {
          analyzed(name, text)
        },
      ),
      { seed: 6, numRuns: 1000 },
    )
  })
})
