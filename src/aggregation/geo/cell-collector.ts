import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { type AggregationSlice, type Aggregator, NO_NOTES } from '../aggregation-type.ts'
import { type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { BucketTable } from '../bucket-table.ts'
import { Doubles } from '../columns.ts'
import type { NumberTermsPartial } from '../terms/number-terms.ts'
import type { NumberSource } from '../value-source.ts'
import { type CellPlan, PlaceCells } from './cells/place-cells.ts'
import { PlaceColumn } from './place-column.ts'

/** Collects a bucket for each cell that documents have places in. */
export class CellCollector implements Aggregator {
  readonly #places: PlaceColumn
  readonly #cells: PlaceCells
  readonly #table: BucketTable
  readonly #counts = new Doubles()
  /** By bucket, the number of the document that was counted last, over all batches. */
  readonly #last = new Doubles(-1)
  readonly #below: ChildBatch | null
  /** Documents of the batches before. */
  #before = 0

  constructor(
    places: NumberSource,
    cells: CellPlan,
    children: readonly Aggregator[],
    slice: AggregationSlice,
  ) {
    this.#places = new PlaceColumn(places)
    this.#cells = new PlaceCells(cells)
    this.#table = new BucketTable(bytes => slice.charge(bytes))
    this.#below = children.length === 0 ? null : new ChildBatch(children)
  }

  openLeaf(leaf: Leaf): void {
    this.#places.openLeaf(leaf)
  }

  collect(batch: BucketBatch): void {
    const { weights, count } = batch
    const cells = this.#cells
    this.#below?.begin(batch)
    this.#places.forEach(batch, (index, owner, lat, lon) => {
      if (!cells.find(lat, lon)) return
      const bucket = this.#table.bucketOf(owner, cells.high, cells.low)
      const last = this.#last.ensure(bucket + 1)
      // A document counts once, however many of its places lie in the cell.
      if (last[bucket] === this.#before + index) return
      last[bucket] = this.#before + index
      const counts = this.#counts.ensure(bucket + 1)
      counts[bucket] = counts[bucket]! + (weights === null ? 1 : weights[index]!)
      this.#below?.add(index, bucket)
    })
    this.#below?.flush()
    this.#before += count
  }

  finish(): NumberTermsPartial {
    return { ...this.#table.packed(), counts: this.#counts.values.slice(0, this.#table.size) }
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}
