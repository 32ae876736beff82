import { describe, expect, it } from 'vitest'
import { type AnalyzeRequest, analyze } from '../../src/analysis/analyze.ts'
import { AnalysisRegistry } from '../../src/analysis/registry.ts'
import { EngineError } from '../../src/util/errors.ts'
import { parseJsonTree } from '../../src/util/json/json-tree.ts'

const node = (value: unknown) => parseJsonTree(new TextEncoder().encode(JSON.stringify(value)))
const global = new AnalysisRegistry(new Map())
const index = new AnalysisRegistry(
  new Map<string, string | string[]>([
    ['index.analysis.analyzer.mine.tokenizer', 'whitespace'],
    ['index.analysis.analyzer.mine.filter', ['lowercase', 'stop']],
    ['index.analysis.normalizer.low.filter', ['lowercase']],
  ]),
)
const request = (parts: Partial<AnalyzeRequest>): AnalyzeRequest => ({
  text: ['The Quick'],
  analyzer: null,
  normalizer: null,
  field: null,
  tokenizer: null,
  filter: [],
  charFilter: [],
  explain: false,
  attributes: [],
  hasIndex: false,
  maxTokenCount: 10_000,
  ...parts,
})
const run = (parts: Partial<AnalyzeRequest>) =>
  analyze(parts.hasIndex ? index : global, request(parts))
const shown = (parts: Partial<AnalyzeRequest>): string[] => {
  const outcome = run(parts)
  return outcome.kind === 'tokens'
    ? outcome.tokens.map(t => `${t.token}@${t.position} ${t.startOffset}-${t.endOffset} ${t.type}`)
    : []
}

describe('analyze', () => {
  it('takes the default analyzer when nothing is named', () => {
    expect(shown({})).toEqual(['the@0 0-3 <ALPHANUM>', 'quick@1 4-9 <ALPHANUM>'])
  })

  it('lets positions and offsets run on from text to text', () => {
    const text = ['a b c', 'd']
    expect(shown({ text, analyzer: 'standard' }).at(-1)).toBe('d@3 6-7 <ALPHANUM>')
    expect(shown({ text, analyzer: 'standard', hasIndex: true }).at(-1)).toBe(
      'd@103 6-7 <ALPHANUM>',
    )
    expect(shown({ text, tokenizer: node('standard') }).at(-1)).toBe('d@103 6-7 <ALPHANUM>')
  })

  it('puts chains together from names and definitions', () => {
    expect(shown({ filter: [node('lowercase')] })).toEqual(['the quick@0 0-9 word'])
    expect(
      shown({
        tokenizer: node({ type: 'whitespace', max_token_length: 3 }),
        filter: [node({ type: 'stop', stopwords: ['The'] })],
      }),
    ).toEqual(['Qui@1 4-7 word', 'ck@2 7-9 word'])
    expect(shown({ hasIndex: true, normalizer: 'low' })).toEqual(['the quick@0 0-9 word'])
    expect(
      shown({
        hasIndex: true,
        field: { kind: 'analyzer', analyzer: index.analyzer('mine')! },
      }),
    ).toEqual(['quick@1 4-9 word'])
  })

  it('explains a custom chain stage by stage and a built-in analyzer as a whole', () => {
    const custom = run({ hasIndex: true, analyzer: 'mine', explain: true, text: ['The É', 'x'] })
    expect(custom).toMatchObject({
      kind: 'custom',
      tokenizer: { name: 'whitespace', tokens: [{ token: 'The' }, { token: 'É' }, { token: 'x' }] },
      tokenFilters: [
        { name: 'lowercase', tokens: [{ token: 'the' }, { token: 'é' }, { token: 'x' }] },
        {
          name: 'stop',
          tokens: [
            {
              token: 'é',
              position: 1,
              attributes: [
                ['bytes', '[c3 a9]'],
                ['positionLength', 1],
                ['termFrequency', 1],
              ],
            },
            { token: 'x', position: 102 },
          ],
        },
      ],
    })
    const whole = run({ analyzer: 'simple', explain: true, attributes: ['BYTES'] })
    expect(whole).toMatchObject({ kind: 'builtIn', analyzer: { name: 'simple' } })
    expect(whole.kind === 'builtIn' && whole.analyzer.tokens[0]?.attributes).toEqual([
      ['bytes', '[74 68 65]'],
    ])
    const adHoc = run({ tokenizer: node('standard'), explain: true, text: ['a', 'b'] })
    expect(adHoc.kind === 'custom' && adHoc.tokenizer.tokens.map(t => t.position)).toEqual([0, 1])
  })

  it('stops one token past the limit, counted over all texts', () => {
    expect(shown({ text: ['a b', 'c'], maxTokenCount: 3 })).toHaveLength(3)
    expect(() => run({ text: ['a b', 'c d'], maxTokenCount: 3 })).toThrow(
      'has exceeded the allowed maximum of [3]',
    )
  })

  it.each<[Partial<AnalyzeRequest>, string]>([
    [{ text: [] }, 'Validation Failed: 1: text is missing;'],
    [{ normalizer: 'low' }, '1: index is required if normalizer is specified;'],
    [
      { analyzer: 'standard', tokenizer: node('standard') },
      '1: cannot define extra components on a named analyzer;',
    ],
    [{ analyzer: 'nope' }, 'failed to find global analyzer [nope]'],
    [{ analyzer: 'nope', hasIndex: true }, 'failed to find analyzer [nope]'],
    [{ normalizer: 'nope', hasIndex: true }, 'failed to find normalizer under [nope]'],
    [{ tokenizer: node('nope') }, 'failed to find global tokenizer under [nope]'],
    [{ filter: [node('nope')], hasIndex: true }, 'failed to find token filter under [nope]'],
    [{ charFilter: [node('nope')] }, 'failed to find global char filter under [nope]'],
    [{ charFilter: [node('pattern_replace')] }, 'pattern is missing for [pattern_replace]'],
    [
      { filter: [node({ stopwords: ['a'] })] },
      'Missing [type] setting for anonymous filter: {"stopwords":["a"]}',
    ],
  ])('refuses %j', (parts, reason) => {
    try {
      run(parts)
    } catch (error) {
      expect(error).toBeInstanceOf(EngineError)
      expect((error as EngineError).message).toContain(reason)
      return
    }
    expect.unreachable('the request was taken')
  })
})
