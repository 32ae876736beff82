/** Full-width ASCII becomes ASCII, half-width katakana the usual kind with its voice marks joined. */

/** The full-width letters of U+FF65 to U+FF9F. */
const KATAKANA =
  '・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u3099\u309a'

/** Letters that take the voiced mark, and what they become. */
const VOICED = pairs(
  'ウヴカガキギクグケゲコゴサザシジスズセゼソゾタダチヂツヅテデトドハバヒビフブヘベホボワヷヰヸヱヹヲヺヽヾ',
)
const HALF_VOICED = pairs('ハパヒピフプヘペホポ')

/** Folds widths in a term. */
export function foldWidth(term: string): string {
  let first = 0
  while (first < term.length && !isOfOtherWidth(term.charCodeAt(first))) first++
  if (first === term.length) return term
  let result = ''
  for (let i = 0; i < term.length; i++) {
    const unit = term.charCodeAt(i)
    if (unit >= 0xff01 && unit <= 0xff5e) result += String.fromCharCode(unit - 0xfee0)
    else if (unit >= 0xff65 && unit <= 0xff9f) {
      const marks = unit === 0xff9e ? VOICED : unit === 0xff9f ? HALF_VOICED : null
      const joined = marks?.get(result.slice(-1))
      if (joined === undefined) result += KATAKANA[unit - 0xff65]
      else result = result.slice(0, -1) + joined
    } else result += term.charAt(i)
  }
  return result
}

function isOfOtherWidth(unit: number): boolean {
  return unit >= 0xff01 && unit <= 0xff9f
}

function pairs(text: string): ReadonlyMap<string, string> {
  const map = new Map<string, string>()
  for (let i = 0; i < text.length; i += 2) map.set(text.charAt(i), text.charAt(i + 1))
  return map
}
