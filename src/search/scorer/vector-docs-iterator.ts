import type { DenseVectorsReader } from '../../codec/dense-vectors/reader.ts'
import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'

/** The documents of a leaf that have a vector. */
export class VectorDocsIterator implements DocIdIterator {
  readonly #vectors: DenseVectorsReader
  #doc = -1
  #ord = -1

  constructor(vectors: DenseVectorsReader) {
    this.#vectors = vectors
  }

  /** The vector of the current document. */
  get ord(): number {
    return this.#ord
  }

  docId(): number {
    return this.#doc
  }

  nextDoc(): number {
    return this.#moveTo(this.#ord + 1)
  }

  advance(target: number): number {
    return this.#moveTo(this.#vectors.lowerBound(target, Math.min(this.#ord + 1, this.cost())))
  }

  cost(): number {
    return this.#vectors.count
  }

  #moveTo(ord: number): number {
    this.#ord = ord
    return (this.#doc = ord < this.#vectors.count ? this.#vectors.docOf(ord) : NO_MORE_DOCS)
  }
}
