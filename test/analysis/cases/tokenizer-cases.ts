/** Tokenizers with their options, as settings would make them. */
import { Chain } from '../../../src/analysis/analyzer/chain.ts'
import { AnalysisRegistry } from '../../../src/analysis/registry.ts'
import type { AnalysisCase, KnownDifference } from '../../support/analysis-vectors.ts'
import { variedLinks } from '../../support/varied-links.ts'
import { variedStrings } from '../../support/varied-strings.ts'

const varied = variedStrings()
const links = variedLinks()
const both = [...varied, ...links]

/**
 * Characters that Unicode got, or whose word-break property it changed, after version 9, by which
 * Lucene 8 cuts; our tables are of 15.
 */
export const LATER_UNICODE: KnownDifference = {
  cause:
    'Lucene 8 cuts by Unicode 9: U+9FD6 and those behind it are no Han to it, and the Armenian marks ' +
    'U+055B, U+055C, U+055E and U+058A are no letters',
  applies: text => /[\u9fd6-\u9fff\u055b\u055c\u055e\u058a]/.test(text),
}

type Options = Readonly<Record<string, string | readonly string[]>>

export function tokenizerCases(): readonly AnalysisCase[] {
  const of = tokenizerCase
  return [
    of('standard', {}, 'standard', {}, both),
    of('standard', { max_token_length: '5' }, 'standard', { maxTokenLength: '5' }, varied),
    of('letter', {}, 'letter', {}, varied),
    of('lowercase', {}, 'letter', {}, varied, [{ name: 'lowercase' }]),
    of('whitespace', {}, 'whitespace', {}, varied),
    of('whitespace', { max_token_length: '4' }, 'whitespace', { maxTokenLen: '4' }, varied),
    of('keyword', {}, 'keyword', {}, varied),
    of('uax_url_email', {}, 'uax29UrlEmail', {}, both),
    of(
      'uax_url_email',
      { max_token_length: '12' },
      'uax29UrlEmail',
      { maxTokenLength: '12' },
      links,
    ),
    of('classic', {}, 'classic', {}, both),
    of('classic', { max_token_length: '5' }, 'classic', { maxTokenLength: '5' }, both),
    // Thai itself is cut by ICU's dictionary here and by the JDK's there: most words are the same.
    of(
      'thai',
      {},
      'thai',
      {},
      varied.filter(text => !/[\u0e01-\u0e4e]/.test(text)),
    ),
    of('ngram', {}, 'nGram', {}, varied),
    of(
      'ngram',
      { min_gram: '2', max_gram: '3' },
      'nGram',
      { minGramSize: '2', maxGramSize: '3' },
      varied,
    ),
    of(
      'edge_ngram',
      { min_gram: '1', max_gram: '4' },
      'edgeNGram',
      { minGramSize: '1', maxGramSize: '4' },
      varied,
    ),
    of('pattern', {}, 'pattern', { pattern: '\\W+' }, varied),
    of(
      'pattern',
      { pattern: "([a-z]+)'s", group: '1' },
      'pattern',
      { pattern: "([a-z]+)'s", group: '1' },
      both,
    ),
    of(
      'simple_pattern',
      { pattern: '[a-zA-Z]+(\\.[a-z]+)*' },
      'simplePattern',
      { pattern: '[a-zA-Z]+(\\.[a-z]+)*' },
      both,
    ),
    of(
      'simple_pattern',
      { pattern: '.{3}&~(@"a"@)|<1-42>' },
      'simplePattern',
      { pattern: '.{3}&~(@"a"@)|<1-42>' },
      both,
    ),
    of(
      'simple_pattern_split',
      { pattern: '[ \t\n]+|[-.]' },
      'simplePatternSplit',
      { pattern: '[ \t\n]+|[-.]' },
      both,
    ),
    of('path_hierarchy', {}, 'pathHierarchy', {}, both),
    of(
      'path_hierarchy',
      { delimiter: '.', replacement: '-', skip: '1' },
      'pathHierarchy',
      { delimiter: '.', replace: '-', skip: '1' },
      links,
    ),
    of(
      'path_hierarchy',
      { delimiter: '.', reverse: 'true' },
      'pathHierarchy',
      { delimiter: '.', reverse: 'true' },
      both,
    ),
    of(
      'path_hierarchy',
      { delimiter: '/', replacement: '|', reverse: 'true', skip: '2' },
      'pathHierarchy',
      { delimiter: '/', replace: '|', reverse: 'true', skip: '2' },
      links,
    ),
  ]
}

function tokenizerCase(
  type: string,
  options: Options,
  lucene: string,
  args: Readonly<Record<string, string>>,
  texts: readonly string[],
  filters: readonly { readonly name: string }[] = [],
): AnalysisCase {
  // Files of vectors have this name: options by their values.
  const shown = Object.values(options).map(value => String(value).replace(/[^A-Za-z0-9]+/g, '-'))
  return {
    name: [`tokenizer ${type}`, ...shown].join(', '),
    lucene: { chain: { tokenizer: { name: lucene, args }, filters } },
    ours: () => {
      const registry = new AnalysisRegistry(new Map([['index.max_ngram_diff', '9']]))
      const tokenizer = registry.makeTokenizer('t', type, new Map(Object.entries(options)))
      if (tokenizer === null) throw new Error(`no tokenizer ${type}`)
      return new Chain({ charFilters: [], tokenizer, filters: [] })
    },
    texts: () => texts,
    known: [LATER_UNICODE],
  }
}
