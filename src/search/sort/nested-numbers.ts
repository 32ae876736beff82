import { compareLongs } from '../../codec/doc-values/long-column.ts'
import type { NestedDocs } from './nested-docs.ts'
import type { SortMode } from './sort-key.ts'

/** Numbers of documents, as `NumericValuesReader` has them: sortable integers in halves. */
export interface DocNumbers {
  /** Moves to a document and selects its first value; false when it has none. */
  advanceExact(docId: number): boolean
  valueCount(): number
  select(index: number): void
  hi(): number
  lo(): number
}

/**
 * The numbers of a hit's nested documents as if they were its own: all of them in the order of the
 * documents, or the smallest or largest alone where the mode wants no other.
 */
export class NestedNumbers implements DocNumbers {
  readonly #numbers: DocNumbers
  readonly #docs: NestedDocs
  readonly #maxChildren: number
  /** 1: the largest counts; −1: the smallest; 0: all do. */
  readonly #extreme: -1 | 0 | 1
  #hi: number[] = []
  #lo: number[] = []
  #at = 0

  /** @param maxChildren how many documents with a value are read of each hit */
  constructor(numbers: DocNumbers, docs: NestedDocs, mode: SortMode, maxChildren: number) {
    this.#numbers = numbers
    this.#docs = docs
    this.#maxChildren = maxChildren
    this.#extreme = mode === 'min' ? -1 : mode === 'max' ? 1 : 0
  }

  advanceExact(hit: number): boolean {
    this.#hi.length = 0
    this.#lo.length = 0
    this.#at = 0
    let left = this.#maxChildren
    for (let doc = this.#docs.first(hit); doc >= 0 && left > 0; doc = this.#docs.next())
      if (this.#numbers.advanceExact(doc)) {
        left--
        this.#take()
      }
    return this.#hi.length > 0
  }

  /** Takes the values of the nested document that the numbers stand on. */
  #take(): void {
    const numbers = this.#numbers
    const count = numbers.valueCount()
    for (let i = 0; i < count; i++) {
      numbers.select(i)
      const hi = numbers.hi()
      const lo = numbers.lo()
      if (this.#extreme === 0 || this.#hi.length === 0) {
        this.#hi.push(hi)
        this.#lo.push(lo)
      } else if (compareLongs(hi, lo, this.#hi[0]!, this.#lo[0]!) * this.#extreme > 0) {
        this.#hi[0] = hi
        this.#lo[0] = lo
      }
    }
  }

  valueCount(): number {
    return this.#hi.length
  }

  select(index: number): void {
    this.#at = index
  }

  hi(): number {
    return this.#hi[this.#at]!
  }

  lo(): number {
    return this.#lo[this.#at]!
  }
}
