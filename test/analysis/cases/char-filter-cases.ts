/** Char filters: what they make of a text, by the one token of the keyword tokenizer and by words. */
import { type ComponentSpec, makeChain } from '../../support/analysis-chain.ts'
import type { AnalysisCase } from '../../support/analysis-vectors.ts'
import type { LuceneFactory } from '../../support/lucene/lucene-oracle.ts'
import { variedMarkup } from '../../support/varied-markup.ts'
import { variedStrings } from '../../support/varied-strings.ts'

const varied = variedStrings()
const markup = variedMarkup()

const MAPPINGS = [
  'a => bb',
  'the => ',
  'th => T',
  '\\u00e9 => e',
  'qu => k',
  'ing => i',
  '1 => one',
  ':) => _smile_',
  '😀 => smile',
  'ss => ß',
]
/** The same rules as Lucene's files have them. */
const MAPPING_FILE = MAPPINGS.map(rule => {
  const [match = '', replacement = ''] = rule.split('=>').map(part => part.trim())
  return `"${match}" => "${replacement}"\n`
}).join('')

export function charFilterCases(): readonly AnalysisCase[] {
  const mapping = { type: 'mapping', mappings: MAPPINGS }
  const theirMapping = { name: 'mapping', args: { mapping: 'm.txt' } }
  const replace = (pattern: string, replacement: string) =>
    [
      { type: 'pattern_replace', pattern, replacement },
      { name: 'patternReplace', args: { pattern, replacement } },
    ] as const
  return [
    ...both('html_strip', [{ type: 'html_strip' }], [{ name: 'htmlStrip' }], markup),
    ...both('html_strip, varied', [{ type: 'html_strip' }], [{ name: 'htmlStrip' }], varied),
    ...both(
      'html_strip, b br script p',
      [{ type: 'html_strip', escaped_tags: ['b', 'br', 'Script', 'P'] }],
      [{ name: 'htmlStrip', args: { escapedTags: 'b,br,Script,P' } }],
      markup,
    ),
    ...both('mapping', [mapping], [theirMapping], varied),
    ...[
      replace('([a-z]+)(\\d*)', '$2[$1]'),
      replace('\\s+', ''),
      replace('e|é', ' and so on '),
      replace('x*', '|'),
    ].flatMap(([ours, theirs], i) => both(`pattern_replace ${i + 1}`, [ours], [theirs], varied)),
    ...both(
      'three in a row',
      [{ type: 'html_strip' }, mapping, replace('\\s+', ' ')[0]],
      [{ name: 'htmlStrip' }, theirMapping, replace('\\s+', ' ')[1]],
      markup,
    ),
  ]
}

function both(
  name: string,
  charFilters: readonly ComponentSpec[],
  theirs: readonly LuceneFactory[],
  texts: readonly string[],
): AnalysisCase[] {
  const resources = { 'm.txt': MAPPING_FILE }
  return ['keyword', 'standard'].map(tokenizer => ({
    name: `char filter ${name}, ${tokenizer}`,
    lucene: { chain: { charFilters: theirs, tokenizer: { name: tokenizer }, resources } },
    ours: () => makeChain({ charFilters, tokenizer }),
    texts: () => texts,
    known: [
      {
        cause: 'Lucene 8 lets only event handlers hold brackets; later versions any attribute',
        applies: text =>
          /=\s*(?:"[^"]*[<>]|'[^']*[<>])/.test(text) && theirs[0]?.name === 'htmlStrip',
      },
      {
        cause: 'Lucene 8 cuts by Unicode 9: U+9FD6 and those behind it are no Han to it',
        applies: text => /[\u9fd6-\u9fff]/.test(text),
      },
    ],
  }))
}
