/** The options of a phrase suggestion; floats of a request are float32. */
import type { Smoothing } from '../../search/suggest/word-scorer.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonEntry, JsonObjectNode } from '../../util/json/json-tree.ts'
import { isScalar, readBoolean, readInteger, readNumber, readText } from '../dsl/json-scalars.ts'
import { parsingError } from '../dsl/parse-error.ts'
import { type Collate, readCollate } from './collate-options.ts'
import { type CommonOptions, newCommonOptions, readCommonOption } from './common-options.ts'
import { type DirectGenerator, readGenerator } from './direct-generator.ts'
import { readSmoothing } from './smoothing.ts'

/** As they are read. */
export interface PhraseOptions {
  readonly common: CommonOptions
  realWordLikelihood: number
  confidence: number
  /** Words that may be wrong: a number of them from 1 on, below a share of the text's. */
  maxErrors: number
  separator: string
  /** Null: that of the analyzer's shingles. */
  gramSize: number | null
  forcesUnigrams: boolean
  /** Texts of so many words are not corrected. */
  tokenLimit: number
  readonly generators: DirectGenerator[]
  /** Null: the default model. */
  smoothing: Smoothing | null
  /** Tags around corrections; null: nobody asked. */
  highlight: { readonly before: string; readonly after: string } | null
  /** Null: phrases are not held against documents. */
  collate: Collate | null
}

/**
 * Reads the options of a phrase suggestion.
 * @throws {EngineError} 400
 */
export function readPhraseOptions(node: JsonObjectNode): PhraseOptions {
  const options: PhraseOptions = {
    common: newCommonOptions(),
    realWordLikelihood: Math.fround(0.95),
    confidence: 1,
    maxErrors: 1,
    separator: ' ',
    gramSize: null,
    forcesUnigrams: true,
    tokenLimit: 10,
    generators: [],
    smoothing: null,
    highlight: null,
    collate: null,
  }
  for (const entry of node.entries) {
    const { key, value } = entry
    if (value.kind === 'array') readList(options, entry)
    else if (value.kind === 'object') readObject(options, entry, value)
    else if (
      !isScalar(value) ||
      !(readCommonOption(options.common, entry) || readScalar(options, entry))
    )
      throw parsingError(value, `suggester[phrase] doesn't support field [${key}]`)
  }
  return options
}

function readScalar(options: PhraseOptions, { key, value }: JsonEntry): boolean {
  switch (key) {
    case 'real_word_error_likelihood':
      options.realWordLikelihood = Math.fround(readNumber(value))
      check(options.realWordLikelihood > 0, 'real_word_error_likelihood must be > 0.0')
      return true
    case 'confidence':
      options.confidence = Math.fround(readNumber(value))
      check(options.confidence >= 0, 'confidence must be >= 0.0')
      return true
    case 'separator':
      options.separator = readText(value)
      return true
    case 'max_errors':
      options.maxErrors = Math.fround(readNumber(value))
      check(options.maxErrors > 0, 'max_error must be > 0.0')
      return true
    case 'gram_size':
      options.gramSize = readInteger(value)
      check(options.gramSize >= 1, 'gramSize must be >= 1')
      return true
    case 'force_unigrams':
      options.forcesUnigrams = readBoolean(value)
      return true
    case 'token_limit':
      options.tokenLimit = readInteger(value)
      check(options.tokenLimit > 0, 'token_limit must be >= 1')
      return true
    default:
      return false
  }
}

function check(isValid: boolean, reason: string): void {
  if (!isValid) throw new IllegalArgumentError(reason)
}

function readList(options: PhraseOptions, { key, value }: JsonEntry): void {
  if (key !== 'direct_generator' || value.kind !== 'array')
    throw parsingError(value, `suggester[phrase]  doesn't support array field [${key}]`)
  for (const item of value.items) options.generators.push(readGenerator(item))
}

function readObject(options: PhraseOptions, { key }: JsonEntry, node: JsonObjectNode): void {
  switch (key) {
    case 'smoothing':
      if (options.smoothing !== null)
        throw new IllegalArgumentError('only one smoothing model supported')
      options.smoothing = readSmoothing(node)
      return
    case 'highlight':
      options.highlight = readHighlight(node)
      return
    case 'collate':
      options.collate = readCollate(node)
      return
    default:
      throw parsingError(node, `suggester[phrase]  doesn't support array field [${key}]`)
  }
}

function readHighlight(node: JsonObjectNode): PhraseOptions['highlight'] {
  const tags: Record<'pre_tag' | 'post_tag', string | null> = { pre_tag: null, post_tag: null }
  for (const { key, value } of node.entries) {
    if ((key !== 'pre_tag' && key !== 'post_tag') || !isScalar(value))
      throw parsingError(value, `suggester[phrase][highlight] doesn't support field [${key}]`)
    tags[key] = readText(value)
  }
  const { pre_tag: before, post_tag: after } = tags
  if (before === null && after === null) return null
  if (before === null || after === null)
    throw new IllegalArgumentError('Pre and post tag must both be null or both not be null.')
  return { before, after }
}
