/** Names of repositories and snapshots: what they may be, and which of them a request means. */
import { matchesWildcard } from '../../util/wildcard.ts'
import { invalidName, repositoryError } from './snapshot-errors.ts'

/** Characters that names of files may not have everywhere, as the real server prints them. */
const FORBIDDEN = /[\\/*?"<>|,\s]/
const FORBIDDEN_TEXT = 'must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]'
const MAX_NAME_BYTES = 255

/**
 * Refuses a name that no snapshot may have.
 * @throws {EngineError} `invalid_snapshot_name_exception`
 */
export function checkSnapshotName(repository: string, name: string): void {
  const refuse = (text: string): Error => invalidName(repository, name, text)
  if (name === '') throw refuse('cannot be empty')
  if (/\s/.test(name)) throw refuse('must not contain whitespace')
  if (name.includes(',')) throw refuse("must not contain ','")
  if (name.includes('#')) throw refuse("must not contain '#'")
  if (name.startsWith('_')) throw refuse("must not start with '_'")
  if (name !== name.toLowerCase()) throw refuse('must be lowercase')
  if (FORBIDDEN.test(name) || hasControls(name)) throw refuse(FORBIDDEN_TEXT)
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw refuse(`name is too long, (${Buffer.byteLength(name)} > ${MAX_NAME_BYTES})`)
}

/**
 * Refuses a name that no repository may have.
 * @throws {EngineError} `repository_exception`
 */
export function checkRepositoryName(name: string): void {
  if (name === '') throw repositoryError(name, 'cannot be empty')
  if (name.includes('#')) throw repositoryError(name, "must not contain '#'")
  if (FORBIDDEN.test(name) || hasControls(name)) throw repositoryError(name, FORBIDDEN_TEXT)
  if (Buffer.byteLength(name) > MAX_NAME_BYTES)
    throw repositoryError(
      name,
      `name is too long, (${Buffer.byteLength(name)} > ${MAX_NAME_BYTES})`,
    )
}

function hasControls(name: string): boolean {
  for (let i = 0; i < name.length; i++)
    if (name.charCodeAt(i) < 0x20 || name.charCodeAt(i) === 0x7f) return true
  return false
}

/** Whether names of a request mean everything there is. */
export function meansAll(names: readonly string[]): boolean {
  return names.length === 0 || (names.length === 1 && (names[0] === '_all' || names[0] === '*'))
}

/**
 * Those of some names that a request means, without repeats.
 * @param given   names, patterns with `*`, exclusions `-x` after a pattern
 * @param known   in the order in which they are returned
 * @param missing called with each given name that is not known; throws to give up
 */
export function chosenNames(
  given: readonly string[],
  known: readonly string[],
  missing: (name: string) => void,
): string[] {
  if (meansAll(given)) return [...known]
  const chosen = new Set<string>()
  let hadPattern = false
  for (const name of given) {
    if (hadPattern && name.startsWith('-') && name.length > 1) {
      for (const each of known) if (matchesWildcard(name.slice(1), each)) chosen.delete(each)
    } else if (name === '_all' || name.includes('*')) {
      hadPattern = true
      const pattern = name === '_all' ? '*' : name
      for (const each of known) if (matchesWildcard(pattern, each)) chosen.add(each)
    } else if (known.includes(name)) chosen.add(name)
    else missing(name)
  }
  return known.filter(name => chosen.has(name))
}
