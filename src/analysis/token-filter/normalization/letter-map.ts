/** Normalizations that look at one letter at a time. */
import type { TermFunction } from '../term-filter.ts'

/**
 * Makes a function that replaces letters.
 * @param pairs letters, each a single UTF-16 unit, and what stands in their place; nothing takes
 * them out
 */
export function letterMap(
  pairs: readonly (readonly [letters: string, plain: string])[],
): TermFunction {
  const plainOf = new Map<number, string>()
  for (const [letters, plain] of pairs)
    for (let i = 0; i < letters.length; i++) plainOf.set(letters.charCodeAt(i), plain)
  const first = Math.min(...plainOf.keys())
  const last = Math.max(...plainOf.keys())
  return term => {
    let made = ''
    let copied = 0
    for (let i = 0; i < term.length; i++) {
      const unit = term.charCodeAt(i)
      if (unit < first || unit > last) continue
      const plain = plainOf.get(unit)
      if (plain === undefined) continue
      made += term.slice(copied, i) + plain
      copied = i + 1
    }
    return copied === 0 ? term : made + term.slice(copied)
  }
}
