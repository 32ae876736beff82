import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { type AggregationSlice, type Aggregator, NO_NOTES } from '../aggregation-type.ts'
import { type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { BucketTable } from '../bucket-table.ts'
import { Doubles } from '../columns.ts'
import type { NumberTermsPartial } from '../terms/number-terms.ts'
import type { NumberSource } from '../value-source.ts'
import { type CellPlan, PlaceCells } from './cells/place-cells.ts'
import { ShapeCells } from './cells/shape-cells.ts'
import { PlaceColumn } from './place-column.ts'
import type { ShapeColumn } from './shape-column.ts'

/** The cells of the documents of batches. */
export interface CellReader {
  openLeaf(leaf: Leaf): void
  /**
   * Visits the cells of a batch, those of a document side by side; a cell may come several times.
   * @param visit takes the index of a document in the batch, its owning bucket and the halves of a cell
   */
  forEach(
    batch: BucketBatch,
    visit: (index: number, owner: number, high: number, low: number) => void,
  ): void
}

/** Cells of places. */
export class CellsOfPlaces implements CellReader {
  readonly #places: PlaceColumn
  readonly #cells: PlaceCells

  constructor(places: NumberSource, cells: CellPlan) {
    this.#places = new PlaceColumn(places)
    this.#cells = new PlaceCells(cells)
  }

  openLeaf(leaf: Leaf): void {
    this.#places.openLeaf(leaf)
  }

  forEach(batch: BucketBatch, visit: Parameters<CellReader['forEach']>[1]): void {
    const cells = this.#cells
    this.#places.forEach(batch, (index, owner, lat, lon) => {
      if (cells.find(lat, lon)) visit(index, owner, cells.high, cells.low)
    })
  }
}

/** Cells that shapes touch. */
export class CellsOfShapes implements CellReader {
  readonly #shapes: ShapeColumn
  readonly #cells: ShapeCells

  constructor(shapes: ShapeColumn, cells: CellPlan) {
    this.#shapes = shapes
    this.#cells = new ShapeCells(cells)
  }

  openLeaf(leaf: Leaf): void {
    this.#shapes.openLeaf(leaf)
  }

  forEach({ docs, owners, count }: BucketBatch, visit: Parameters<CellReader['forEach']>[1]): void {
    const shapes = this.#shapes
    if (shapes.isEmpty) return
    for (let i = 0; i < count; i++) {
      const owner = owners === null ? 0 : owners[i]!
      const take = (high: number, low: number): void => visit(i, owner, high, low)
      this.#cells.forEach(shapes, shapes.open(docs[i]!), take)
    }
  }
}

/** Collects a bucket for each cell of documents. */
export class CellCollector implements Aggregator {
  readonly #cells: CellReader
  readonly #table: BucketTable
  readonly #counts = new Doubles()
  /** By bucket, the number of the document that was counted last, over all batches. */
  readonly #last = new Doubles(-1)
  readonly #below: ChildBatch | null
  /** Documents of the batches before. */
  #before = 0

  constructor(
    cells: CellReader,
    children: readonly Aggregator[],
    slice: Pick<AggregationSlice, 'charge'>,
  ) {
    this.#cells = cells
    this.#table = new BucketTable(bytes => slice.charge(bytes))
    this.#below = children.length === 0 ? null : new ChildBatch(children)
  }

  openLeaf(leaf: Leaf): void {
    this.#cells.openLeaf(leaf)
  }

  collect(batch: BucketBatch): void {
    const { weights, count } = batch
    this.#below?.begin(batch)
    this.#cells.forEach(batch, (index, owner, high, low) => {
      const bucket = this.#table.bucketOf(owner, high, low)
      const last = this.#last.ensure(bucket + 1)
      // A document counts once, however many of its places or shapes lie in the cell.
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
