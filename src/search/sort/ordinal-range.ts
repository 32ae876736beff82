import type { OrdinalsReader } from '../../codec/doc-values/reader.ts'
import type { TermsReader } from '../../codec/terms/reader.ts'

/** Ordinals of documents, as levels of a sort read them. */
export type DocOrdinals = Pick<OrdinalsReader, 'advanceExact' | 'valueCount' | 'ord'>

/** Those of a document's ordinals whose terms begin alike: they stand in a row. */
export class OrdinalRange implements DocOrdinals {
  readonly #ordinals: OrdinalsReader
  readonly #start: number
  readonly #end: number
  #first = 0
  #count = 0

  /** @param prefix of the terms, not empty, its last byte below 0xff */
  constructor(ordinals: OrdinalsReader, terms: TermsReader, prefix: Uint8Array) {
    this.#ordinals = ordinals
    this.#start = terms.ceilingOf(prefix)
    const behind = prefix.slice()
    behind[behind.length - 1]!++
    this.#end = terms.ceilingOf(behind)
  }

  advanceExact(docId: number): boolean {
    const ordinals = this.#ordinals
    if (!ordinals.advanceExact(docId)) return false
    const all = ordinals.valueCount()
    let first = 0
    while (first < all && ordinals.ord(first) < this.#start) first++
    let end = first
    while (end < all && ordinals.ord(end) < this.#end) end++
    this.#first = first
    this.#count = end - first
    return end > first
  }

  valueCount(): number {
    return this.#count
  }

  ord(index: number): number {
    return this.#ordinals.ord(this.#first + index)
  }
}
