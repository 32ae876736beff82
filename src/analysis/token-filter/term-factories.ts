/** Factories of filters that rewrite single terms. */
import { IllegalArgumentError } from '../../util/errors.ts'
import type { TokenFilterFactory } from '../component.ts'
import { booleanOption, intOption, listOrFileOption, textOption } from '../options.ts'
import type { TokenFilterComponent } from '../token-stream.ts'
import { foldToAscii, PreservingAsciiFoldingFilter } from './ascii-folding.ts'
import { foldWidth } from './cjk-width.ts'
import {
  DelimitedPayloadFilter,
  DelimitedTermFrequencyFilter,
  type PayloadEncoding,
  TypeAsPayloadFilter,
} from './delimited.ts'
import { FRENCH_ARTICLES, withoutArticle } from './elision.ts'
import { upperCaseTerm } from './term-case.ts'
import { normalizingComponent, TermFilter } from './term-filter.ts'
import {
  asciiDigits,
  beforeApostrophe,
  ClassicFilter,
  reversed,
  TruncateFilter,
  trimmed,
} from './term-rules.ts'
import { WordSet } from './word-set.ts'

const asciiFolding: TokenFilterFactory = (name, options) => {
  const folding = normalizingComponent(name, foldToAscii)
  if (!booleanOption(options, 'preserve_original', false)) return folding
  return {
    name,
    make: input => new PreservingAsciiFoldingFilter(input),
    isNormalizing: true,
    normalizing: folding,
    forSynonyms: () => folding,
  }
}

const elision: TokenFilterFactory = (name, options, context) => {
  const articles = listOrFileOption(options, 'articles', context.words)
  // By its bare name it is French.
  if (articles === null && options.size > 0)
    throw new IllegalArgumentError('elision filter requires [articles] or [articles_path] setting')
  const set =
    articles === null
      ? new WordSet(FRENCH_ARTICLES, true)
      : new WordSet(articles, booleanOption(options, 'articles_case', false))
  return normalizingComponent(name, term => withoutArticle(term, set))
}

const truncate: TokenFilterFactory = (name, options) => {
  const length = intOption(options, 'length', 10)
  if (length <= 0) throw new IllegalArgumentError('length parameter must be provided')
  return { name, make: input => new TruncateFilter(input, length), showsKeyword: true }
}

const ENCODINGS: ReadonlyMap<string, PayloadEncoding> = new Map([
  ['float', 'float'],
  ['int', 'int'],
  ['identity', 'identity'],
])

const delimitedPayload: TokenFilterFactory = (name, options) => {
  const delimiter = delimiterOption(options)
  // Anything else is float there too.
  const encoding = ENCODINGS.get(textOption(options, 'encoding') ?? 'float') ?? 'float'
  return { name, make: input => new DelimitedPayloadFilter(input, delimiter, encoding) }
}

const legacyDelimitedPayload: TokenFilterFactory = () => {
  throw new IllegalArgumentError(
    '[delimited_payload_filter] is not supported for new indices, use [delimited_payload] instead',
  )
}

const delimitedTermFrequency: TokenFilterFactory = (name, options) => {
  const delimiter = delimiterOption(options)
  return { name, make: input => new DelimitedTermFrequencyFilter(input, delimiter) }
}

function delimiterOption(options: Parameters<TokenFilterFactory>[1]): string {
  const text = textOption(options, 'delimiter') ?? '|'
  if (text === '') throw new IllegalArgumentError('[delimiter] must be a character, not empty')
  return text.charAt(0)
}

const cjkWidth: TokenFilterFactory = name => ({
  ...normalizingComponent(name, foldWidth),
  make: input => new TermFilter(input, foldWidth, true),
})

function plain(change: (term: string) => string): TokenFilterFactory {
  return (name): TokenFilterComponent => ({ name, make: input => new TermFilter(input, change) })
}

function normalizing(change: (term: string) => string): TokenFilterFactory {
  return name => normalizingComponent(name, change)
}

/** Type → factory. */
export const TERM_FILTERS: readonly (readonly [string, TokenFilterFactory])[] = [
  ['apostrophe', plain(beforeApostrophe)],
  ['asciifolding', asciiFolding],
  ['cjk_width', cjkWidth],
  ['classic', name => ({ name, make: input => new ClassicFilter(input) })],
  ['decimal_digit', normalizing(asciiDigits)],
  ['delimited_payload', delimitedPayload],
  ['delimited_payload_filter', legacyDelimitedPayload],
  ['delimited_term_freq', delimitedTermFrequency],
  ['elision', elision],
  ['reverse', plain(reversed)],
  ['trim', normalizing(trimmed)],
  ['truncate', truncate],
  ['type_as_payload', name => ({ name, make: input => new TypeAsPayloadFilter(input) })],
  ['uppercase', normalizing(upperCaseTerm)],
]
