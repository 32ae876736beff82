import { IllegalArgumentError } from '../util/errors.ts'
import { Matcher } from '../util/pattern/matcher.ts'
import { compilePattern } from '../util/pattern/pattern-program.ts'
import { matchesWildcard } from '../util/wildcard.ts'

/** How a template's patterns are written. */
export type PatternKind = 'simple' | 'regex'

/** A pattern of names in a dynamic template. */
export interface TemplatePattern {
  matches(name: string): boolean
}

/**
 * Compiles a pattern: a name with `*`, or a regular expression of the whole name.
 * @param template that has it, for the error
 * @throws {IllegalArgumentError} no regular expression
 */
export function templatePattern(
  text: string,
  kind: PatternKind,
  template: string,
): TemplatePattern {
  if (kind === 'simple') return { matches: name => matchesWildcard(text, name) }
  let matcher: Matcher
  try {
    matcher = new Matcher(compilePattern(text, '', 'whole'))
  } catch (error) {
    if (!(error instanceof IllegalArgumentError)) throw error
    throw new IllegalArgumentError(
      `Pattern [${text}] of type [regex] is invalid. Cannot create dynamic template [${template}].`,
      { causedBy: error.record },
    )
  }
  return {
    matches(name) {
      matcher.reset(name)
      return matcher.find(0)
    },
  }
}
