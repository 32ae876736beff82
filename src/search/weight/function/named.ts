/** Names in explanations of scores that functions make, in the words of the reference server. */
import type { Explanation } from '../explanation.ts'

/** A name behind what it names: `(_name: n)`; empty without one. */
export function nameBehind(name: string | null): string {
  return name === null || name === '' ? '' : `(_name: ${name})`
}

/** A name as the last of several arguments: `, _name: n`; empty without one. */
export function nameAmong(name: string | null): string {
  return name === null || name === '' ? '' : `, _name: ${name}`
}

/** A query's explanation with its name. */
export function explainedAs(explained: Explanation, name: string | null): Explanation {
  const text = nameBehind(name)
  if (text === '') return explained
  return { ...explained, description: `${explained.description} ${text}` }
}
