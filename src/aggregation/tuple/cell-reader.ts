import { joinHalves } from '../../search/query/point-value.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { type CellPlan, PlaceCells } from '../geo/cells/place-cells.ts'
import { NumberColumn } from '../number-column.ts'
import type { NumberSource } from '../value-source.ts'
import type { TupleReader } from './tuple-reader.ts'
import type { ValueIds } from './value-ids.ts'

/** Reads the cells that a document's places lie in. */
export class CellReader implements TupleReader {
  readonly ids: ValueIds
  readonly #column: NumberColumn
  readonly #cells: PlaceCells
  readonly #hasNull: boolean
  readonly #list: number[] = []
  #next = 0

  constructor(ids: ValueIds, places: NumberSource, cells: CellPlan, hasNull: boolean) {
    this.ids = ids
    this.#column = new NumberColumn(places)
    this.#cells = new PlaceCells(cells)
    this.#hasNull = hasNull
  }

  openLeaf(leaf: Leaf): void {
    this.#column.openLeaf(leaf)
  }

  read(batch: BucketBatch): void {
    this.#column.read(batch)
    this.#next = 0
  }

  of(index: number): readonly number[] {
    const { count, index: docs, high, low } = this.#column
    const cells = this.#cells
    const list = this.#list
    list.length = 0
    while (this.#next < count && docs[this.#next]! < index) this.#next++
    for (let at = this.#next; at < count && docs[at] === index; at++) {
      if (!cells.find(high[at]!, low[at]! | 0)) continue
      const id = this.ids.idOf(joinHalves(cells.high, cells.low))
      if (!list.includes(id)) list.push(id)
    }
    if (list.length === 0 && this.#hasNull) list.push(this.ids.idOf(null))
    return list
  }
}
