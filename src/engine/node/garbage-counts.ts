import { constants, PerformanceObserver } from 'node:perf_hooks'
import type { CollectionCounts, MachineUse } from '../api/machine.ts'

type Counts = { -readonly [K in keyof CollectionCounts]: CollectionCounts[K] }

/** Counts the garbage collections of the calling thread until it is closed. */
export class GarbageCounts {
  readonly #young: Counts = { count: 0, timeInMillis: 0 }
  readonly #old: Counts = { count: 0, timeInMillis: 0 }
  readonly #observer = new PerformanceObserver(list => this.#add(list.getEntries()))

  constructor() {
    this.#observer.observe({ entryTypes: ['gc'] })
  }

  /** Collections of short-lived objects, and of all others. */
  counts(): MachineUse['collections'] {
    this.#add(this.#observer.takeRecords())
    return { young: { ...this.#young }, old: { ...this.#old } }
  }

  close(): void {
    this.#observer.disconnect()
  }

  #add(entries: readonly { readonly duration: number; readonly detail?: unknown }[]): void {
    for (const { duration, detail } of entries) {
      const { kind } = detail as { readonly kind: number }
      const isYoung = kind === constants.NODE_PERFORMANCE_GC_MINOR
      const counts = isYoung ? this.#young : this.#old
      counts.count++
      counts.timeInMillis += duration
    }
  }
}
