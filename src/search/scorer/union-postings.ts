import { NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import type { PositionPostings } from './freq-postings.ts'

/**
 * The union of several terms' postings as one term's: frequencies summed, positions merged. A
 * position of two terms occurs twice.
 */
export class UnionPostings implements PositionPostings {
  readonly #all: readonly PositionPostings[]
  /** A heap by document, valid after the first move. */
  readonly #heap: PositionPostings[]
  #doc = -1
  /** Positions of `#positionsDoc`, ascending; those before `#next` are consumed. */
  #positions = new Int32Array(16)
  #positionsDoc = -1
  #next = 0

  /** @param postings min one, all of one field, none moved yet, not shared */
  constructor(postings: readonly PositionPostings[]) {
    this.#all = postings
    this.#heap = [...postings]
  }

  docId(): number {
    return this.#doc
  }

  cost(): number {
    let sum = 0
    for (const postings of this.#all) sum += postings.cost()
    return sum
  }

  nextDoc(): number {
    return this.advance(this.#doc + 1)
  }

  advance(target: number): number {
    const heap = this.#heap
    for (;;) {
      const top = heap[0]!
      if (top.docId() >= target) return (this.#doc = top.docId())
      top.advance(target)
      this.#sift()
    }
  }

  #sift(): void {
    const heap = this.#heap
    const moved = heap[0]!
    const doc = moved.docId()
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && heap[child + 1]!.docId() < heap[child]!.docId()) child++
      if (heap[child]!.docId() >= doc) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = moved
  }

  freq(): number {
    const doc = this.#doc
    let sum = 0
    for (const postings of this.#all) if (postings.docId() === doc) sum += postings.freq()
    return sum
  }

  nextPosition(): number {
    if (this.#positionsDoc !== this.#doc) this.#collect()
    return this.#positions[this.#next++]!
  }

  #collect(): void {
    const doc = this.#doc
    const freq = this.freq()
    if (this.#positions.length < freq) this.#positions = new Int32Array(2 * freq)
    let count = 0
    let owners = 0
    for (const postings of this.#all) {
      if (postings.docId() !== doc) continue
      owners++
      for (let left = postings.freq(); left > 0; left--)
        this.#positions[count++] = postings.nextPosition()
    }
    if (owners > 1) this.#positions.subarray(0, count).sort()
    this.#positionsDoc = doc
    this.#next = 0
  }

  shallowAdvance(target: number): number {
    let end = NO_MORE_DOCS
    for (const postings of this.#all) {
      const from = Math.max(target, postings.docId())
      if (from !== NO_MORE_DOCS) end = Math.min(end, postings.shallowAdvance(from))
    }
    return Math.max(end, target)
  }

  maxImpact(upTo: number): number {
    let sum = 0
    for (const postings of this.#all)
      if (postings.docId() !== NO_MORE_DOCS) sum += postings.maxImpact(upTo)
    return sum
  }
}
