/** Variables in the query of a role: `${attr.internal.team}`, for which a text of the user stands. */

import type { PlainJson } from './security-document.ts'

/** A text in JSON with all its escapes, or a variable that stands in none. */
const TEXT_OR_VARIABLE = /"(?:[^"\\]|\\[\s\S])*"|\$\{([^}]*)\}/g

/**
 * A query with its variables filled in. Within a text of the query a value is part of that text, whatever it holds;
 * elsewhere it is JSON: `"a", "b"`, an array, or a number.
 *
 * @param valueFor the value of a variable; null without one
 * @returns null where a variable has no value, or one that would change the query
 */
export function fillVariables(
  query: string,
  valueFor: (name: string) => string | null,
): string | null {
  let isComplete = true
  const valueIn = (name: string): string => {
    const value = valueFor(name)
    if (value === null) isComplete = false
    return value ?? ''
  }
  const filled = query.replace(TEXT_OR_VARIABLE, (found, name: string | undefined) => {
    if (name === undefined)
      return found.replace(/\$\{([^}]*)\}/g, (_, inner: string) =>
        JSON.stringify(valueIn(inner)).slice(1, -1),
      )
    const value = valueIn(name)
    if (!isValues(value)) isComplete = false
    return value
  })
  return isComplete ? filled : null
}

/** Whether a text is a list of values in JSON, with or without its brackets: no part of a query is hidden in it. */
function isValues(text: string): boolean {
  let values: readonly PlainJson[]
  try {
    values = JSON.parse(`[${text}]`) as readonly PlainJson[]
  } catch {
    return false
  }
  const [first] = values
  const inner = values.length === 1 && Array.isArray(first) ? first : values
  return inner.every(value => typeof value !== 'object')
}
