/**
 * Tokenizers and token filters by type and options: the built-in ones, those that an index defines
 * and the ad-hoc ones of `_analyze` are all made here. What the real API has and this build has not
 * answers `[⟨type⟩] is not supported yet`.
 */
import { IllegalArgumentError } from '../util/errors.ts'
import type { AnalysisStage, AnalyzerParts } from './analyzer/analyzer.ts'
import { tokenizeText } from './analyzer/byte-analyzer.ts'
import { ENGLISH_STOP_WORDS, lowercaseStage, stopStage } from './token-filter/stop.ts'
import {
  type ByteTokenizer,
  KeywordTokenizer,
  LetterTokenizer,
  MAX_TOKEN_LENGTH,
  StandardTokenizer,
  WhitespaceTokenizer,
  WordTokenizer,
} from './tokenizer/byte-tokenizer.ts'
import { DEFAULT_PATTERN, patternTokenizer } from './tokenizer/pattern-tokenizer.ts'

/** Options of a component as settings have them: text or a list of texts. */
export type ComponentOptions = ReadonlyMap<string, string | readonly string[]>

/** A tokenizer; `bytes` is there when it can run over bytes in place. */
export interface TokenizerComponent {
  readonly run: AnalyzerParts['tokenizer']['run']
  readonly bytes: (() => ByteTokenizer) | null
  /** The tokenizer makes lower case by itself. */
  readonly lowercases: boolean
}

/** A token filter; `fast` says what it is when a byte analyzer can do it. */
export interface FilterComponent {
  readonly stage: AnalysisStage
  readonly fast: { readonly kind: 'lowercase' } | StopWords | null
}

/** A stop filter without options that a byte analyzer lacks. */
export interface StopWords {
  readonly kind: 'stop'
  readonly words: readonly string[]
}

/** Types of the real API that are not built. */
const TOKENIZERS_NOT_SUPPORTED = new Set(
  (
    'char_group classic edge_ngram edgeNGram nGram ngram path_hierarchy PathHierarchy simple_pattern ' +
    'simple_pattern_split thai uax_url_email'
  ).split(' '),
)
const FILTERS_NOT_SUPPORTED = new Set(
  (
    'apostrophe arabic_normalization arabic_stem asciifolding bengali_normalization brazilian_stem ' +
    'cjk_bigram cjk_width classic common_grams condition czech_stem decimal_digit ' +
    'delimited_payload delimited_payload_filter delimited_term_freq dictionary_decompounder ' +
    'dutch_stem edge_ngram edgeNGram elision fingerprint flatten_graph french_stem ' +
    'german_normalization german_stem hindi_normalization hunspell hyphenation_decompounder ' +
    'indic_normalization keep keep_types keyword_marker keyword_repeat kstem length limit min_hash ' +
    'multiplexer nGram ngram pattern_capture pattern_replace persian_normalization porter_stem ' +
    'predicate_token_filter remove_duplicates reverse russian_stem scandinavian_folding ' +
    'scandinavian_normalization serbian_normalization shingle snowball sorani_normalization ' +
    'stemmer stemmer_override synonym synonym_graph trim truncate type_as_synonym unique uppercase ' +
    'word_delimiter word_delimiter_graph'
  ).split(' '),
)

/** Char filters of the real API; none is built. */
export const CHAR_FILTERS_NOT_SUPPORTED: ReadonlySet<string> = new Set([
  'html_strip',
  'mapping',
  'pattern_replace',
])

/** The error of something that the real API has. */
export function notSupported(what: string): IllegalArgumentError {
  return new IllegalArgumentError(`[${what}] is not supported yet`)
}

/**
 * Makes a tokenizer.
 * @returns null when there is no such type
 * @throws {IllegalArgumentError} an option that is no value of it, or a type not built yet
 */
export function makeTokenizer(type: string, options: ComponentOptions): TokenizerComponent | null {
  switch (type) {
    case 'standard': {
      const max = maxTokenLength(options)
      return byteTokenizer(() => new StandardTokenizer(max), false)
    }
    case 'whitespace': {
      const max = maxTokenLength(options)
      return byteTokenizer(() => new WhitespaceTokenizer(max), false)
    }
    case 'letter':
      return byteTokenizer(() => new LetterTokenizer(), false)
    case 'lowercase':
      return byteTokenizer(() => new LetterTokenizer('lowercase'), true)
    case 'keyword':
      return byteTokenizer(() => new KeywordTokenizer(), false)
    case 'pattern': {
      const pattern = textOption(options, 'pattern') ?? DEFAULT_PATTERN
      const flags = textOption(options, 'flags') ?? ''
      const group = intOption(options, 'group', -1)
      if (pattern === DEFAULT_PATTERN && flags === '' && group < 0)
        return byteTokenizer(() => new WordTokenizer(), false)
      const run = patternTokenizer(pattern, flags, group)
      return { run, bytes: null, lowercases: false }
    }
    default:
      if (TOKENIZERS_NOT_SUPPORTED.has(type)) throw notSupported(type)
      return null
  }
}

