import { RolePattern } from './role-pattern.ts'

/** Marks a pattern of fields that are hidden; the second one is an older form. */
const HIDES = /^[~!]/

/** Multi-fields of this name are named by their field. */
const KEYWORD = '.keyword'

/** Paths whose answers are kept. */
const MOST_KEPT = 10_000

/**
 * The fields that the patterns of one or more roles leave to be seen. A field that stands in an object is seen as the
 * object is. Where any pattern hides fields, those that show some are passed over, as on the real server.
 */
export class FieldRule {
  /** Rules of one key are the same. */
  readonly key: string
  /** Whether nothing is hidden. */
  readonly seesAll: boolean
  /** Whether the patterns name what is hidden, or what is seen. */
  readonly #hides: boolean
  readonly #patterns: readonly RolePattern[]
  /** Of the objects around fields that are seen. */
  readonly #around: readonly RolePattern[]
  readonly #known = new Map<string, boolean>()

  /**
   * @param patterns min one
   * @throws {IllegalArgumentError} a pattern that cannot be read
   */
  constructor(patterns: readonly string[]) {
    const distinct = [...new Set(patterns)].sort()
    const hiding = distinct.filter(pattern => HIDES.test(pattern))
    this.key = JSON.stringify(distinct)
    this.#hides = hiding.length > 0
    const effective = this.#hides ? hiding.map(pattern => pattern.slice(1)) : distinct
    this.seesAll = !this.#hides && effective.includes('*')
    this.#patterns = effective.map(patternOf)
    this.#around = this.#hides ? [] : effective.flatMap(outerNames).map(patternOf)
  }

  /** Whether a field or an object is seen. */
  sees(path: string): boolean {
    let isSeen = this.#known.get(path)
    if (isSeen === undefined) {
      isSeen = this.#hides !== namesAround(path).some(name => this.#names(name))
      if (this.#known.size >= MOST_KEPT) this.#known.clear()
      this.#known.set(path, isSeen)
    }
    return isSeen
  }

  /** Whether an object that is not seen is shown for what is seen in it. */
  showsAround(path: string): boolean {
    return this.#around.some(pattern => pattern.matches(path))
  }

  /** Whether something within a field that is seen may be hidden. */
  mayHideWithin(path: string): boolean {
    return this.#hides && this.#patterns.some(pattern => pattern.mayMatchBehind(`${path}.`))
  }

  #names(name: string): boolean {
    const field = name.endsWith(KEYWORD) ? name.slice(0, -KEYWORD.length) : null
    return this.#patterns.some(
      pattern => pattern.matches(name) || (field !== null && pattern.matches(field)),
    )
  }
}

/** Names of users are not put in: fields are those of every user of a role. */
function patternOf(pattern: string): RolePattern {
  return new RolePattern(pattern, name => `\${${name}}`)
}

/** A path with those of the objects around it. */
export function namesAround(path: string): readonly string[] {
  const names = [path]
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1))
    names.push(path.slice(0, dot))
  return names
}

/** Patterns of the objects that a pattern of fields names; a regular expression names none. */
function outerNames(pattern: string): readonly string[] {
  return pattern.startsWith('/') ? [] : namesAround(pattern).slice(1)
}
