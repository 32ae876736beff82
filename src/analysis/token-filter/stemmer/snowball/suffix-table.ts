/** Snowball's `among`: of all suffixes that a word ends with, the longest. */

/** Suffixes and what stands for each, found by the longest match. */
export class SuffixTable<Action extends string> {
  readonly #actions = new Map<string, Action>()
  readonly #lengths: readonly number[]

  /** @param groups action → suffixes divided by blanks */
  constructor(groups: Readonly<Partial<Record<Action, string>>>) {
    const lengths = new Set<number>()
    for (const action of Object.keys(groups) as Action[])
      for (const suffix of groups[action]?.split(' ') ?? []) {
        this.#actions.set(suffix, action)
        lengths.add(suffix.length)
      }
    this.#lengths = [...lengths].sort((one, other) => other - one)
  }

  /**
   * The longest suffix that lies within `[from, end of word)`; null where there is none.
   * @param accept what must be true of its action and the stem before it, or a shorter one is tried
   */
  find(
    word: string,
    from = 0,
    accept?: (action: Action, stem: string) => boolean,
  ): { readonly suffix: string; readonly action: Action } | null {
    for (const length of this.#lengths) {
      const end = word.length - length
      if (end < from) continue
      const suffix = word.slice(end)
      const action = this.#actions.get(suffix)
      if (action === undefined || accept?.(action, word.slice(0, end)) === false) continue
      return { suffix, action }
    }
    return null
  }
}

/**
 * The place behind the first letter that is none of `vowels` and follows one that is; the end of the
 * word where there is no such letter.
 */
export function behindVowelAndConsonant(word: string, vowels: string, from: number): number {
  let at = from
  while (at < word.length && !vowels.includes(word[at]!)) at++
  while (at < word.length && vowels.includes(word[at]!)) at++
  return Math.min(at + 1, word.length)
}
