/** Draws corrections of the words of a phrase from the terms of a field. */
import type { Turn } from '../../util/turns.ts'
import type { PhraseTerms } from './phrase-terms.ts'
import { type SpellCheck, type SuggestMode, similarTerms } from './similar-terms.ts'
import type { PhraseWord } from './word-scorer.ts'

/** Where corrections come from. */
export interface GeneratorPlan {
  readonly field: string
  readonly mode: SuggestMode
  readonly check: SpellCheck
  /** Max corrections of a word. */
  readonly size: number
  /** Turns a word into the form of the field's terms; null: it is. */
  readonly preFilter: ((word: string) => readonly FilteredTerm[]) | null
  /** Turns a term into words of the phrase; null: it is one. */
  readonly postFilter: ((term: string) => readonly FilteredTerm[]) | null
}

/** A token that a filter made. */
export interface FilteredTerm {
  readonly term: string
  readonly positionIncrement: number
}

/** A word that was given, and its corrections from the best down. */
export interface CandidateSet {
  readonly input: PhraseWord
  candidates: readonly PhraseWord[]
}

const LOG_BASE = 5
const MAX_INT = 2147483647

/** Draws corrections from one field of a shard. */
export class CandidateGenerator {
  readonly #plan: GeneratorPlan
  readonly #words: PhraseTerms
  /** Added to the likelihood of words whose corrections a filter changed. */
  readonly #realWordLikelihood: number

  constructor(plan: GeneratorPlan, words: PhraseTerms, realWordLikelihood: number) {
    this.#plan = plan
    this.#words = words
    this.#realWordLikelihood = realWordLikelihood
  }

  /** Counts a word in turns, ahead of `wordOf`. */
  *prepare(term: string, turn: Turn): Generator<void, void, void> {
    yield* this.#words.docFreq(this.#filtered(term), turn)
  }

  /** A word of the phrase as it was given, or a synonym of one. */
  wordOf(term: string, similarity: number, isInput: boolean): PhraseWord {
    const count = this.#words.count(this.#filtered(term))
    return { term, count, similarity, score: this.#score(count, similarity), isInput }
  }

  /** Adds corrections to a word's; yields where the turn is over. */
  *draw(set: CandidateSet, turn: Turn): Generator<void, void, void> {
    const { mode, check, size } = this.#plan
    let { minDocFreq } = check
    if (mode !== 'always') {
      const threshold = this.#threshold(set.input.count.docFreq)
      if (threshold === MAX_INT) return
      minDocFreq = Math.max(minDocFreq, threshold)
    }
    const word = this.#filtered(set.input.term)
    const checked = { ...check, minDocFreq }
    const found = yield* similarTerms(this.#words, word, size, mode, checked, turn)
    const drawn = found.flatMap(({ term, score }) => this.#corrections(term, score))
    const byTerm = new Map<string, PhraseWord>()
    for (const each of [...drawn, ...set.candidates])
      if (!byTerm.has(each.term)) byTerm.set(each.term, each)
    set.candidates = [...byTerm.values()].sort(
      (a, b) => b.score - a.score || compareTerms(a.term, b.term),
    )
  }

  /** The words that a term of the field stands for. */
  #corrections(term: string, similarity: number): readonly PhraseWord[] {
    const count = this.#words.count(term)
    const score = this.#score(count, similarity)
    const { postFilter } = this.#plan
    if (postFilter === null) return [{ term, count, similarity, score, isInput: false }]
    return postFilter(term).map(({ term: word, positionIncrement }) => ({
      term: word,
      count,
      // A filter that changes a term hides how similar it is.
      similarity: positionIncrement > 0 && word === term ? similarity : this.#realWordLikelihood,
      score,
      isInput: false,
    }))
  }

  /** A word through the filter before; the last of several tokens. */
  #filtered(word: string): string {
    const { preFilter } = this.#plan
    return preFilter === null ? word : (preFilter(word).at(-1)?.term ?? '')
  }

  #score({ totalTermFreq }: PhraseWord['count'], similarity: number): number {
    return similarity * ((totalTermFreq + 1) / (this.#words.totalTermFreq + 1))
  }

  /** Corrections of a term must be in more documents than this. */
  #threshold(docFreq: number): number {
    if (docFreq <= 0) return 0
    const { minDocFreq } = this.#plan.check
    const plateau = Math.trunc(
      minDocFreq >= 1 ? minDocFreq : Math.fround(this.#words.maxDoc * minDocFreq),
    )
    const scaled = docFreq * (Math.log10(docFreq - plateau) * (1 / Math.log10(LOG_BASE))) + 1
    const rounded = Math.floor(scaled + 0.5)
    return Number.isNaN(rounded) ? 0 : Math.min(Math.max(0, rounded), MAX_INT)
  }
}

function compareTerms(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
