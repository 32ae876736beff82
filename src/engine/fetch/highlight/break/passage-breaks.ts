/** How the values of a field are cut into passages, of which a match has one. */

import { IllegalArgumentError } from '../../../../util/errors.ts'
import type { HighlightOptions } from '../../../dsl/search-body/highlight.ts'
import { AsciiSentenceBreaks } from './ascii-sentences.ts'
import { AsciiWordBreaks } from './ascii-words.ts'
import { IcuBreaks, segmenterOf, type TextBreaks } from './text-breaks.ts'

/** Cuts one value. */
export interface ValuePassages {
  /** Start of the current passage, in the value. */
  readonly start: number
  readonly end: number
  /** Moves to the passage of a match. @param at ascending, from call to call */
  moveTo(at: number): void
}

/** Makes what cuts a value. */
export type PassageBreaks = (value: string) => ValuePassages

/** Whole values. */
export const wholeValues: PassageBreaks = value => ({ start: 0, end: value.length, moveTo() {} })

/**
 * The breaks that options ask for.
 * @throws {IllegalArgumentError} there are none such
 */
export function passageBreaks({
  boundaryScanner,
  boundaryLocale,
  fragmentSize,
}: HighlightOptions): PassageBreaks {
  if (boundaryScanner === 'chars')
    throw new IllegalArgumentError('Invalid boundary scanner type: CHARS')
  if (boundaryScanner === 'word') return value => new Segments(wordBreaks(value, boundaryLocale))
  return value => {
    const sentences = sentenceBreaks(value, boundaryLocale)
    if (fragmentSize <= 0) return new Segments(sentences)
    const words = wordBreaks(value, boundaryLocale)
    return new BoundedSentences(sentences, words, fragmentSize)
  }
}

/** Breaks between words. @param locale null: any language */
export function wordBreaks(text: string, locale: string | null): TextBreaks {
  const icu = new IcuBreaks(text, segmenterOf(locale, 'word'))
  return isPlain(locale) ? new AsciiWordBreaks(text, icu) : icu
}

/** Breaks between sentences. @param locale null: any language */
export function sentenceBreaks(text: string, locale: string | null): TextBreaks {
  const icu = new IcuBreaks(text, segmenterOf(locale, 'sentence'))
  return isPlain(locale) ? new AsciiSentenceBreaks(text, icu) : icu
}

/** Whether a language is known to have no rules of its own. */
function isPlain(locale: string | null): boolean {
  return locale === null || /^en\b/i.test(locale)
}

class Segments implements ValuePassages {
  readonly #breaks: TextBreaks
  start = 0
  end = 0

  constructor(breaks: TextBreaks) {
    this.#breaks = breaks
  }

  moveTo(at: number): void {
    this.start = Math.max(0, this.#breaks.preceding(at + 1))
    this.end = this.#breaks.following(at)
  }
}

/**
 * Sentences of about a size. Shorter ones take in those that follow while they stay within it; of one
 * that is longer, a window of whole words around the match is shown, and what is left of the sentence
 * is for the matches behind it.
 */
class BoundedSentences implements ValuePassages {
  readonly #sentences: TextBreaks
  readonly #words: TextBreaks
  readonly #size: number
  /** The sentences that the current passage is cut out of. */
  #windowStart = -1
  #windowEnd = -1
  start = -1
  end = 0

  constructor(sentences: TextBreaks, words: TextBreaks, size: number) {
    this.#sentences = sentences
    this.#words = words
    this.#size = size
  }

  moveTo(at: number): void {
    // The passage is that of the unit ahead of `offset`.
    const offset = at + 1
    if (offset > this.#windowStart && offset < this.#windowEnd) {
      this.start = this.end
      this.end = this.#windowEnd
    } else this.#openWindow(offset)
    if (this.end - this.start > this.#size) this.#cut(offset)
  }

  #openWindow(offset: number): void {
    const sentences = this.#sentences
    const start = Math.max(0, sentences.preceding(offset))
    let end = sentences.following(offset - 1)
    while (end - start < this.#size) {
      const next = sentences.following(end)
      if (next < 0 || next - start > this.#size) break
      end = next
    }
    this.#windowStart = this.start = start
    this.#windowEnd = this.end = end
  }

  #cut(offset: number): void {
    const size = this.#size
    if (offset - size > this.start)
      this.start = Math.max(this.start, this.#words.preceding(offset - size))
    const rest = Math.max(0, size - (offset - this.start))
    if (offset + rest < this.#windowEnd)
      this.end = Math.min(this.#windowEnd, this.#words.following(offset + rest))
  }
}
