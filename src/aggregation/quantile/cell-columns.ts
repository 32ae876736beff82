/** Cells of values by owning bucket, collected and merged. */

import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { type Aggregator, NO_BUCKETS, NO_NOTES, type SliceReducer } from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { NumberColumn } from '../number-column.ts'
import type { NumberSource } from '../value-source.ts'
import { type CellRules, type Cells, ValueCells } from './value-cells.ts'

/** Cells of owning buckets, one behind the other: plain data. */
export interface CellsPartial {
  /** Where the cells of each owning bucket start, and where the last ones end. */
  readonly starts: Int32Array
  readonly levels: Uint8Array
  readonly mins: Float64Array
  readonly maxs: Float64Array
  readonly counts: Float64Array
}

/** Growing cells by owning bucket. */
export class CellColumns {
  readonly #rules: CellRules
  readonly #charge: (bytes: number) => void
  readonly #cells: (ValueCells | undefined)[] = []

  constructor(rules: CellRules, charge: (bytes: number) => void) {
    this.#rules = rules
    this.#charge = charge
  }

  /** Adds a value; no NaN. */
  add(owner: number, value: number): void {
    const cells = this.#cells[owner] ?? this.#open(owner)
    cells.add(value)
  }

  /** The cells of an owning bucket. */
  cells(owner: number): Cells {
    return (this.#cells[owner] ?? new ValueCells(this.#rules, this.#charge)).settled()
  }

  /** Adds cells of the same rules. @param owners the owning bucket here by owning bucket there */
  merge({ starts, levels, mins, maxs, counts }: CellsPartial, owners: Int32Array): void {
    for (let i = 0; i < levels.length; i++) {
      const from = starts[i]!
      const to = starts[i + 1]!
      if (from === to) continue
      const owner = owners[i]!
      const cells = this.#cells[owner] ?? this.#open(owner)
      cells.merge({
        level: levels[i]!,
        mins: mins.subarray(from, to),
        maxs: maxs.subarray(from, to),
        counts: counts.subarray(from, to),
      })
    }
  }

  /** All cells as plain data. */
  partial(): CellsPartial {
    return packed(Array.from(this.#cells, (_, owner) => this.cells(owner)))
  }

  /** Those of some owning buckets in a new order. */
  pick(owners: Int32Array): CellsPartial {
    return packed(Array.from(owners, owner => this.cells(owner)))
  }

  #open(owner: number): ValueCells {
    while (this.#cells.length < owner) this.#cells.push(undefined)
    const made = new ValueCells(this.#rules, this.#charge)
    this.#cells[owner] = made
    return made
  }
}

function packed(all: readonly Cells[]): CellsPartial {
  const starts = new Int32Array(all.length + 1)
  all.forEach(({ mins }, i) => {
    starts[i + 1] = starts[i]! + mins.length
  })
  const size = starts[all.length]!
  const partial = {
    starts,
    levels: Uint8Array.from(all, ({ level }) => level),
    mins: new Float64Array(size),
    maxs: new Float64Array(size),
    counts: new Float64Array(size),
  }
  all.forEach(({ mins, maxs, counts }, i) => {
    partial.mins.set(mins, starts[i])
    partial.maxs.set(maxs, starts[i])
    partial.counts.set(counts, starts[i])
  })
  return partial
}

/** Collects the values of buckets. */
export class CellsAggregator implements Aggregator {
  readonly #column: NumberColumn
  readonly #columns: CellColumns
  readonly #check: ((values: Float64Array, count: number) => void) | null

  /** @param check throws on values that are not taken; null: all are */
  constructor(
    values: NumberSource,
    columns: CellColumns,
    check: ((values: Float64Array, count: number) => void) | null,
  ) {
    this.#column = new NumberColumn(values)
    this.#columns = columns
    this.#check = check
  }

  openLeaf(leaf: Leaf): void {
    this.#column.openLeaf(leaf)
  }

  collect(batch: BucketBatch): void {
    const column = this.#column
    if (column.isEmpty) return
    column.read(batch)
    const { owners } = batch
    const { count, index } = column
    const values = column.doubles()
    this.#check?.(values, count)
    for (let i = 0; i < count; i++)
      this.#columns.add(owners === null ? 0 : owners[index[i]!]!, values[i]!)
  }

  finish(): CellsPartial {
    return this.#columns.partial()
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}

/** Merges the cells of slices. */
export class SliceCells implements SliceReducer {
  readonly #columns: CellColumns
  readonly #read: (cells: Cells, metric: string | null) => number

  /** @param read a number of the cells that buckets may be sorted by */
  constructor(columns: CellColumns, read: (cells: Cells, metric: string | null) => number) {
    this.#columns = columns
    this.#read = read
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    this.#columns.merge(own as CellsPartial, owners)
    return NO_BUCKETS
  }

  close(owners: Int32Array): { own: CellsPartial; buckets: Int32Array } {
    return { own: this.#columns.pick(owners), buckets: NO_BUCKETS }
  }

  value(owner: number, metric: string | null): number {
    return this.#read(this.#columns.cells(owner), metric)
  }

  bucketOf(): number {
    return -1
  }
}
