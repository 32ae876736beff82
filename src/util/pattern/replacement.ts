/** What matches are replaced by: Java's replacement texts, `$1`, `${name}` and `\` before a character. */
import { IllegalArgumentError } from '../errors.ts'
import type { Matcher } from './matcher.ts'
import type { Program } from './pattern-program.ts'

/** A replacement text that has been read. */
export class Replacement {
  /** Text, and numbers of groups. */
  readonly #parts: readonly (string | number)[]

  /**
   * @param program of the pattern whose groups it names
   * @throws {IllegalArgumentError} a group that the pattern has not, or a text that ends in `$` or `\`
   */
  constructor(text: string, program: Program) {
    this.#parts = parse(text, program)
  }

  /**
   * The text with its first match replaced, or all; itself where there is none.
   * @throws {IllegalArgumentError} the pattern took too many steps
   */
  apply(matcher: Matcher, text: string, all: boolean): string {
    matcher.reset(text)
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

  /** The replacement of the match that a matcher has found. */
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
    // As many digits as name a group that there is.
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
