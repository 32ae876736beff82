/** Names and patterns of templates: what they may be, and how calls choose some by them. */
import { EngineError, validationFailed } from '../../util/errors.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import type { Templates } from '../metadata/template.ts'

/**
 * Templates whose names are asked for, in order of name; all without names.
 * @param missing makes the error of a name without `*` that there is none of; null passes it
 */
export function chosen<T>(
  templates: Templates<T>,
  names: readonly string[],
  missing: ((name: string) => EngineError) | null,
): (readonly [name: string, template: T])[] {
  const sorted = [...templates].sort(([a], [b]) => (a < b ? -1 : 1))
  if (names.length === 0) return sorted
  for (const name of names)
    if (!name.includes('*') && !templates.has(name) && missing !== null) throw missing(name)
  return sorted.filter(([name]) => names.some(pattern => matchesWildcard(pattern, name)))
}

/** 404: no template of a name, for a deletion. */
export function templateMissing(name: string): EngineError {
  return new EngineError({
    type: 'index_template_missing_exception',
    reason: `index_template [${name}] missing`,
  })
}

/**
 * Refuses a name or patterns that no template may have.
 * @throws {EngineError} `invalid_index_template_exception`, all faults in one
 */
export function checkTemplateName(name: string, patterns: readonly string[]): void {
  const faults: string[] = []
  if (name.includes(' ')) faults.push('name must not contain a space')
  if (name.includes(',')) faults.push("name must not contain a ','")
  if (name.includes('#')) faults.push("name must not contain a '#'")
  if (name.includes('*')) faults.push("name must not contain a '*'")
  if (name.startsWith('_')) faults.push("name must not start with '_'")
  if (name !== name.toLowerCase()) faults.push('name must be lower cased')
  for (const pattern of patterns) {
    if (pattern.includes(' ')) faults.push('index_patterns must not contain a space')
    if (pattern.includes(',')) faults.push("index_pattern must not contain a ','")
    if (pattern.includes('#')) faults.push("index_pattern must not contain a '#'")
    if (pattern.includes(':')) faults.push("index_pattern must not contain a ':'")
    if (pattern.startsWith('_')) faults.push("index_pattern must not start with '_'")
    const bad = /[\\/?"<>|]/.test(pattern)
    if (bad)
      faults.push(
        `template must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]`,
      )
  }
  if (faults.length > 0) throw invalidTemplate(name, validationFailed(faults).message)
}

/** 400: a template that cannot be. */
export function invalidTemplate(name: string, cause: string): EngineError {
  return new EngineError({
    type: 'invalid_index_template_exception',
    reason: `index_template [${name}] invalid, cause [${cause}]`,
  })
}
