import type { Leaf } from '../../segment/leaf.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { NumberColumn } from '../number-column.ts'
import type { NumberSource } from '../value-source.ts'

/**
 * Takes a place of a document.
 * @param index of the document in its batch, ascending
 * @param owner the document's owning bucket
 * @param lat quantised latitude, a signed integer of 32 bits; `lon` likewise
 */
export type VisitPlace = (index: number, owner: number, lat: number, lon: number) => void

/** Reads places of the documents of batches. */
export interface PlaceReader {
  /** Whether no document of the open leaf has a place. */
  readonly isEmpty: boolean
  openLeaf(leaf: Leaf): void
  /** Visits the places of a batch, those of a document side by side. */
  forEach(batch: BucketBatch, visit: VisitPlace): void
}

/** The places of the documents of batches. */
export class PlaceColumn implements PlaceReader {
  readonly #column: NumberColumn

  /** @param places integers: quantised latitudes in the upper halves, longitudes in the lower ones */
  constructor(places: NumberSource) {
    this.#column = new NumberColumn(places)
  }

  openLeaf(leaf: Leaf): void {
    this.#column.openLeaf(leaf)
  }

  get isEmpty(): boolean {
    return this.#column.isEmpty
  }

  forEach(batch: BucketBatch, visit: VisitPlace): void {
    const column = this.#column
    if (column.isEmpty) return
    column.read(batch)
    const { count, index, high, low } = column
    const { owners } = batch
    for (let i = 0; i < count; i++) {
      const at = index[i]!
      visit(at, owners === null ? 0 : owners[at]!, high[i]!, low[i]! | 0)
    }
  }
}
