/** Values of a derived field that were emitted ahead of a search, as its slices read them. */
import { assert } from '../../util/assert.ts'
import type { EmittedDocs, EmittedSource } from './derived-values.ts'
import type { ScriptedValues } from './leaf-script.ts'

/** The values of one leaf, asked for documents in any order. */
export class EmittedLeafValues implements ScriptedValues {
  readonly #emitted: EmittedDocs
  #next = 0

  constructor({ found }: EmittedSource, leafOrd: number) {
    assert(found !== null, 'values are emitted before they are read')
    this.#emitted = found[leafOrd]!
  }

  numbers(docId: number): readonly number[] {
    const at = this.#indexOf(docId)
    const { starts, numbers } = this.#emitted
    return at < 0 ? [] : [...numbers.subarray(starts[at], starts[at + 1])]
  }

  texts(docId: number): readonly string[] {
    const at = this.#indexOf(docId)
    const { starts, texts } = this.#emitted
    return at < 0 ? [] : texts.slice(starts[at], starts[at + 1])
  }

  /** −1: the document has none. Documents are mostly asked for in order. */
  #indexOf(docId: number): number {
    const { docs } = this.#emitted
    if (docs[this.#next] === docId) return this.#next++
    let low = 0
    let high = docs.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (docs[middle]! < docId) low = middle + 1
      else high = middle
    }
    this.#next = low + 1
    return docs[low] === docId ? low : -1
  }
}
