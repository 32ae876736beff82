/**
 * Where words may be hyphenated, by F. M. Liang's patterns (Word hy-phen-a-tion by com-put-er) in the
 * XML files of Apache FOP:
 *
 *   <hyphenation-info>
 *     <classes> aA bB … </classes>        characters that count as their group's first
 *     <exceptions> ta-ble … </exceptions>
 *     <patterns> .ach4 e1ma … </patterns> digits between letters: odd ones allow a hyphen
 *   </hyphenation-info>
 */
import { IllegalArgumentError } from '../../util/errors.ts'

/** Longer words are none that anyone hyphenates. */
const LONGEST_WORD = 16_384
/** Longest pattern that is looked for, in letters. */
const MOST_LETTERS = 64
const ENTITIES: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
}

/** Patterns of a language. */
export class HyphenationPatterns {
  /** Character → the letter that it counts as. */
  readonly #classes = new Map<string, string>()
  /** Word → places of its hyphens. */
  readonly #exceptions = new Map<string, readonly number[]>()
  /** Letters of a pattern → the digits before, between and behind them. */
  readonly #patterns = new Map<string, readonly number[]>()
  #longest = 0

  /** @throws {IllegalArgumentError} no such file */
  constructor(xml: string) {
    if (!/<hyphenation-info[\s>]/.test(xml))
      throw new IllegalArgumentError('Exception while reading hyphenation_patterns_path.')
    for (const group of words(section(xml, 'classes'))) {
      const [first = ''] = group
      for (const character of group) this.#classes.set(character, first)
    }
    for (const word of words(section(xml, 'exceptions').replace(/<[^>]*>/g, '-')))
      this.#except(word)
    for (const pattern of words(section(xml, 'patterns'))) this.#add(pattern)
  }

  /**
   * Beginnings of parts: 0, the places of hyphens, the number of letters.
   * @returns null where the word has no hyphen, or other than letters within
   */
  hyphenate(word: string): readonly number[] | null {
    if (word.length > LONGEST_WORD) return null
    let letters = ''
    let ignored = 0
    let isOver = false
    for (const character of word.split('')) {
      const letter = this.#classes.get(character)
      if (letter !== undefined) {
        if (isOver) return null
        letters += letter
      } else if (letters === '') ignored++
      else isOver = true
    }
    if (letters.length < 2) return null
    const points = this.#exceptions.get(letters) ?? this.#find(letters)
    if (points.length === 0) return null
    return [0, ...points.map(point => point + ignored), letters.length]
  }

  #find(letters: string): readonly number[] {
    const marked = `.${letters}.`
    const values = new Uint8Array(marked.length + 1)
    for (let start = 0; start <= letters.length; start++) {
      const most = Math.min(this.#longest, marked.length - start)
      for (let length = 1; length <= most; length++) {
        const pattern = this.#patterns.get(marked.slice(start, start + length))
        if (pattern === undefined) continue
        for (const [i, value] of pattern.entries())
          if (value > values[start + i]!) values[start + i] = value
      }
    }
    const points: number[] = []
    for (let at = 1; at < letters.length; at++) if (values[at + 1]! % 2 === 1) points.push(at)
    return points
  }

  #except(text: string): void {
    const parts = text.split('-').filter(part => part !== '')
    const points: number[] = []
    let length = 0
    for (const part of parts) {
      length += part.length
      points.push(length)
    }
    // The end of the word is no place for a hyphen, nor is that before its last letter.
    const kept = points.filter(point => point >= 1 && point < length - 1)
    const key = this.#plain(parts.join(''))
    if (key !== '') this.#exceptions.set(key, kept)
  }

  #add(text: string): void {
    let letters = ''
    const digits = [0]
    for (const character of text.split('')) {
      if (character >= '0' && character <= '9') digits[digits.length - 1] = Number(character)
      else {
        letters += character
        digits.push(0)
      }
    }
    if (letters === '' || letters.length > MOST_LETTERS) return
    this.#patterns.set(letters, digits)
    this.#longest = Math.max(this.#longest, letters.length)
  }

  #plain(text: string): string {
    let letters = ''
    for (const character of text.split('')) letters += this.#classes.get(character) ?? character
    return letters
  }
}

function section(xml: string, name: string): string {
  const start = xml.indexOf(`<${name}>`)
  const end = xml.indexOf(`</${name}>`)
  if (start < 0 || end < start) return ''
  return xml
    .slice(start + name.length + 2, end)
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/&(?:#x([0-9a-fA-F]{1,6})|#(\d{1,7})|(\w{1,8}));/g, (whole, hex, decimal, named) => {
      if (named !== undefined) return ENTITIES[String(named)] ?? String(whole)
      const point = hex === undefined ? Number(decimal) : parseInt(String(hex), 16)
      return point <= 0x10ffff ? String.fromCodePoint(point) : String(whole)
    })
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter(word => word !== '')
}
