/** Factories of filters that take tokens out or give some again. */
import { IllegalArgumentError } from '../../util/errors.ts'
import type { TokenFilterFactory } from '../component.ts'
import { booleanOption, intOption, listOption, textOption, wordListOption } from '../options.ts'
import { CommonGramsFilter, CommonGramsQueryFilter } from './common-grams.ts'
import { notForSynonyms } from './for-synonyms.ts'
import {
  KeywordRepeatFilter,
  LimitFilter,
  TypeAsSynonymFilter,
  UniqueFilter,
} from './repeated-tokens.ts'
import { namedWords } from './stop-words.ts'
import { WordSet } from './word-set.ts'
import { KeepFilter, KeepTypesFilter, LengthFilter } from './word-set-filters.ts'

const MAX_INT = 0x7fffffff

const keep: TokenFilterFactory = (name, options, context) => {
  if (options.has('enable_position_increments'))
    throw new IllegalArgumentError(
      'enable_position_increments is not supported anymore. Please fix your analysis chain',
    )
  const words = wordListOption(options, 'keep_words', context.words)
  if (words === null || (options.has('keep_words') && options.has('keep_words_path')))
    throw new IllegalArgumentError(
      'keep requires either `keep_words` or `keep_words_path` to be configured',
    )
  const set = new WordSet(words, booleanOption(options, 'keep_words_case', false))
  return { name, make: input => new KeepFilter(input, set) }
}

const keepTypes: TokenFilterFactory = (name, options) => {
  if (!options.has('types'))
    throw new IllegalArgumentError('keep_types requires `types` to be configured')
  const mode = textOption(options, 'mode') ?? 'include'
  const lower = mode.toLowerCase()
  if (lower !== 'include' && lower !== 'exclude')
    throw new IllegalArgumentError(
      `\`keep_types\` tokenfilter mode can only be [include] or [exclude] but was [${mode}].`,
    )
  const types = new Set(listOption(options, 'types'))
  return { name, make: input => new KeepTypesFilter(input, types, lower === 'include') }
}

const length: TokenFilterFactory = (name, options) => {
  const min = intOption(options, 'min', 0)
  const max = intOption(options, 'max', MAX_INT)
  if (min < 0)
    throw new IllegalArgumentError('minimum length must be greater than or equal to zero')
  if (min > max)
    throw new IllegalArgumentError('maximum length must not be greater than minimum length')
  return { name, make: input => new LengthFilter(input, min, max) }
}

const limit: TokenFilterFactory = (name, options) => {
  const max = intOption(options, 'max_token_count', 1)
  if (max < 1) throw new IllegalArgumentError('maxTokenCount must be greater than zero')
  const consumesAll = booleanOption(options, 'consume_all_tokens', false)
  return { name, make: input => new LimitFilter(input, max, consumesAll) }
}

const unique: TokenFilterFactory = (name, options) => {
  const onSamePosition = booleanOption(options, 'only_on_same_position', false)
  return { name, make: input => new UniqueFilter(input, onSamePosition) }
}

const typeAsSynonym: TokenFilterFactory = (name, options) => {
  const prefix = textOption(options, 'prefix') ?? ''
  return {
    name,
    make: input => new TypeAsSynonymFilter(input, prefix),
    forSynonyms: notForSynonyms(name),
  }
}

const commonGrams: TokenFilterFactory = (name, options, context) => {
  const words = namedWords(options, 'common_words', context)
  // By its bare name it has no words and does nothing.
  if (words === null && options.size > 0)
    throw new IllegalArgumentError(
      'missing or empty [common_words] or [common_words_path] configuration for common_grams ' +
        'token filter',
    )
  const set = new WordSet(words ?? [], booleanOption(options, 'ignore_case', false))
  const isQuery = booleanOption(options, 'query_mode', false)
  return {
    name,
    make: input => {
      const filter = new CommonGramsFilter(input, set)
      return isQuery ? new CommonGramsQueryFilter(filter) : filter
    },
    forSynonyms: notForSynonyms(name),
  }
}

/** Type → factory. */
export const SELECTION_FILTERS: readonly (readonly [string, TokenFilterFactory])[] = [
  ['common_grams', commonGrams],
  ['keep', keep],
  ['keep_types', keepTypes],
  [
    'keyword_repeat',
    name => ({
      name,
      make: input => new KeywordRepeatFilter(input),
      showsKeyword: true,
      forSynonyms: notForSynonyms(name),
    }),
  ],
  ['length', length],
  ['limit', limit],
  ['remove_duplicates', name => ({ name, make: input => new UniqueFilter(input, true) })],
  ['type_as_synonym', typeAsSynonym],
  ['unique', unique],
]
