/** Java's replacement texts: `$1`, `${name}`, and `\` before a literal character. */
import { IllegalArgumentError } from '../errors.ts'
import type { Matcher } from './matcher.ts'
import type { Program } from './pattern-program.ts'

/** A parsed replacement text. */
export class Replacement {
  /** Literal texts and group ords. */
  readonly #parts: readonly (string | number)[]

  /**
   * @param program of the pattern whose groups it names
   * @throws {IllegalArgumentError} an unknown group, or a text that ends in `$` or `\`
   */
  constructor(text: string, program: Program) {
    this.#parts = parse(text, program)
  }

  /**
   * The text with its first match replaced, or all; the same text without a match. It is a further part
   * of the matcher's text.
   * @throws {IllegalArgumentError} the pattern took too many steps
   */
  apply(matcher: Matcher, text: string, all: boolean): string {
    matcher.resetPart(text)
    let result = ''
    let copied = 0
    let from = 0
    while (from <= text.length && matcher.find(from)) {
      const start = matcher.groups[0]!
      const end = matcher.groups[1]!
      result += text.slice(copied, start) + this.expand(matcher, text)
      copied = end
      from = end > start ? end : end + 1
      if (!all) break
    }
    return copied === 0 && result === '' ? text.slice(copied) : result + text.slice(copied)
  }

  /** The replacement of a matcher's current match. */
  expand(matcher: Matcher, text: string): string {
    let result = ''
    for (const part of this.#parts)
      if (typeof part === 'string') result += part
      else {
        const start = matcher.groups[2 * part]!
        if (start >= 0) result += text.slice(start, matcher.groups[2 * part + 1]!)
      }
    return result
  }
}

function parse(text: string, { groupCount, groupNames }: Program): (string | number)[] {
  const parts: (string | number)[] = []
  let plain = ''
  for (let i = 0; i < text.length; ) {
    const char = text.charAt(i++)
    if (char === '\\') {
      if (i === text.length) throw new IllegalArgumentError('character to be escaped is missing')
      plain += text.charAt(i++)
      continue
    }
    if (char !== '$') {
      plain += char
      continue
    }
    if (i === text.length)
      throw new IllegalArgumentError('Illegal group reference: group index is missing')
    if (text.charAt(i) === '{') {
      const end = text.indexOf('}', i)
      if (end < 0) throw new IllegalArgumentError("named capturing group is missing trailing '}'")
      const name = text.slice(i + 1, end)
      const named = groupNames.get(name)
      if (named === undefined) throw new IllegalArgumentError(`No group with name {${name}}`)
      if (plain !== '') parts.push(plain)
      plain = ''
      parts.push(named)
      i = end + 1
      continue
    }
    let group = digit(text, i++)
    if (group < 0) throw new IllegalArgumentError('Illegal group reference')
    if (group > groupCount) throw new IllegalArgumentError(`No group ${group}`)
    // Takes digits while they name an existing group.
    for (; i < text.length; i++) {
      const next = digit(text, i)
      if (next < 0 || group * 10 + next > groupCount) break
      group = group * 10 + next
    }
    if (plain !== '') parts.push(plain)
    plain = ''
    parts.push(group)
  }
  if (plain !== '') parts.push(plain)
  return parts
}

function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 48
  return value >= 0 && value <= 9 ? value : -1
}
