import type { NumericValuesReader } from '../codec/doc-values/reader.ts'
import type { MatchBatch } from '../search/collector/gather.ts'
import { BATCH_DOCS } from '../search/collector/gather.ts'
import type { Leaf } from '../segment/leaf.ts'

/** The metadata field of the weights. */
export const DOC_COUNT_FIELD = '_doc_count'

/** The weights of documents in counts. */
export class DocCounts {
  #reader: NumericValuesReader | null = null
  readonly #weights = new Float64Array(BATCH_DOCS)

  openLeaf(leaf: Leaf): void {
    this.#reader =
      leaf.fieldInfo(DOC_COUNT_FIELD) === null ? null : leaf.numericValues(DOC_COUNT_FIELD)
  }

  /** Whether documents of the leaf have weights other than 1. */
  get isPresent(): boolean {
    return this.#reader !== null
  }

  /** The weight of a document. */
  at(doc: number): number {
    const reader = this.#reader
    return reader?.advanceExact(doc) === true ? reader.number() : 1
  }

  /** The weights of a batch; null: 1 each. */
  of(batch: MatchBatch): Float64Array | null {
    if (this.#reader === null) return null
    const docs = batch.docs()
    for (let i = 0; i < batch.count; i++) this.#weights[i] = this.at(docs[i]!)
    return this.#weights
  }
}
