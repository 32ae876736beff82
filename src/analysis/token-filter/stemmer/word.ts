/** Tests and changes of a word that stemmers of suffixes share. */

/** Whether a word ends with one of several. */
export function endsWithAny(word: string, endings: readonly string[]): boolean {
  for (const ending of endings) if (word.endsWith(ending)) return true
  return false
}

interface EndingRule {
  readonly ending: string
  readonly replacement: string
  /** The word must have more units than this. */
  readonly longerThan: number
}

/** Endings in the order in which they are tried, found by their last letter. */
export class EndingRules {
  readonly #byLast: ReadonlyMap<number, readonly EndingRule[]>

  /**
   * @param groups divided by `;`: the length that a word must pass, then endings, each alone or
   * with what takes its place, `ending>replacement`
   */
  constructor(groups: string) {
    const byLast = new Map<number, EndingRule[]>()
    for (const group of groups.split(';')) {
      const [longerThan, ...endings] = group.trim().split(' ')
      for (const rule of endings) {
        const [ending = '', replacement = ''] = rule.split('>')
        const last = ending.charCodeAt(ending.length - 1)
        const list = byLast.get(last) ?? []
        byLast.set(last, list)
        list.push({ ending, replacement, longerThan: Number(longerThan) })
      }
    }
    this.#byLast = byLast
  }

  /** The word after the first rule that fits; the same string where none does. */
  apply(word: string): string {
    const { length } = word
    if (length === 0) return word
    const rules = this.#byLast.get(word.charCodeAt(length - 1))
    if (rules === undefined) return word
    for (const { ending, replacement, longerThan } of rules)
      if (length > longerThan && word.endsWith(ending))
        return word.slice(0, length - ending.length) + replacement
    return word
  }
}

/** Doubled letters as one. */
export function removeDoubles(word: string, isRemoved: (letter: string) => boolean): string {
  let made = ''
  let copied = 0
  for (let i = 1; i < word.length; i++) {
    if (word.charCodeAt(i) !== word.charCodeAt(i - 1) || !isRemoved(word[i]!)) continue
    made += word.slice(copied, i)
    copied = i + 1
  }
  return copied === 0 ? word : made + word.slice(copied)
}
