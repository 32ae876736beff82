/** How often each kind was drawn, and how often it had something to tell. */
import type { Agg, Aggs } from './kind.ts'
import { KINDS, PIPELINES } from './kinds.ts'

/** Counters by kind. */
export class KindCounts {
  readonly #counts = new Map<string, { drawn: number; told: number }>()

  constructor() {
    for (const kind of [...Object.keys(KINDS), ...Object.keys(PIPELINES)])
      this.#counts.set(kind, { drawn: 0, told: 0 })
  }

  add(aggs: Aggs, told: ReadonlySet<Agg>): void {
    for (const agg of Object.values(aggs)) {
      const count = this.#counts.get(agg.kind)!
      count.drawn++
      if (told.has(agg)) count.told++
      this.add(agg.children, told)
    }
  }

  /** The kinds that were drawn or told too rarely. */
  rarerThan(drawn: number, told: number): readonly string[] {
    return [...this.#counts]
      .filter(([, count]) => count.drawn < drawn || count.told < told)
      .map(([kind, count]) => `${kind}: ${count.drawn} drawn, ${count.told} told`)
  }

  toString(): string {
    return [...this.#counts].map(([kind, { drawn, told }]) => `${kind} ${drawn}/${told}`).join(', ')
  }
}
