/** Numbers that come one by one, of which the first in some order are wanted. */
export class SelectedOrder {
  readonly #compare: (a: number, b: number) => number
  readonly #items: number[] = []

  /** @param compare a total order: no two numbers are equal */
  constructor(compare: (a: number, b: number) => number) {
    this.#compare = compare
  }

  add(item: number): void {
    this.#items.push(item)
  }

  get count(): number {
    return this.#items.length
  }

  /** All, in order. */
  all(): readonly number[] {
    return this.#items.sort(this.#compare)
  }

  /** The first of them, in order. A heap of those that are wanted costs less than sorting all. */
  first(count: number): readonly number[] {
    const items = this.#items
    if (count === 0) return []
    if (items.length <= 2 * count) return this.all().slice(0, count)
    // The last in order of those kept stands on top.
    const heap = items.slice(0, count).sort((a, b) => this.#compare(b, a))
    for (let i = count; i < items.length; i++)
      if (this.#compare(items[i]!, heap[0]!) < 0) this.#replaceTop(heap, items[i]!)
    return heap.sort(this.#compare)
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
