/** Characters that expressions name by kind, in the syntax of the runtime's own patterns. */

import { IllegalArgumentError } from '../../util/errors.ts'

/** Contents of classes by POSIX's name: within ASCII, and in all of Unicode. */
const POSIX: Readonly<Record<string, readonly [ascii: string, unicode: string]>> = {
  alnum: ['0-9A-Za-z', '\\p{L}\\p{M}\\p{Nd}'],
  alpha: ['A-Za-z', '\\p{L}\\p{M}'],
  ascii: ['\\x00-\\x7f', '\\x00-\\x7f'],
  blank: [' \\t', '\\p{Zs}\\t'],
  cntrl: ['\\x00-\\x1f\\x7f', '\\p{Cc}'],
  digit: ['0-9', '\\p{Nd}'],
  graph: ['\\x21-\\x7e', '\\x21-\\x7e\\u00a1-\\u{10ffff}'],
  lower: ['a-z', '\\p{Ll}'],
  print: ['\\x20-\\x7e', '\\x20-\\x7e\\u00a0-\\u{10ffff}'],
  punct: ['!-\\/:-@\\[-`\\{-~', '\\p{P}!-\\/:-@\\[-`\\{-~'],
  space: ['\\t-\\r ', '\\t-\\r \\x85\\p{Z}'],
  upper: ['A-Z', '\\p{Lu}'],
  word: ['0-9A-Z_a-z', '\\p{L}\\p{M}\\p{Nd}\\p{Pc}'],
  xdigit: ['0-9A-Fa-f', '0-9A-Fa-f'],
}

/** Kinds by the letter of their escape. */
const LETTERS: Readonly<Record<string, string>> = {
  d: 'digit',
  h: 'xdigit',
  s: 'space',
  w: 'word',
}

/**
 * The content of a class of a POSIX name, or of a Unicode property.
 * @param isUnicode false: only texts within ASCII are looked at
 * @returns text between the brackets of a class
 * @throws {EngineError} `illegal_argument_exception`: there is no such kind
 */
export function namedClass(name: string, isUnicode: boolean): string {
  const isNegated = name.startsWith('^')
  const plain = isNegated ? name.slice(1) : name
  const known = POSIX[plain.toLowerCase()]
  if (known !== undefined && Object.hasOwn(POSIX, plain.toLowerCase())) {
    const content = known[isUnicode ? 1 : 0]
    return isNegated ? complementOf(content, isUnicode) : content
  }
  const property = `\\${isNegated ? 'P' : 'p'}{${plain}}`
  try {
    new RegExp(property, 'u')
  } catch {
    throw new IllegalArgumentError(`invalid character property name {${plain}}`)
  }
  return property
}

/** The content of the class of an escape such as `\d`; null: the letter is no kind. */
export function escapedClass(letter: string, isUnicode: boolean): string | null {
  const name = Object.hasOwn(LETTERS, letter.toLowerCase())
    ? LETTERS[letter.toLowerCase()]
    : undefined
  if (name === undefined) return null
  return namedClass(letter === letter.toLowerCase() ? name : `^${name}`, isUnicode)
}

/** By content, and whether it is of Unicode: it takes some hundred milliseconds to find one. */
const complements = new Map<string, string>()

function complementOf(content: string, isUnicode: boolean): string {
  const key = `${isUnicode} ${content}`
  let known = complements.get(key)
  if (known === undefined) {
    known = complement(content, isUnicode)
    complements.set(key, known)
  }
  return known
}

/** All characters but those of a class, as the content of another. */
function complement(content: string, isUnicode: boolean): string {
  const pattern = new RegExp(`[${content}]`, 'u')
  const last = isUnicode ? 0x10ffff : 0x7f
  let result = ''
  let start = -1
  for (let point = 0; point <= last + 1; point++) {
    const isOut = point <= last && !pattern.test(String.fromCodePoint(point))
    if (isOut && start < 0) start = point
    else if (!isOut && start >= 0) {
      result += `${escapedPoint(start)}-${escapedPoint(point - 1)}`
      start = -1
    }
  }
  return result
}

/** A character by its number. */
export function escapedPoint(point: number): string {
  if (point > 0xffff) return `\\u{${point.toString(16)}}`
  return `\\u${point.toString(16).padStart(4, '0')}`
}
