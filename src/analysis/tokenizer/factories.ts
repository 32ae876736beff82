/** Tokenizers by type; a new one is a line in the table. */

import { luceneAutomaton } from '../../util/automaton/lucene-pattern.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { ComponentContext, TokenizerComponent, TokenizerFactory } from '../component.ts'
import {
  booleanOption,
  type ComponentOptions,
  intOption,
  listOption,
  textOption,
} from '../options.ts'
import {
  KeywordByteTokenizer,
  LetterByteTokenizer,
  MAX_TOKEN_LENGTH,
  StandardByteTokenizer,
  WhitespaceByteTokenizer,
  WordByteTokenizer,
} from './byte-tokenizer.ts'
import { charGroupTest, tokenCharTest } from './char-group.ts'
import { CharTokenizer, letterTokenizer, whitespaceTokenizer } from './char-tokenizer.ts'
import { ClassicTokenizer } from './classic-tokenizer.ts'
import { KeywordTokenizer } from './keyword-tokenizer.ts'
import { NgramTokenizer } from './ngram-tokenizer.ts'
import {
  PathHierarchyTokenizer,
  ReversePathHierarchyTokenizer,
} from './path-hierarchy-tokenizer.ts'
import { DEFAULT_PATTERN, PatternTokenizer, tokenPattern } from './pattern-tokenizer.ts'
import { SimplePatternSplitTokenizer, SimplePatternTokenizer } from './simple-pattern-tokenizer.ts'
import { StandardTokenizer } from './standard-tokenizer.ts'
import { ThaiTokenizer } from './thai-tokenizer.ts'
import { UrlEmailTokenizer } from './url-email-tokenizer.ts'

const MOST_TOKEN_LENGTH = 1_048_576

/** Type → factory. */
export const TOKENIZERS: ReadonlyMap<string, TokenizerFactory> = new Map<string, TokenizerFactory>([
  ['standard', standard],
  ['letter', letter],
  ['lowercase', lowercase],
  ['whitespace', whitespace],
  ['keyword', keyword],
  ['pattern', pattern],
  ['uax_url_email', urlEmail],
  ['classic', classic],
  ['thai', thai],
  ['ngram', ngram],
  ['nGram', ngram],
  ['edge_ngram', edgeNgram],
  ['edgeNGram', edgeNgram],
  ['simple_pattern', simplePattern],
  ['simple_pattern_split', simplePatternSplit],
  ['char_group', charGroup],
  ['path_hierarchy', pathHierarchy],
  ['PathHierarchy', pathHierarchy],
])

function standard(name: string, options: ComponentOptions): TokenizerComponent {
  const max = maxTokenLength(options)
  return {
    name,
    make: () => new StandardTokenizer(max),
    bytes: () => new StandardByteTokenizer(max),
  }
}

function letter(name: string): TokenizerComponent {
  return {
    name,
    make: () => letterTokenizer(MAX_TOKEN_LENGTH, false),
    bytes: () => new LetterByteTokenizer(),
  }
}

function lowercase(name: string): TokenizerComponent {
  return {
    name,
    make: () => letterTokenizer(MAX_TOKEN_LENGTH, true),
    bytes: () => new LetterByteTokenizer('lowercase'),
    lowercases: true,
  }
}

function whitespace(name: string, options: ComponentOptions): TokenizerComponent {
  const max = maxTokenLength(options)
  return {
    name,
    make: () => whitespaceTokenizer(max),
    bytes: () => new WhitespaceByteTokenizer(max),
  }
}

function keyword(name: string, options: ComponentOptions): TokenizerComponent {
  // How much is read at a time says nothing of the token; its bounds hold all the same.
  const bufferSize = intOption(options, 'buffer_size', 256)
  if (bufferSize < 1 || bufferSize > MOST_TOKEN_LENGTH) throw badTokenLength(bufferSize)
  return { name, make: () => new KeywordTokenizer(), bytes: () => new KeywordByteTokenizer() }
}

function pattern(name: string, options: ComponentOptions): TokenizerComponent {
  const text = textOption(options, 'pattern') ?? DEFAULT_PATTERN
  const flags = textOption(options, 'flags') ?? ''
  const compiled = tokenPattern(text, flags, intOption(options, 'group', -1))
  const make = (): PatternTokenizer => new PatternTokenizer(compiled)
  const isDefault = text === DEFAULT_PATTERN && flags === '' && compiled.group < 0
  return isDefault ? { name, make, bytes: () => new WordByteTokenizer() } : { name, make }
}

