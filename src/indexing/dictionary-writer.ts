import type { FieldPostings } from '../codec/postings/writer.ts'
import { TermsWriter } from '../codec/terms/writer.ts'

/** Writes the terms of a field with ordinals and without postings. */
export class DictionaryWriter {
  readonly #terms = new TermsWriter(0)

  add(bytes: Uint8Array, start: number, end: number, docFreq: number): void {
    this.#terms.startTerm(bytes, start, end, { firstBlock: 0, tailAt: 0, positionsAt: 0 })
    this.#terms.entries.varint(docFreq)
  }

  finish(sumDocFreq: number): FieldPostings {
    return {
      terms: this.#terms.finish(),
      postings: new Uint8Array(0),
      positions: null,
      termCount: this.#terms.termCount,
      sumDocFreq,
      sumTotalTermFreq: sumDocFreq,
    }
  }
}
