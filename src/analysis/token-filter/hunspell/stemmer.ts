/** Stems of words by the rules of a Hunspell dictionary: up to three affixes are undone. */
import type { Affix, HunspellDictionary, WordForm } from './dictionary.ts'

/** Rules that are tried for one word; what has been found by then counts. */
const MOST_RULES = 50_000
/** Longer words are none of a dictionary. */
const LONGEST_WORD = 256

const UPPER = /^\p{Lu}$/u

/** Affixes taken off a word so far, and those that may be taken off next. */
interface Progress {
  readonly depth: number
  /** The rule before, which is not undone twice. */
  readonly previous: Affix | null
  /** Flag of the first prefix, which the word must take. */
  readonly prefixFlag: string | null
  readonly doPrefix: boolean
  readonly doSuffix: boolean
  readonly previousWasPrefix: boolean
  readonly circumfix: boolean
  readonly caseVariant: boolean
}

/** Finds stems; for one thread. */
export class HunspellStemmer {
  readonly #dictionary: HunspellDictionary
  #rulesLeft = 0

  constructor(dictionary: HunspellDictionary) {
    this.#dictionary = dictionary
  }

  /** All stems of a word, the same one more than once maybe. */
  stems(term: string): readonly string[] {
    if (term.length > LONGEST_WORD) return []
    this.#rulesLeft = MOST_RULES
    const word = this.#dictionary.clean(term)
    const stems = this.#stemsAsWritten(word, false)
    const first = word[0]
    if (first === undefined || !UPPER.test(first)) return stems
    const rest = word.slice(1).split('')
    const isUpper = rest.every(letter => UPPER.test(letter))
    const isTitle = rest.every(letter => !UPPER.test(letter))
    if (!isUpper && !isTitle) return stems
    const { fold } = this.#dictionary
    const folded = (letters: readonly string[]): string =>
      letters.map(letter => fold.call(this.#dictionary, letter)).join('')
    if (isUpper) stems.push(...this.#stemsAsWritten(first + folded(rest), true))
    const lower = folded([first]) + (isUpper ? folded(rest) : word.slice(1))
    stems.push(...this.#stemsAsWritten(lower, true))
    return stems
  }

  #stemsAsWritten(word: string, caseVariant: boolean): string[] {
    const { special } = this.#dictionary
    const stems: string[] = []
    for (const form of this.#dictionary.lookup(word) ?? []) {
      if (caseVariant && has(form.flags, special.keepCase)) continue
      if (has(form.flags, special.needAffix) || has(form.flags, special.onlyInCompound)) continue
      stems.push(this.#stemOf(word, form))
    }
    this.#undo(word, stems, {
      depth: 0,
      previous: null,
      prefixFlag: null,
      doPrefix: true,
      doSuffix: true,
      previousWasPrefix: false,
      circumfix: false,
      caseVariant,
    })
    return stems
  }

  #stemOf(word: string, form: WordForm): string {
    return this.#dictionary.finish(form.stem ?? word)
  }

  /** Undoes the affixes that a word has. */
  #undo(word: string, stems: string[], progress: Progress): void {
    const { prefixes, suffixes, longestPrefix, longestSuffix, fullStrip } = this.#dictionary
    if (progress.doPrefix) {
      const most = Math.min(longestPrefix, word.length - (fullStrip ? 1 : 2))
      for (let length = 0; length <= most; length++) {
        const rest = word.slice(length)
        for (const rule of prefixes.get(word.slice(0, length)) ?? []) {
          if (!this.#isAllowed(rule, progress, false)) continue
          const stem = rule.strip + rest
          if (rule.condition?.(stem) === false) continue
          this.#follow(stem, stems, rule, true, progress)
        }
      }
    }
    if (!progress.doSuffix) return
    const most = Math.min(longestSuffix, word.length - (fullStrip ? 0 : 1))
    for (let length = 0; length <= most; length++) {
      const end = word.length - length
      const rest = word.slice(0, end)
      for (const rule of suffixes.get(word.slice(end)) ?? []) {
        if (!this.#isAllowed(rule, progress, progress.previousWasPrefix)) continue
        const stem = rest + rule.strip
        if (rule.condition?.(stem) === false) continue
        this.#follow(stem, stems, rule, false, progress)
      }
    }
  }

  /** Whether a rule may be undone now: behind another one, both must allow it. */
  #isAllowed(rule: Affix, { depth, previous }: Progress, matchesNone: boolean): boolean {
    if (rule === previous || this.#rulesLeft <= 0) return false
    this.#rulesLeft--
    if (has(rule.continuation, this.#dictionary.special.onlyInCompound)) return false
    if (depth === 0) return true
    if (!rule.crossProduct || previous === null) return false
    return (rule.continuation === '' && matchesNone) || rule.continuation.includes(previous.flag)
  }

  /** Takes the words that a rule leads to, then goes on from there. */
  #follow(stem: string, stems: string[], rule: Affix, isPrefix: boolean, from: Progress): void {
    const dictionary = this.#dictionary
    const { special, complexPrefixes, twoStageAffix } = dictionary
    const isCircumfix = has(rule.continuation, special.circumfix)
    for (const form of dictionary.lookup(stem) ?? []) {
      if (!form.flags.includes(rule.flag)) continue
      const isChained = complexPrefixes && from.depth === 1 && isPrefix
      const { prefixFlag } = isPrefix ? { prefixFlag: null } : from
      const takesPrefix =
        isChained ||
        prefixFlag === null ||
        form.flags.includes(prefixFlag) ||
        rule.continuation.includes(prefixFlag)
      if (!takesPrefix) continue
      if (special.circumfix !== null && from.circumfix !== isCircumfix) continue
      if (from.caseVariant && has(form.flags, special.keepCase)) continue
      if (has(form.flags, special.onlyInCompound)) continue
      stems.push(this.#stemOf(stem, form))
    }
    if (!rule.crossProduct) return
    const next: Progress = {
      ...from,
      depth: from.depth + 1,
      previous: rule,
      prefixFlag: isPrefix ? rule.flag : from.prefixFlag,
      doPrefix: false,
      doSuffix: true,
      previousWasPrefix: isPrefix,
      circumfix: from.circumfix || (isPrefix && isCircumfix),
    }
    const takesSuffix = !complexPrefixes && twoStageAffix
    if (from.depth === 0 && isPrefix)
      this.#undo(stem, stems, { ...next, doPrefix: complexPrefixes && twoStageAffix })
    else if (from.depth === 0 && takesSuffix) this.#undo(stem, stems, next)
    else if (from.depth === 1 && isPrefix && complexPrefixes) this.#undo(stem, stems, next)
    else if (from.depth === 1 && !isPrefix && takesSuffix) this.#undo(stem, stems, next)
  }
}

const has = (flags: string, flag: string | null): boolean => flag !== null && flags.includes(flag)