function urlEmail(name: string, options: ComponentOptions): TokenizerComponent {
  const max = maxTokenLength(options)
  return { name, make: () => new UrlEmailTokenizer(max) }
}

function classic(name: string, options: ComponentOptions): TokenizerComponent {
  const max = intOption(options, 'max_token_length', MAX_TOKEN_LENGTH)
  if (max < 1) throw new IllegalArgumentError('maxTokenLength must be greater than zero')
  return { name, make: () => new ClassicTokenizer(max) }
}

function thai(name: string): TokenizerComponent {
  return { name, make: () => new ThaiTokenizer() }
}

function ngram(
  name: string,
  options: ComponentOptions,
  context: ComponentContext,
): TokenizerComponent {
  const minGram = intOption(options, 'min_gram', 1)
  const maxGram = intOption(options, 'max_gram', 2)
  const most = context.limit('index.max_ngram_diff', 1)
  if (maxGram - minGram > most)
    throw new IllegalArgumentError(
      'The difference between max_gram and min_gram in NGram Tokenizer must be less than or equal ' +
        `to: [${most}] but was [${maxGram - minGram}]. This limit can be set by changing the ` +
        '[index.max_ngram_diff] index level setting.',
    )
  return ngrams(name, options, minGram, maxGram, false)
}

function edgeNgram(name: string, options: ComponentOptions): TokenizerComponent {
  const minGram = intOption(options, 'min_gram', 1)
  return ngrams(name, options, minGram, intOption(options, 'max_gram', 2), true)
}

function ngrams(
  name: string,
  options: ComponentOptions,
  minGram: number,
  maxGram: number,
  edgesOnly: boolean,
): TokenizerComponent {
  if (minGram < 1) throw new IllegalArgumentError('minGram must be greater than zero')
  if (minGram > maxGram) throw new IllegalArgumentError('minGram must not be greater than maxGram')
  const isTokenChar = tokenCharTest(options)
  return { name, make: () => new NgramTokenizer({ minGram, maxGram, isTokenChar, edgesOnly }) }
}

function simplePattern(name: string, options: ComponentOptions): TokenizerComponent {
  const automaton = luceneAutomaton(textOption(options, 'pattern') ?? '')
  return { name, make: () => new SimplePatternTokenizer(automaton) }
}

function simplePatternSplit(name: string, options: ComponentOptions): TokenizerComponent {
  const automaton = luceneAutomaton(textOption(options, 'pattern') ?? '')
  return { name, make: () => new SimplePatternSplitTokenizer(automaton) }
}

function charGroup(name: string, options: ComponentOptions): TokenizerComponent {
  const maxTokenLength = intOption(options, 'max_token_length', MAX_TOKEN_LENGTH)
  if (maxTokenLength < 1 || maxTokenLength > MOST_TOKEN_LENGTH) throw badTokenLength(maxTokenLength)
  const parts = charGroupTest(listOption(options, 'tokenize_on_chars', { keepsBlanks: true }))
  const isTokenChar = (point: number): boolean => !parts(point)
  return { name, make: () => new CharTokenizer({ isTokenChar, maxTokenLength }) }
}

function pathHierarchy(name: string, options: ComponentOptions): TokenizerComponent {
  const delimiter = oneChar(options, 'delimiter') ?? '/'
  const replacement = oneChar(options, 'replacement') ?? delimiter
  if (intOption(options, 'buffer_size', 1024) < 0)
    throw new IllegalArgumentError('bufferSize cannot be negative')
  const skip = intOption(options, 'skip', 0)
  if (skip < 0) throw new IllegalArgumentError('skip cannot be negative')
  const path = { delimiter, replacement, skip }
  return booleanOption(options, 'reverse', false)
    ? { name, make: () => new ReversePathHierarchyTokenizer(path) }
    : { name, make: () => new PathHierarchyTokenizer(path) }
}

function oneChar(options: ComponentOptions, key: string): string | null {
  const text = textOption(options, key)
  if (text !== null && text.length !== 1)
    throw new IllegalArgumentError(`${key} must be a one char value`)
  return text
}

function maxTokenLength(options: ComponentOptions): number {
  const value = intOption(options, 'max_token_length', MAX_TOKEN_LENGTH)
  if (value < 1 || value > MOST_TOKEN_LENGTH) throw badTokenLength(value)
  return value
}

function badTokenLength(value: number): IllegalArgumentError {
  return new IllegalArgumentError(
    `maxTokenLength must be greater than 0 and less than 1048576 passed: ${value}`,
  )
}
