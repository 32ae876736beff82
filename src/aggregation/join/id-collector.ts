import type { DocIdIterator } from '../../codec/doc-id-iterator.ts'
import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Weight } from '../../search/weight/weight.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { type AggregationSlice, type Aggregator, NO_NOTES } from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { type BucketKeys, BucketTable } from '../bucket-table.ts'
import type { OrdinalColumn } from '../ordinal-column.ts'
import { idColumn } from './id-column.ts'

/** Lists the ids of the documents of a relation by owning bucket: pairs of a leaf and an ord, each once. */
export class IdCollector implements Aggregator {
  readonly #column: OrdinalColumn
  readonly #weight: Weight
  readonly #slice: AggregationSlice
  readonly #table: BucketTable
  #documents: DocIdIterator | null = null

  /** @param weight matches the documents of the relation */
  constructor(idField: string, weight: Weight, slice: AggregationSlice) {
    this.#column = idColumn(idField)
    this.#weight = weight
    this.#slice = slice
    this.#table = new BucketTable(bytes => slice.charge(bytes))
  }

  openLeaf(leaf: Leaf, leafOrd: number): void {
    this.#column.openLeaf(leaf)
    this.#documents = this.#slice.matches(this.#weight, leaf, leafOrd)
  }

  collect(batch: BucketBatch): void {
    const column = this.#column
    const documents = this.#documents
    if (column.isEmpty || documents === null) return
    column.read(batch)
    const { count, index, ords } = column
    const { docs, owners, leafOrd } = batch
    for (let i = 0; i < count; i++) {
      const at = index[i]!
      const doc = docs[at]!
      let found = documents.docId()
      if (found < doc) found = documents.advance(doc)
      if (found === doc) this.#table.bucketOf(owners === null ? 0 : owners[at]!, leafOrd, ords[i]!)
    }
  }

  finish(): BucketKeys {
    return this.#table.packed()
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}
