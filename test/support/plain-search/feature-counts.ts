/** How often each query, sort and option was drawn, and how often its search found something. */

/** Counters by feature. */
export class FeatureCounts {
  readonly #counts: ReadonlyMap<string, { drawn: number; found: number }>

  constructor(features: readonly string[]) {
    this.#counts = new Map(features.map(name => [name, { drawn: 0, found: 0 }]))
  }

  add(features: readonly string[], found: boolean): void {
    for (const name of new Set(features)) {
      const count = this.#counts.get(name)
      if (count === undefined) throw new Error(`${name} is not counted`)
      count.drawn++
      if (found) count.found++
    }
  }

  /** The features that were drawn or found something too rarely. */
  rarerThan(drawn: number, found: number): readonly string[] {
    return [...this.#counts]
      .filter(([, count]) => count.drawn < drawn || count.found < found)
      .map(([name, count]) => `${name}: ${count.drawn} drawn, ${count.found} found`)
  }

  toString(): string {
    return [...this.#counts]
      .map(([name, { drawn, found }]) => `${name} ${drawn}/${found}`)
      .join(', ')
  }
}
