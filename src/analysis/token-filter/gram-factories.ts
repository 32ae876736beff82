/** Factories of filters that make parts of terms or join terms. */
import { IllegalArgumentError } from '../../util/errors.ts'
import type { TokenFilterFactory } from '../component.ts'
import {
  booleanOption,
  type ComponentOptions,
  intOption,
  listOption,
  textOption,
} from '../options.ts'
import { CJK_SCRIPTS, CjkBigramFilter } from './cjk-bigram.ts'
import { FingerprintFilter } from './fingerprint.ts'
import { notForSynonyms } from './for-synonyms.ts'
import { EdgeNgramFilter, type GramLengths, NgramFilter } from './grams.ts'
import { MinHashFilter } from './min-hash.ts'
import { ShingleFilter } from './shingle.ts'
import { TermFilter } from './term-filter.ts'
import { reversed } from './term-rules.ts'

/** Buckets that one filter may have; each is a token. */
const MAX_BUCKETS = 1_000_000
const MAX_SHINGLE = 1000

function gramLengths(options: ComponentOptions): GramLengths {
  const min = intOption(options, 'min_gram', 1)
  const max = intOption(options, 'max_gram', 2)
  const preservesOriginal = booleanOption(options, 'preserve_original', false)
  if (min < 1) throw new IllegalArgumentError('minGram must be greater than zero')
  if (min > max) throw new IllegalArgumentError('minGram must not be greater than maxGram')
  return { min, max, preservesOriginal }
}

const ngram: TokenFilterFactory = (name, options, context) => {
  const most = context.limit('index.max_ngram_diff', 1)
  const diff = intOption(options, 'max_gram', 2) - intOption(options, 'min_gram', 1)
  if (diff > most)
    throw new IllegalArgumentError(
      'The difference between max_gram and min_gram in NGram Tokenizer must be less than or ' +
        `equal to: [${most}] but was [${diff}]. This limit can be set by changing the ` +
        '[index.max_ngram_diff] index level setting.',
    )
  const lengths = gramLengths(options)
  return {
    name,
    make: input => new NgramFilter(input, lengths),
    forSynonyms: notForSynonyms(name),
  }
}

const edgeNgram: TokenFilterFactory = (name, options) => {
  const lengths = gramLengths(options)
  const side = textOption(options, 'side') ?? 'front'
  if (side !== 'front' && side !== 'back') throw new IllegalArgumentError(`invalid side: ${side}`)
  return {
    name,
    // The back is the front of the term reversed.
    make: input =>
      side === 'front'
        ? new EdgeNgramFilter(input, lengths)
        : new TermFilter(new EdgeNgramFilter(new TermFilter(input, reversed), lengths), reversed),
    forSynonyms: notForSynonyms(name),
  }
}

function oldSpelling(old: string, type: string, otherwise: TokenFilterFactory | null) {
  const factory: TokenFilterFactory = (name, options, context) => {
    if (options.size === 0)
      throw new IllegalArgumentError(
        `The [${old}] token filter name was deprecated in 6.4 and cannot be used in new indices. ` +
          `Please change the filter name to [${type}] instead.`,
      )
    if (otherwise === null)
      throw new IllegalArgumentError(
        `The [${old}] tokenizer name was deprecated pre 1.0. Please change the tokenizer name to ` +
          `[${type}] for indices created in versions 3.0 or higher instead.`,
      )
    return otherwise(name, options, context)
  }
  return factory
}

