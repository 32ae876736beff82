import type { SortLevels } from '../sort/sort-levels.ts'
import type { SliceHit } from './collect-spec.ts'

/**
 * The first k documents of each bucket in sort order, ties by lowest document: a binary heap of slots for
 * each bucket, whose last in sort order is on top. Slots of all buckets share their sort levels.
 */
export class SlotHeaps {
  readonly #capacity: number
  readonly #levels: SortLevels
  readonly #heaps: Int32Array
  readonly #counts: Int32Array
  readonly #docs: Float64Array
  readonly #scores: Float64Array

  /**
   * @param capacity k, min 1
   * @param levels   of `buckets` × `capacity` slots
   */
  constructor(buckets: number, capacity: number, levels: SortLevels) {
    const slots = buckets * capacity
    this.#capacity = capacity
    this.#levels = levels
    this.#heaps = new Int32Array(slots)
    this.#counts = new Int32Array(buckets)
    this.#docs = new Float64Array(slots)
    this.#scores = new Float64Array(slots)
  }

  /**
   * Offers the document whose values the levels have loaded.
   * @param globalDoc above those of earlier documents
   * @returns whether it is among the first k now
   */
  offer(bucket: number, globalDoc: number, score: number): boolean {
    const first = bucket * this.#capacity
    const count = this.#counts[bucket]!
    const isFull = count === this.#capacity
    const slot = isFull ? this.#heaps[first]! : first + count
    if (isFull && !this.#levels.isBefore(slot)) return false
    this.#levels.store(slot)
    this.#docs[slot] = globalDoc
    this.#scores[slot] = score
    if (isFull) this.#sink(first, slot)
    else {
      this.#counts[bucket] = count + 1
      this.#rise(first, count, slot)
    }
    return true
  }

  /** The slot of a bucket's last document; −1: it has fewer than k. */
  lastSlot(bucket: number): number {
    return this.#counts[bucket]! < this.#capacity ? -1 : this.#heaps[bucket * this.#capacity]!
  }

  /** The kept documents of a bucket in sort order. */
  hits(bucket: number): SliceHit[] {
    const first = bucket * this.#capacity
    const slots = this.#heaps.slice(first, first + this.#counts[bucket]!)
    return Array.from(
      slots.sort((a, b) => this.#compare(a, b)),
      slot => ({
        globalDoc: this.#docs[slot]!,
        score: this.#scores[slot]!,
        sort: this.#levels.values(slot),
      }),
    )
  }

  #compare(a: number, b: number): number {
    const order = this.#levels.compareSlots(a, b)
    return order !== 0 ? order : this.#docs[a]! - this.#docs[b]!
  }

  #rise(first: number, start: number, slot: number): void {
    const heaps = this.#heaps
    let at = start
    while (at > 0) {
      const parent = (at - 1) >>> 1
      if (this.#compare(heaps[first + parent]!, slot) >= 0) break
      heaps[first + at] = heaps[first + parent]!
      at = parent
    }
    heaps[first + at] = slot
  }

  #sink(first: number, slot: number): void {
    const heaps = this.#heaps
    const count = this.#capacity
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= count) break
      if (child + 1 < count && this.#compare(heaps[first + child + 1]!, heaps[first + child]!) > 0)
        child++
      if (this.#compare(heaps[first + child]!, slot) <= 0) break
      heaps[first + at] = heaps[first + child]!
      at = child
    }
    heaps[first + at] = slot
  }
}
