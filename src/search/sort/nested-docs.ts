import type { DocIdIterator } from '../../codec/doc-id-iterator.ts'
import type { Leaf } from '../../segment/leaf.ts'

/** Opens the nested documents that a level of the sort reads, by its index; null where the leaf has none. */
export type OpenNestedDocs = (level: number, leaf: Leaf, leafOrd: number) => NestedDocs | null

/**
 * The nested documents of hits that a level of the sort accepts, in one leaf. Hits come in ascending
 * order; the nested documents of a hit stand right before it.
 */
export class NestedDocs {
  readonly #docs: DocIdIterator
  readonly #parents: { previous(docId: number): number }
  #hit = -1

  /**
   * @param docs    accepted nested documents of the whole leaf
   * @param parents the documents that hits may be
   */
  constructor(docs: DocIdIterator, parents: { previous(docId: number): number }) {
    this.#docs = docs
    this.#parents = parents
  }

  /** Moves to a hit and returns its first accepted document; −1: it has none. */
  first(hit: number): number {
    this.#hit = hit
    const from = hit === 0 ? 0 : this.#parents.previous(hit - 1) + 1
    const at = this.#docs.docId()
    const doc = at < from ? this.#docs.advance(from) : at
    return doc < hit ? doc : -1
  }

  /** The hit's next accepted document; −1: there is none. */
  next(): number {
    const doc = this.#docs.nextDoc()
    return doc < this.#hit ? doc : -1
  }
}
