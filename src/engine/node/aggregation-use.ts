/** How often aggregations were asked for, since the start. */
export class AggregationUse {
  readonly #counts = new Map<string, Map<string, number>>()

  /** @param values the category of the values: `numeric`, `bytes`, `other` … */
  note(type: string, values: string): void {
    let own = this.#counts.get(type)
    if (own === undefined) {
      own = new Map()
      this.#counts.set(type, own)
    }
    own.set(values, (own.get(values) ?? 0) + 1)
  }

  /** Counts by type and category of values, in order of type. */
  counts(): ReadonlyMap<string, ReadonlyMap<string, number>> {
    return new Map([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}