function byteTokenizer(make: () => ByteTokenizer, lowercases: boolean): TokenizerComponent {
  const tokenizer = make()
  const lowercase = lowercases ? lowercaseStage('lowercase') : null
  return {
    run: text => {
      const stream = tokenizeText(tokenizer, text)
      return lowercase === null ? stream : lowercase.run(stream)
    },
    bytes: make,
    lowercases,
  }
}

function maxTokenLength(options: ComponentOptions): number {
  const value = intOption(options, 'max_token_length', MAX_TOKEN_LENGTH)
  if (value < 1 || value > 1_048_576)
    throw new IllegalArgumentError(
      `maxTokenLength must be greater than 0 and less than 1048576 passed: ${value}`,
    )
  return value
}

/**
 * Makes a token filter.
 * @returns null when there is no such type
 * @throws {IllegalArgumentError} an option that is no value of it, or a type not built yet
 */
export function makeFilter(
  name: string,
  type: string,
  options: ComponentOptions,
): FilterComponent | null {
  switch (type) {
    case 'lowercase': {
      const language = textOption(options, 'language')
      if (language !== null) throw notSupported(`lowercase language: ${language}`)
      return { stage: lowercaseStage(name), fast: { kind: 'lowercase' } }
    }
    case 'stop': {
      const words = stopWords(options, ENGLISH_STOP_WORDS)
      const ignoreCase = booleanOption(options, 'ignore_case', false)
      if (!booleanOption(options, 'remove_trailing', true)) throw notSupported('remove_trailing')
      const stage = stopStage(name, words, ignoreCase)
      return { stage, fast: ignoreCase ? null : { kind: 'stop', words } }
    }
    default:
      if (FILTERS_NOT_SUPPORTED.has(type)) throw notSupported(type)
      return null
  }
}

/**
 * The stop words of an analyzer or filter: a list, or the name of one (`_english_`, `_none_`).
 * @throws {IllegalArgumentError} a list that this build does not have
 */
export function stopWords(
  options: ComponentOptions,
  otherwise: readonly string[],
): readonly string[] {
  if (options.has('stopwords_path')) throw notSupported('stopwords_path')
  const given = options.get('stopwords')
  if (given === undefined) return otherwise
  const list = typeof given === 'string' ? given.split(',').map(word => word.trim()) : given
  return list.flatMap(word => {
    if (word === '_none_') return []
    if (word === '_english_') return ENGLISH_STOP_WORDS
    if (/^_[a-z]+_$/.test(word)) throw notSupported(`stopwords: ${word}`)
    return word === '' ? [] : [word]
  })
}

/** @throws {IllegalArgumentError} not a whole number */
export function intOption(options: ComponentOptions, key: string, otherwise: number): number {
  const text = textOption(options, key)
  if (text === null) return otherwise
  if (!/^[+-]?\d{1,9}$/.test(text))
    throw new IllegalArgumentError(`Failed to parse value [${text}] for setting [${key}]`)
  return Number(text)
}

/** @throws {IllegalArgumentError} neither true nor false */
export function booleanOption(options: ComponentOptions, key: string, otherwise: boolean): boolean {
  const text = textOption(options, key)
  if (text === null) return otherwise
  if (text !== 'true' && text !== 'false')
    throw new IllegalArgumentError(
      `Failed to parse value [${text}] as only [true] or [false] are allowed.`,
    )
  return text === 'true'
}

/** The option as text, null when it is absent; of a list its items with commas. */
export function textOption(options: ComponentOptions, key: string): string | null {
  const value = options.get(key)
  if (value === undefined) return null
  return typeof value === 'string' ? value : value.join(',')
}

/** The option as a list; a text is split at its commas. */
export function listOption(options: ComponentOptions, key: string): readonly string[] {
  const value = options.get(key)
  if (value === undefined) return []
  if (typeof value !== 'string') return value
  return value
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '')
}
