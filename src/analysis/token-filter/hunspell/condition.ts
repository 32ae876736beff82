/**
 * The condition of an affix rule: what the stem must begin or end with, a letter, a choice of letters
 * `[aeiou]`, all but some `[^aeiou]`, or any `.` in each place.
 */

/** Whether a stem meets a condition. */
export type Condition = (stem: string) => boolean

const ANY = '.'

/** One place of a condition. */
interface Place {
  readonly letters: string
  /** Any letter but those. */
  readonly isNot: boolean
}

/** @returns null for a condition that holds for all */
export function parseCondition(text: string, isSuffix: boolean): Condition | null {
  if (text === ANY) return null
  const places = parsePlaces(text)
  return stem => {
    if (stem.length < places.length) return false
    const start = isSuffix ? stem.length - places.length : 0
    for (let i = 0; i < places.length; i++) {
      const { letters, isNot } = places[i]!
      if (letters !== ANY && letters.includes(stem[start + i]!) === isNot) return false
    }
    return true
  }
}

function parsePlaces(text: string): readonly Place[] {
  const places: Place[] = []
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!
    if (letter === '\\' && at + 1 < text.length) {
      places.push({ letters: text[++at]!, isNot: false })
      continue
    }
    if (letter !== '[') {
      places.push({ letters: letter, isNot: false })
      continue
    }
    const close = text.indexOf(']', at + 1)
    const end = close < 0 ? text.length : close
    const isNot = text[at + 1] === '^'
    const inside = text.slice(at + (isNot ? 2 : 1), end).replaceAll('\\', '')
    // A point within brackets is a point.
    places.push({ letters: inside === ANY ? `${ANY}${ANY}` : inside, isNot })
    at = end
  }
  return places
}
