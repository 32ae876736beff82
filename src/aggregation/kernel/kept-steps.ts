/** Steps of columns that were found before: dashboards ask the same of the same segments again and again. */

/** Values that take room by their size; the ones used longest ago make place. */
export class KeptSteps<V extends { readonly count: number }> {
  readonly #limit: number
  readonly #kept = new Map<string, V>()
  #size = 0

  /** @param limit steps of all values together; a value may have an eighth of it */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** A value that was kept; null: there is none. */
  find(name: string): V | null {
    const value = this.#kept.get(name)
    if (value === undefined) return null
    this.#kept.delete(name)
    this.#kept.set(name, value)
    return value
  }

  /** Keeps a value under a name that has none. */
  keep(name: string, value: V): void {
    if (value.count > this.#limit / 8) return
    this.#kept.set(name, value)
    this.#size += value.count
    for (const [oldest, { count }] of this.#kept) {
      if (this.#size <= this.#limit) return
      this.#kept.delete(oldest)
      this.#size -= count
    }
  }
}
