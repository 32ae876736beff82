/** Java's `String.split`: at a plain text, or at the matches of a regular expression. */

import { EngineError } from '../util/errors.ts'
import { Matcher } from '../util/pattern/matcher.ts'
import { compilePattern } from '../util/pattern/pattern-program.ts'
import type { ProcessorConfig } from './processor-config.ts'

/**
 * Splits a text.
 * @param limit max parts; 0: any number, without empty ones at the end; −1: any number
 */
export type Splitter = (text: string, limit: number) => string[]

/**
 * The splitter of an expression.
 * @throws {EngineError} `parse_exception`: an expression that cannot be, as a fault of the option
 */
export function splitter(config: ProcessorConfig, key: string, expression: string): Splitter {
  const plain = plainText(expression)
  if (plain !== null) return (text, limit) => parts(text, limit, at => nextPlain(text, plain, at))
  const matcher = matcherOf(config, key, expression)
  return (text, limit) => {
    matcher.reset(text)
    return parts(text, limit, at => {
      if (at > text.length || !matcher.find(at)) return null
      return [matcher.groups[0]!, matcher.groups[1]!]
    })
  }
}

/** The text that an expression matches and nothing else; null where it is a true expression. */
function plainText(expression: string): string | null {
  const text = expression.replace(/\\([^\w\s])/g, '$1')
  return text !== '' && /^(?:[^\\.[\]{}()*+?^$|]|\\[^\w\s])+$/.test(expression) ? text : null
}

function nextPlain(text: string, plain: string, at: number): readonly [number, number] | null {
  const start = text.indexOf(plain, at)
  return start < 0 ? null : [start, start + plain.length]
}

function matcherOf(config: ProcessorConfig, key: string, expression: string): Matcher {
  try {
    return new Matcher(compilePattern(expression, ''))
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw config.fault(key, `Invalid regex pattern. ${error.record.reason}`)
  }
}

function parts(
  text: string,
  limit: number,
  next: (at: number) => readonly [start: number, end: number] | null,
): string[] {
  const found: string[] = []
  let copied = 0
  let at = 0
  while (limit <= 0 || found.length < limit - 1) {
    const match = next(at)
    if (match === null) break
    const [start, end] = match
    at = end > start ? end : end + 1
    // Nothing stands before a match of no width at the start.
    if (end === 0) continue
    if (start === text.length && end === start) break
    found.push(text.slice(copied, start))
    copied = end
  }
  if (found.length === 0) return [text]
  found.push(text.slice(copied))
  if (limit === 0) while (found.length > 0 && found.at(-1) === '') found.pop()
  return found
}
