/** How likely a word is behind the words before it, by the terms of a shard's field, which may be n-grams. */
import type { Turn } from '../../util/turns.ts'
import type { PhraseTerms, WordCount } from './phrase-terms.ts'

/** How n-grams that do not occur are counted. */
export type Smoothing =
  | { readonly kind: 'stupidBackoff'; readonly discount: number }
  | { readonly kind: 'laplace'; readonly alpha: number }
  | {
      readonly kind: 'linear'
      readonly unigram: number
      readonly bigram: number
      readonly trigram: number
    }

/** A word of a phrase, as it was given or corrected. */
export interface PhraseWord {
  readonly term: string
  readonly count: WordCount
  /** How similar it is to the word that was given, up to 1. */
  readonly similarity: number
  /** Its score among the corrections of its word. */
  readonly score: number
  readonly isInput: boolean
}

/** Keeps shares of words that never occur finite. */
const TINY = 0.00000000001

/** Scores words of a phrase; logarithms of base 10. */
export class WordScorer {
  readonly #words: PhraseTerms
  readonly #smoothing: Smoothing
  readonly #separator: string
  readonly #realWordLikelihood: number
  readonly #gramSize: number
  #uncounted: string | null = null

  /**
   * @param separator          between the words of an n-gram
   * @param realWordLikelihood that a word that is a term is no mistake
   * @param gramSize           words that are looked at together: 1, 2, 3 or more
   */
  constructor(
    words: PhraseTerms,
    smoothing: Smoothing,
    separator: string,
    realWordLikelihood: number,
    gramSize: number,
  ) {
    this.#words = words
    this.#smoothing = smoothing
    this.#separator = separator
    this.#realWordLikelihood = realWordLikelihood
    this.#gramSize = gramSize
  }

  /** The n-gram that the last score lacks a count of, so that it is none; null: it is one. */
  get uncounted(): string | null {
    return this.#uncounted
  }

  /** Counts that n-gram, for the next score; yields where the turn is over. */
  *count(turn: Turn): Generator<void, void, void> {
    if (this.#uncounted !== null) yield* this.#words.docFreq(this.#uncounted, turn)
  }

  /**
   * The score of the word at an index of a phrase, whose words before it are set. Where `uncounted` is set then, it is to be
   * counted and the score asked for again.
   */
  score(path: readonly PhraseWord[], at: number): number {
    this.#uncounted = null
    const word = path[at]!
    const channel = word.similarity === 1 ? this.#realWordLikelihood : word.similarity
    if (at === 0 || this.#gramSize === 1) return Math.log10(channel * this.#unigram(word))
    if (at === 1 || this.#gramSize === 2)
      return Math.log10(channel * this.#bigram(word, path[at - 1]!))
    return Math.log10(channel * this.#trigram(word, path[at - 1]!, path[at - 2]!))
  }

  #frequency(...terms: readonly string[]): number {
    const gram = terms.join(this.#separator)
    const count = this.#words.counted(gram)
    if (count !== null) return count.totalTermFreq
    this.#uncounted ??= gram
    return 0
  }

  #unigram({ term }: PhraseWord): number {
    const { totalTermFreq, termCount } = this.#words
    const smoothing = this.#smoothing
    if (smoothing.kind === 'laplace')
      return (
        (smoothing.alpha + this.#frequency(term)) / (totalTermFreq + smoothing.alpha * termCount)
      )
    return (1 + this.#frequency(term)) / (totalTermFreq + termCount)
  }

  #bigram(word: PhraseWord, before: PhraseWord): number {
    const smoothing = this.#smoothing
    const count = this.#frequency(before.term, word.term)
    const beforeCount = before.count.totalTermFreq
    switch (smoothing.kind) {
      case 'stupidBackoff':
        return count < 1 ? smoothing.discount * this.#unigram(word) : count / (beforeCount + TINY)
      case 'laplace':
        return (smoothing.alpha + count) / (beforeCount + smoothing.alpha * this.#words.termCount)
      case 'linear': {
        const alone = smoothing.unigram * this.#unigram(word)
        return count < 1 ? alone : smoothing.bigram * (count / (0.5 + beforeCount)) + alone
      }
    }
  }

  #trigram(word: PhraseWord, before: PhraseWord, first: PhraseWord): number {
    const smoothing = this.#smoothing
    switch (smoothing.kind) {
      case 'stupidBackoff': {
        const pair = this.#frequency(before.term, word.term)
        if (pair < 1) return smoothing.discount * this.#unigram(word)
        const count = this.#frequency(first.term, before.term, word.term)
        if (count < 1) return smoothing.discount * (pair / (before.count.totalTermFreq + TINY))
        return count / (pair + TINY)
      }
      case 'laplace': {
        const count = this.#frequency(first.term, before.term, word.term)
        const pair = this.#frequency(before.term, word.term)
        return (smoothing.alpha + count) / (pair + smoothing.alpha * this.#words.termCount)
      }
      case 'linear': {
        // The words stand the wrong way round here in the real server too.
        const count = this.#frequency(word.term, before.term, first.term)
        if (count < 1) return this.#bigram(word, before)
        const pair = this.#frequency(word.term, before.term)
        return smoothing.trigram * (count / (1 + pair)) + this.#bigram(word, before)
      }
    }
  }
}
