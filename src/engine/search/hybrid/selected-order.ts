/** Numbers that come one by one, of which the first in some order are wanted. */
export class SelectedOrder {
  readonly #compare: (a: number, b: number) => number
  readonly #items: Int32Array
  #count = 0

  /**
   * @param compare a total order: no two numbers are equal
   * @param most    numbers that may come, integers of 32 bits
   */
  constructor(compare: (a: number, b: number) => number, most: number) {
    this.#compare = compare
    this.#items = new Int32Array(most)
  }

  add(item: number): void {
    this.#items[this.#count++] = item
  }

  get count(): number {
    return this.#count
  }

  /** All, in order. */
  all(): readonly number[] {
    return this.#added(this.#count).sort(this.#compare)
  }

  /** The first of them, in order. A heap of those that are wanted costs less than sorting all. */
  first(count: number): readonly number[] {
    const items = this.#items
    if (count === 0) return []
    if (this.#count <= 2 * count) return this.all().slice(0, count)
    // The last in order of those kept stands on top.
    const heap = this.#added(count).sort((a, b) => this.#compare(b, a))
    for (let i = count; i < this.#count; i++)
      if (this.#compare(items[i]!, heap[0]!) < 0) this.#replaceTop(heap, items[i]!)
    return heap.sort(this.#compare)
  }

  #added(count: number): number[] {
    return Array.from(this.#items.subarray(0, count))
  }

  #replaceTop(heap: number[], item: number): void {
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && this.#compare(heap[child + 1]!, heap[child]!) > 0) child++
      if (this.#compare(heap[child]!, item) <= 0) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = item
  }
}
