/**
 * Words as java.text.BreakIterator of the Thai locale finds them, but for Thai itself, whose runs
 * are told from the rest: its dictionary is the JDK's own.
 */
import { Automaton } from '../../util/automaton/automaton.ts'
import { type Expression, Expressions } from '../../util/automaton/expression.ts'
import { propertyRanges } from '../../util/automaton/property-ranges.ts'

/** Bit of the automaton's second rule: a run of Thai letters, to be cut by a dictionary. */
export const THAI_RULE = 2

/** Letters, vowels and tones of Thai, for a character class. */
const THAI = '\\u0e01-\\u0e2e\\u0e30-\\u0e3a\\u0e40-\\u0e44\\u0e47-\\u0e4e'
const KANJI = '\\u3005\\u4e00-\\u9fa5\\uf900-\\ufa2d'
const KATAKANA = '\\u30a1-\\u30fa'
const HIRAGANA = '\\u3041-\\u3094'
const DIACRITICS = '\\u3099-\\u309c'

let shared: Automaton | null = null

/** The rules' automaton, made once a thread. */
export function javaWords(): Automaton {
  shared ??= make()
  return shared
}

function make(): Automaton {
  const e = new Expressions()
  const ranges = (charClass: string): Expression => e.set(propertyRanges(charClass))
  const but = `(?![${KANJI}${KATAKANA}${HIRAGANA}${DIACRITICS}${THAI}])`
  // Marks and formats belong to what stands before them, unless a rule names them.
  const marks = `(?![${THAI}${DIACRITICS}\\u00ad])[\\p{Mn}\\p{Me}\\p{Cf}]`
  const ignored = e.star(ranges(`(?:${marks})`))
  const one = (charClass: string): Expression =>
    e.sequence(ranges(`(?:(?![${THAI}])(?!${marks})${charClass})`), ignored)
  const letters = e.plus(one(`${but}[\\p{L}\\p{Mc}]`))
  const digits = e.plus(one('[\\p{N}]'))
  const midWord = one('[\\p{Pd}\\u00ad\\u2027"\'.]')
  const midNumber = one('["\',\\u066b.]')
  const beforeNumber = one('(?!\\u00a2)[\\p{Sc}#.]')
  const behindNumber = one('[%&\\u00a2\\u066a\\u2030\\u2031]')
  const word = e.sequence(
    letters,
    e.star(e.sequence(midWord, letters)),
    e.optional(one('[\\u0964\\u0965]')),
  )
  const number = e.sequence(digits, e.star(e.sequence(midNumber, digits)))
  const mixed = e.sequence(
    e.star(e.sequence(number, word)),
    e.optional(e.sequence(number, e.optional(behindNumber))),
  )
  const thai = e.sequence(ranges(`[${THAI}]`), ignored)
  const repeat = e.sequence(e.optional(one('[\\u0e2f]')), one('[\\u0e46]'))
  const words = e.either(
    e.sequence(e.set([0, 0x10ffff]), ignored),
    e.sequence(e.optional(word), mixed),
    e.sequence(beforeNumber, mixed),
    e.plus(one(`[${KATAKANA}${DIACRITICS}]`)),
    e.plus(one(`[${HIRAGANA}${DIACRITICS}]`)),
    e.plus(one(`[${KANJI}]`)),
  )
  return new Automaton(e, [
    e.sequence(ignored, words),
    e.sequence(e.plus(thai), e.optional(repeat)),
  ])
}
