/**
 * Spans in a binary heap, by start, then end. Of equal ones the heap's own steps decide which comes
 * first, and a search that moves the first on finds other spans behind it: so the steps are those of
 * Lucene's `PriorityQueue`.
 */

/** Where spans stand; both move on. */
interface Extent {
  readonly start: number
  readonly end: number
}

/** A heap of so many spans; they move while they are in it. */
export class SpanQueue<Spans extends Extent> {
  /** The first element is unused; children of `i` stand at 2i and 2i + 1. */
  readonly #heap: Spans[]
  #size = 0

  /** @param all that will be in it; at least one */
  constructor(all: readonly Spans[]) {
    this.#heap = [all[0]!, ...all]
  }

  clear(): void {
    this.#size = 0
  }

  /** The first of them; there is one. */
  top(): Spans {
    return this.#heap[1]!
  }

  add(spans: Spans): void {
    const heap = this.#heap
    let at = ++this.#size
    for (let up = at >>> 1; up > 0 && isAhead(spans, heap[up]!); up >>>= 1) {
      heap[at] = heap[up]!
      at = up
    }
    heap[at] = spans
  }

  /** Finds the first again after it has moved. */
  updateTop(): void {
    const heap = this.#heap
    const spans = heap[1]!
    let at = 1
    for (let down = this.#lower(1); down > 0 && isAhead(heap[down]!, spans); ) {
      heap[at] = heap[down]!
      at = down
      down = this.#lower(at)
    }
    heap[at] = spans
  }

  /** The child that is ahead of the other; 0: there is none. */
  #lower(at: number): number {
    const left = at << 1
    if (left > this.#size) return 0
    const right = left + 1
    return right <= this.#size && isAhead(this.#heap[right]!, this.#heap[left]!) ? right : left
  }
}

function isAhead(a: Extent, b: Extent): boolean {
  return a.start < b.start || (a.start === b.start && a.end < b.end)
}
