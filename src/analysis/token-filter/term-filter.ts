/** Filters that make one term of another and look at nothing else. */
import { ownString, TermMemory } from '../term-memory.ts'
import {
  TokenFilter,
  type TokenFilterComponent,
  type TokenStream,
  type UnitRun,
} from '../token-stream.ts'

/** Makes a term of a term; gives back the same string where it changes nothing. */
export type TermFunction = (term: string) => string

/** A stage that puts each term through a function. */
export class TermFilter extends TokenFilter {
  readonly #change: TermFunction
  readonly #keepsUnits: boolean
  #isSame = false

  /** @param keepsUnits the function leaves the characters of runs as they are */
  constructor(input: TokenStream, change: TermFunction, keepsUnits = false) {
    super(input)
    this.#change = change
    this.#keepsUnits = keepsUnits
  }

  override next(): boolean {
    if (!this.input.next()) return false
    const { token } = this
    const { term } = token
    const changed = this.#change(term)
    this.#isSame = changed === term
    token.term = changed
    return true
  }

  override takeUnits(run: UnitRun): boolean {
    return this.#keepsUnits && this.input.takeUnits(run)
  }

  override isLower(): boolean {
    return this.#isSame && this.input.isLower()
  }
}

/**
 * Longer terms are not stemmed, which bounds the time that one takes. Such a term is no word, and in
 * the index it would be near the largest one there can be.
 */
const MOST_STEMMED = 10_240

/** A stage that leaves words marked as keywords alone. */
export class StemFilter extends TokenFilter {
  readonly #memory: TermMemory<string>

  constructor(input: TokenStream, stem: TermFunction) {
    super(input)
    this.#memory = new TermMemory(term => ownString(stem(term)))
  }

  override next(): boolean {
    if (!this.input.next()) return false
    const { token } = this
    if (!token.isKeyword && token.term.length <= MOST_STEMMED)
      token.term = this.#memory.get(token.term)
    return true
  }
}

/** A filter that changes characters and may stand in a normalizer. */
export function normalizingComponent(name: string, change: TermFunction): TokenFilterComponent {
  return { name, isNormalizing: true, make: input => new TermFilter(input, change) }
}

/** A filter that stems. */
export function stemmingComponent(name: string, stem: TermFunction): TokenFilterComponent {
  return { name, showsKeyword: true, make: input => new StemFilter(input, stem) }
}
