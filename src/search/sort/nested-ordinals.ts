import type { NestedDocs } from './nested-docs.ts'
import type { DocOrdinals } from './ordinal-range.ts'

/** The smallest or largest ordinal of a hit's nested documents. */
export class NestedOrdinals {
  readonly #ordinals: DocOrdinals
  readonly #docs: NestedDocs
  readonly #isMax: boolean
  readonly #maxChildren: number

  /** @param maxChildren how many documents with a value are read of each hit */
  constructor(ordinals: DocOrdinals, docs: NestedDocs, mode: 'min' | 'max', maxChildren: number) {
    this.#ordinals = ordinals
    this.#docs = docs
    this.#isMax = mode === 'max'
    this.#maxChildren = maxChildren
  }

  /** −1: there is no value. */
  ordOf(hit: number): number {
    let best = -1
    let left = this.#maxChildren
    for (let doc = this.#docs.first(hit); doc >= 0 && left > 0; doc = this.#docs.next()) {
      const ordinals = this.#ordinals
      if (!ordinals.advanceExact(doc)) continue
      left--
      const ord = ordinals.ord(this.#isMax ? ordinals.valueCount() - 1 : 0)
      if (best < 0 || ord > best === this.#isMax) best = ord
    }
    return best
  }
}
