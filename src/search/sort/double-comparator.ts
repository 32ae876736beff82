import type { Leaf } from '../../segment/leaf.ts'
import type { Scorer } from '../scorer/scorer.ts'
import type { SortComparator } from './sort-comparator.ts'
import type { AfterValue, SortValue } from './sort-key.ts'

/** By doubles that are no values of a field. */
export abstract class DoubleComparator implements SortComparator {
  readonly #sign: number
  readonly #slots: Float64Array
  readonly #after: number
  #candidate = 0

  constructor(descending: boolean, capacity: number, after: AfterValue | undefined) {
    this.#sign = descending ? -1 : 1
    this.#slots = new Float64Array(capacity)
    this.#after = Number(after ?? 0)
  }

  abstract openLeaf(leaf: Leaf): void

  abstract setScorer(scorer: Pick<Scorer, 'score'>): void

  /** The number of a document of the open leaf. */
  protected abstract read(docId: number): number

  load(docId: number): void {
    this.#candidate = this.read(docId)
  }

  compareSlot(slot: number): number {
    return this.#sign * (this.#candidate - this.#slots[slot]!)
  }

  compareAfter(): number {
    return this.#sign * (this.#candidate - this.#after)
  }

  store(slot: number): void {
    this.#slots[slot] = this.#candidate
  }

  compareSlots(a: number, b: number): number {
    return this.#sign * (this.#slots[a]! - this.#slots[b]!)
  }

  value(slot: number): SortValue {
    return this.#slots[slot]!
  }
}

/** Compares two such values in sort order. */
export function compareDoubles(
  { descending }: { readonly descending: boolean },
  a: SortValue,
  b: SortValue,
): number {
  return (descending ? -1 : 1) * (Number(a) - Number(b))
}
