/** Tokenizers by type; a new one is a line in the table. */
import { IllegalArgumentError } from '../../util/errors.ts'
import type { TokenizerComponent, TokenizerFactory } from '../component.ts'
import { type ComponentOptions, intOption, textOption } from '../options.ts'
import {
  KeywordByteTokenizer,
  LetterByteTokenizer,
  MAX_TOKEN_LENGTH,
  StandardByteTokenizer,
  WhitespaceByteTokenizer,
  WordByteTokenizer,
} from './byte-tokenizer.ts'
import { letterTokenizer, whitespaceTokenizer } from './char-tokenizer.ts'
import { KeywordTokenizer } from './keyword-tokenizer.ts'
import { DEFAULT_PATTERN, PatternTokenizer, tokenPattern } from './pattern-tokenizer.ts'
import { StandardTokenizer } from './standard-tokenizer.ts'

/** Type → factory. */
export const TOKENIZERS: ReadonlyMap<string, TokenizerFactory> = new Map<string, TokenizerFactory>([
  ['standard', standard],
  ['letter', letter],
  ['lowercase', lowercase],
  ['whitespace', whitespace],
  ['keyword', keyword],
  ['pattern', pattern],
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

function keyword(name: string): TokenizerComponent {
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

function maxTokenLength(options: ComponentOptions): number {
  const value = intOption(options, 'max_token_length', MAX_TOKEN_LENGTH)
  if (value < 1 || value > 1_048_576)
    throw new IllegalArgumentError(
      `maxTokenLength must be greater than 0 and less than 1048576 passed: ${value}`,
    )
  return value
}
