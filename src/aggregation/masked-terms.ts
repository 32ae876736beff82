import type { Leaf } from '../segment/leaf.ts'
import { decodeUtf8 } from '../util/bytes.ts'
import { textMasker } from '../util/text-mask.ts'
import type { MaskedTerms } from './value-source.ts'

/** Texts kept of one leaf. */
const MAX_KEPT = 4096

/** The texts that stand in place of the terms of a leaf's documents. */
export class LeafMaskedTerms {
  readonly #mask: (text: string) => string
  readonly #ordinals: ReturnType<Leaf['ordinals']>
  readonly #terms: ReturnType<Leaf['terms']>
  /** By ordinal: a digest takes longer than the rest of the work with a term. */
  readonly #ofOrd = new Map<number, string>()

  constructor({ field, fieldData, mask }: MaskedTerms, leaf: Leaf) {
    this.#mask = textMasker(mask)
    this.#ordinals = fieldData === null ? leaf.ordinals(field) : leaf.uninverted(field, fieldData)
    this.#terms = leaf.terms(field)
  }

  /** Ascending by term, documents in any order. */
  texts(docId: number): readonly string[] {
    const ordinals = this.#ordinals
    if (this.#terms === null || ordinals?.advanceExact(docId) !== true) return []
    return Array.from({ length: ordinals.valueCount() }, (_, i) => this.#textOf(ordinals.ord(i)))
  }

  #textOf(ord: number): string {
    let text = this.#ofOrd.get(ord)
    if (text === undefined) {
      text = this.#mask(decodeUtf8(this.#terms!.termOfOrd(ord)))
      if (this.#ofOrd.size < MAX_KEPT) this.#ofOrd.set(ord, text)
    }
    return text
  }
}
