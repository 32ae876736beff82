/** Any number of characters, and any one. */
const MANY = '*'
const ONE = '?'

/**
 * A pattern of a role: `*` is any number of characters, `?` any one. Texts of the user that are put in for
 * `${…}` are taken as they are: nobody called `*` may see everything.
 */
export class RolePattern {
  /** Characters, with null for any number of them and '' for any one. */
  readonly #signs: readonly (string | null)[]
  /** The only name that it matches; null for a pattern of several. */
  readonly #sole: string | null

  /**
   * @param value of a name within `${…}`; null: there is none, and the pattern matches nothing
   */
  constructor(pattern: string, value: (name: string) => string | null = () => null) {
    const signs: (string | null)[] = []
    let isEmpty = false
    for (const part of pattern.split(/(\$\{[^}]*\})/)) {
      const name = /^\$\{([^}]*)\}$/.exec(part)?.[1]
      const found = name === undefined ? null : value(name)
      if (name !== undefined && found === null) isEmpty = true
      else if (found !== null) signs.push(...found)
      else for (const sign of part) signs.push(sign === MANY ? null : sign === ONE ? '' : sign)
    }
    this.#signs = isEmpty ? [] : signs
    this.#sole = signs.some(sign => sign === null || sign === '') ? null : signs.join('')
    // Names are never empty.
    if (isEmpty) this.#sole = ''
  }

  /** Whether it matches a whole name; quadratic in their lengths at worst. */
  matches(name: string): boolean {
    if (this.#sole !== null) return this.#sole === name && name !== ''
    const signs = this.#signs
    let at = 0
    let sign = 0
    let lastMany = -1
    let resume = 0
    while (at < name.length) {
      const wanted = signs[sign]
      if (wanted === null) {
        lastMany = sign++
        resume = at
      } else if (wanted === '' || (wanted !== undefined && name.startsWith(wanted, at))) {
        at += wanted === '' ? 1 : wanted.length
        sign++
      } else if (lastMany >= 0) {
        sign = lastMany + 1
        at = ++resume
      } else return false
    }
    while (signs[sign] === null) sign++
    return sign === signs.length
  }
}
