/** Templates of policies held against what index names may be, and against each other. */
import { EngineError } from '../../../util/errors.ts'
import { patternsOverlap } from '../../../util/wildcard.ts'
import type { IsmTemplate, Policy } from './policy.ts'

/** Characters that no index name has. */
const INVALID = ['\\', '/', '*', '?', '"', '<', '>', '|', ' ', ',']

/**
 * Refuses templates that could not match an index, or that contend with others.
 * @param others templates of other policies count alone
 * @throws {EngineError} `index_management_exception`
 */
export function checkTemplates(policy: Policy, others: Iterable<Policy>): void {
  const { id, templates } = policy
  if (templates === null) return
  const faults = faultsOf(templates.flatMap(({ indexPatterns }) => indexPatterns))
  if (faults.length > 0) {
    const reason = `Validation Failed: ${faults.map((fault, i) => `${i + 1}: ${fault};`).join('')}`
    throw refused(reason, `org.opensearch.common.ValidationException: ${reason}`)
  }
  checkAmongThemselves(id, templates)
  // The others outside: they can be gone through once alone.
  for (const other of others)
    for (const template of templates)
      if (other.id !== id && (other.templates ?? []).some(each => contend(template, each)))
        throw conflict(
          `New policy ${id} has an ISM template with index pattern ${list(template.indexPatterns)} ` +
            'matching existing policy templates, please use a different priority than ' +
            `${template.priority}`,
        )
}

function checkAmongThemselves(id: string, templates: readonly IsmTemplate[]): void {
  for (const [i, template] of templates.entries()) {
    const rivals = templates.slice(i + 1).filter(other => other.priority === template.priority)
    const patterns = rivals.flatMap(({ indexPatterns }) => indexPatterns)
    if (patternsOverlap(template.indexPatterns, patterns))
      throw conflict(
        `New policy ${id} has an ISM template with index pattern ${list(template.indexPatterns)} ` +
          `matching this policy's other ISM templates with index patterns ${list(patterns)},` +
          ' please use different priority',
      )
  }
}

function contend(one: IsmTemplate, other: IsmTemplate): boolean {
  return one.priority === other.priority && patternsOverlap(one.indexPatterns, other.indexPatterns)
}

function faultsOf(patterns: readonly string[]): string[] {
  const faults: string[] = []
  for (const pattern of patterns) {
    const isExclusion = pattern.startsWith('-')
    const name = isExclusion ? pattern.slice(1) : pattern
    if (isExclusion && name === '')
      faults.push(`index_pattern [${pattern}] must have content after '-' exclusion prefix`)
    if (name.includes('#')) faults.push(`index_pattern [${pattern}] must not contain a '#'`)
    if (name.includes(':')) faults.push(`index_pattern [${pattern}] must not contain a ':'`)
    if (name.startsWith('_')) faults.push(`index_pattern [${pattern}] must not start with '_'`)
    if (INVALID.some(char => char !== '*' && name.includes(char)))
      faults.push(
        `index_pattern [${pattern}] must not contain the following characters ${list(INVALID)}`,
      )
  }
  if (patterns.every(pattern => pattern.startsWith('-')))
    faults.push(
      'index_patterns must contain at least one inclusion pattern (patterns cannot be all exclusions)',
    )
  return faults
}

function list(texts: readonly string[]): string {
  return `[${texts.join(', ')}]`
}

function conflict(reason: string): EngineError {
  return refused(reason, `java.lang.IllegalArgumentException: ${reason}`)
}

function refused(reason: string, cause: string): EngineError {
  return new EngineError({
    type: 'index_management_exception',
    reason,
    causedBy: { type: 'exception', reason: cause },
  })
}
