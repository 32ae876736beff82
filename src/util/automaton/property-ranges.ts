/** Sets of code points by Unicode property. */

/** Code points tested at once, as one string. */
const STEP = 0x1000

/**
 * The ranges of a character class, such as `[\p{L}\p{Mc}]`. Tests every code point, about ten
 * milliseconds: cache the result.
 */
export function propertyRanges(charClass: string): readonly number[] {
  const runs = new RegExp(`${charClass}+`, 'gu')
  const ranges: number[] = []
  for (let first = 0; first < 0x110000; first += STEP) {
    // Surrogates have no other properties.
    if (first >= 0xd800 && first < 0xe000) continue
    const size = Math.min(STEP, first === 0xd000 ? 0x800 : STEP)
    const text = String.fromCodePoint(...Array.from({ length: size }, (_, i) => first + i))
    const units = first > 0xffff ? 2 : 1
    for (const match of text.matchAll(runs)) {
      const from = first + match.index / units
      const to = from + match[0].length / units - 1
      if (ranges.at(-1) === from - 1) ranges[ranges.length - 1] = to
      else ranges.push(from, to)
    }
  }
  return ranges
}
