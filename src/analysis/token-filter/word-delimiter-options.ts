/** Options of `word_delimiter` and `word_delimiter_graph`. */

import type { PartRules } from './word-parts.ts'
import { ALPHA, DIGIT } from './word-parts.ts'
import type { WordSet } from './word-set.ts'

/** Flags of a word delimiter: splits, joins and tokens to keep. */
export interface WordDelimiterOptions extends PartRules {
  readonly generateWordParts: boolean
  readonly generateNumberParts: boolean
  readonly catenateWords: boolean
  readonly catenateNumbers: boolean
  readonly catenateAll: boolean
  readonly preserveOriginal: boolean
  readonly ignoreKeywords: boolean
  /** Words that are left alone, null for none. */
  readonly protectedWords: WordSet | null
}

/** Whether parts of that kind are given by themselves. */
export function givesParts(options: WordDelimiterOptions, kind: number): boolean {
  return (
    (options.generateWordParts && (kind & ALPHA) !== 0) ||
    (options.generateNumberParts && (kind & DIGIT) !== 0)
  )
}

/** Whether runs of parts of that kind are given joined. */
export function joinsParts(options: WordDelimiterOptions, kind: number): boolean {
  return (
    (options.catenateWords && (kind & ALPHA) !== 0) ||
    (options.catenateNumbers && (kind & DIGIT) !== 0)
  )
}