const shingle: TokenFilterFactory = (name, options, context) => {
  const most = context.limit('index.max_shingle_diff', 3)
  const max = intOption(options, 'max_shingle_size', 2)
  const min = intOption(options, 'min_shingle_size', 2)
  const unigrams = booleanOption(options, 'output_unigrams', true)
  const diff = max - min + (unigrams ? 1 : 0)
  if (diff > most)
    throw new IllegalArgumentError(
      'In Shingle TokenFilter the difference between max_shingle_size and min_shingle_size ' +
        `(and +1 if outputting unigrams) must be less than or equal to: [${most}] but was ` +
        `[${diff}]. This limit can be set by changing the [index.max_shingle_diff] index level ` +
        'setting.',
    )
  if (max < 2) throw new IllegalArgumentError('Max shingle size must be >= 2')
  if (min < 2) throw new IllegalArgumentError('Min shingle size must be >= 2')
  if (min > max) throw new IllegalArgumentError('Min shingle size must be <= max shingle size')
  if (max > MAX_SHINGLE)
    throw new IllegalArgumentError(`Max shingle size must be <= ${MAX_SHINGLE}`)
  const shingles = {
    min,
    max,
    unigrams,
    unigramsIfNoShingles: booleanOption(options, 'output_unigrams_if_no_shingles', false),
    separator: textOption(options, 'token_separator') ?? ' ',
    filler: textOption(options, 'filler_token') ?? '_',
  }
  return {
    name,
    make: input => new ShingleFilter(input, shingles),
    shingles: { min, max, withUnigrams: unigrams },
    // Shingles of several sizes make more paths than there are sentences.
    disablesGraph: unigrams || min !== max,
    forSynonyms: notForSynonyms(name),
  }
}

const cjkBigram: TokenFilterFactory = (name, options) => {
  const ignored = new Set(listOption(options, 'ignored_scripts'))
  const unigrams = booleanOption(options, 'output_unigrams', false)
  const types = new Set<string>()
  for (const [script, type] of CJK_SCRIPTS) if (!ignored.has(script)) types.add(type)
  return {
    name,
    make: input => new CjkBigramFilter(input, types, unigrams),
    ...(unigrams ? { disablesGraph: true, forSynonyms: notForSynonyms(name) } : {}),
  }
}

const fingerprint: TokenFilterFactory = (name, options) => {
  const separator = separatorOption(options)
  const most = intOption(options, 'max_output_size', 255)
  return {
    name,
    make: input => new FingerprintFilter(input, most, separator),
    forSynonyms: notForSynonyms(name),
  }
}

/** The separator of a fingerprint: one UTF-16 unit. */
function separatorOption(options: ComponentOptions): string {
  const separator = textOption(options, 'separator') ?? ' '
  if (separator.length !== 1)
    throw new IllegalArgumentError(
      `Setting [separator] must be a single, non-null character. [${separator}] was provided.`,
    )
  return separator
}

const minHash: TokenFilterFactory = (name, options) => {
  const hashCount = intOption(options, 'hash_count', 1)
  const bucketCount = intOption(options, 'bucket_count', 512)
  const hashSetSize = intOption(options, 'hash_set_size', 1)
  const rotates = booleanOption(options, 'with_rotation', bucketCount > 1)
  if (hashCount <= 0) throw new IllegalArgumentError('hashCount must be greater than zero')
  if (bucketCount <= 0) throw new IllegalArgumentError('bucketCount must be greater than zero')
  if (hashSetSize <= 0) throw new IllegalArgumentError('hashSetSize must be greater than zero')
  if (hashCount * bucketCount > MAX_BUCKETS)
    throw new IllegalArgumentError(
      `[hash_count] times [bucket_count] must be at most ${MAX_BUCKETS}, but was ` +
        `[${hashCount * bucketCount}]`,
    )
  const hashing = { hashCount, bucketCount, hashSetSize, rotates }
  return { name, make: input => new MinHashFilter(input, hashing) }
}

/** Type → factory. */
export const GRAM_FILTERS: readonly (readonly [string, TokenFilterFactory])[] = [
  ['cjk_bigram', cjkBigram],
  ['edge_ngram', edgeNgram],
  ['edgeNGram', oldSpelling('edgeNGram', 'edge_ngram', null)],
  ['fingerprint', fingerprint],
  ['min_hash', minHash],
  ['ngram', ngram],
  ['nGram', oldSpelling('nGram', 'ngram', ngram)],
  ['shingle', shingle],
]
