/** Factories of `word_delimiter` and `word_delimiter_graph`. */
import { IllegalArgumentError } from '../../util/errors.ts'
import type { ComponentContext, TokenFilterFactory } from '../component.ts'
import { booleanOption, type ComponentOptions, wordListOption } from '../options.ts'
import { notForSynonyms } from './for-synonyms.ts'
import { WordDelimiterFilter } from './word-delimiter.ts'
import { WordDelimiterGraphFilter } from './word-delimiter-graph.ts'
import type { WordDelimiterOptions } from './word-delimiter-options.ts'
import { ALPHA, ALPHANUM, DELIMITER, DIGIT, LOWER, type UnitKinds, UPPER } from './word-parts.ts'
import { WordSet } from './word-set.ts'

const KINDS: ReadonlyMap<string, number> = new Map([
  ['LOWER', LOWER],
  ['UPPER', UPPER],
  ['ALPHA', ALPHA],
  ['DIGIT', DIGIT],
  ['ALPHANUM', ALPHANUM],
  ['SUBWORD_DELIM', DELIMITER],
])

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
])

const wordDelimiter: TokenFilterFactory = (name, options, context) => {
  const read = readOptions(options, context, false)
  return {
    name,
    make: input => new WordDelimiterFilter(input, read),
    forSynonyms: notForSynonyms(name),
  }
}

const wordDelimiterGraph: TokenFilterFactory = (name, options, context) => {
  const read = readOptions(options, context, booleanOption(options, 'ignore_keywords', false))
  const adjustsOffsets = booleanOption(options, 'adjust_offsets', true)
  return {
    name,
    make: input => new WordDelimiterGraphFilter(input, read, adjustsOffsets),
    forSynonyms: notForSynonyms(name),
  }
}

function readOptions(
  options: ComponentOptions,
  context: ComponentContext,
  ignoreKeywords: boolean,
): WordDelimiterOptions {
  const rules = wordListOption(options, 'type_table', context.words)
  const words = wordListOption(options, 'protected_words', context.words)
  return {
    generateWordParts: booleanOption(options, 'generate_word_parts', true),
    generateNumberParts: booleanOption(options, 'generate_number_parts', true),
    catenateWords: booleanOption(options, 'catenate_words', false),
    catenateNumbers: booleanOption(options, 'catenate_numbers', false),
    catenateAll: booleanOption(options, 'catenate_all', false),
    preserveOriginal: booleanOption(options, 'preserve_original', false),
    onCaseChange: booleanOption(options, 'split_on_case_change', true),
    onNumerics: booleanOption(options, 'split_on_numerics', true),
    dropsPossessive: booleanOption(options, 'stem_english_possessive', true),
    ignoreKeywords,
    kinds: rules === null ? null : readKinds(rules),
    protectedWords: words === null ? null : new WordSet(words, false),
  }
}

/** Rules as `$ => DIGIT` or `\u200D => ALPHANUM`. */
function readKinds(rules: readonly string[]): UnitKinds {
  const kinds = new Map<number, number>()
  for (const rule of rules) {
    const at = rule.lastIndexOf('=>')
    if (at < 0) throw new IllegalArgumentError(`Invalid Mapping Rule : [${rule}]`)
    const left = unescaped(rule.slice(0, at).trim())
    const kind = KINDS.get(rule.slice(at + 2).trim())
    if (left.length !== 1)
      throw new IllegalArgumentError(
        `Invalid Mapping Rule : [${rule}]. Only a single character is allowed.`,
      )
    if (kind === undefined)
      throw new IllegalArgumentError(`Invalid Mapping Rule : [${rule}]. Illegal type.`)
    kinds.set(left.charCodeAt(0), kind)
  }
  return kinds
}

function unescaped(text: string): string {
  const failed = (): never => {
    throw new IllegalArgumentError(`Invalid escaped char in [${text}]`)
  }
  let result = ''
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i)
    if (char !== '\\') {
      result += char
      continue
    }
    const escaped = text.charAt(++i)
    if (escaped === '') failed()
    if (escaped !== 'u') {
      result += ESCAPED.get(escaped) ?? escaped
      continue
    }
    const digits = text.slice(i + 1, i + 5)
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) failed()
    result += String.fromCharCode(Number.parseInt(digits, 16))
    i += 4
  }
  return result
}

/** Type → factory. */
export const WORD_DELIMITER_FILTERS: readonly (readonly [string, TokenFilterFactory])[] = [
  ['word_delimiter', wordDelimiter],
  ['word_delimiter_graph', wordDelimiterGraph],
]
