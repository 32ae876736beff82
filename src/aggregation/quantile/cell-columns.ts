/** Cells of values by owning bucket, collected and merged. */

import type { NumericValuesReader } from '../../codec/doc-values/reader.ts'
import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { type Aggregator, NO_BUCKETS, NO_NOTES, type SliceReducer } from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { CellsBatch } from '../kernel/cells-batch.ts'
import { IntegerKeys, SlotCounts } from '../kernel/slot-counts.ts'
import { NumberColumn } from '../number-column.ts'
import type { NumberSource } from '../value-source.ts'
import { CellTrial } from './cell-trial.ts'
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

  get rules(): CellRules {
    return this.#rules
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

  /** Adds cells of an owning bucket, at a level that its own have or will have. */
  addCells(owner: number, cells: Cells): void {
    const own = this.#cells[owner] ?? this.#open(owner)
    own.merge(cells)
  }

  /** The level of an owning bucket's cells once there have been many values; −1: there were few. */
  levelOf(owner: number): number {
    return this.#cells[owner]?.knownLevel ?? -1
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

/** Integers of a leaf, counted one by one. */
interface CountedIntegers {
  readonly keys: IntegerKeys
  readonly slots: SlotCounts
}

/** Collects the values of buckets. */
export class CellsAggregator implements Aggregator {
  readonly #values: NumberSource
  /** How a kernel counts the open leaf: by integers, or by cells; both null: values are added one by one. */
  #integers: CountedIntegers | null = null
  #batch: CellsBatch | null = null
  /** Of the kernel's cells while their level is not known; null: there is none. */
  #trial: CellTrial | null = null
  readonly #column: NumberColumn
  readonly #columns: CellColumns
  readonly #check: ((values: Float64Array, count: number) => void) | null

  /** @param check throws on values that are not taken; null: all are */
  constructor(
    values: NumberSource,
    columns: CellColumns,
    check: ((values: Float64Array, count: number) => void) | null,
  ) {
    this.#values = values
    this.#column = new NumberColumn(values)
    this.#columns = columns
    this.#check = check
  }

  openLeaf(leaf: Leaf, _leafOrd: number, ownerLimit: number): void {
    this.#column.openLeaf(leaf)
    const { values } = this.#column
    this.#integers = null
    this.#batch = null
    this.#trial = null
    if (values === null || ownerLimit !== 1 || !this.#takes(values)) return
    const { encoding, missing, isNanos } = this.#values
    const isPlain = encoding === 'long' && missing === null && !isNanos
    const keys = isPlain ? IntegerKeys.of(values, false) : null
    const slots = keys === null ? null : SlotCounts.of(leaf, values, keys, 1, false)
    if (keys !== null && slots !== null) this.#integers = { keys, slots }
    else this.#batch = CellsBatch.of(leaf, values, this.#values)
    if (this.#batch === null || this.#columns.levelOf(0) >= 0) return
    const { level, maxCells } = this.#columns.rules
    this.#trial = CellTrial.of(this.#batch, level, maxCells)
  }

  /** Whether each value of a column is taken. */
  #takes({ minHi }: NumericValuesReader): boolean {
    return this.#check === null || minHi >= 0
  }

  /** A cell for each integer. */
  #cellsOf({ keys, slots }: CountedIntegers): Cells {
    const found = slots.list()
    const base = Number(keys.base)
    const values = Float64Array.from(found.keys, key => (base + key) / this.#values.scale)
    const counts = Float64Array.from(found.counts)
    return { level: this.#columns.rules.level, mins: values, maxs: values.slice(), counts }
  }

  collect(batch: BucketBatch): void {
    if (this.#integers !== null) this.#integers.slots.count(batch)
    else if (this.#trial !== null) this.#try(this.#trial, batch)
    else if (this.#batch !== null && this.#opens(this.#batch)) this.#addTo(this.#batch, batch)
    else this.#collectOneByOne(batch)
  }

  #try(trial: CellTrial, batch: BucketBatch): void {
    const column = this.#column
    column.read(batch)
    const state = trial.add(batch, column.doubles(), column.count)
    if (state === 'goes on') return
    this.#endTrial(trial, state === 'is finer')
  }

  /**
   * @param isFiner whether the kernel's cells are finer than those of all values will be: they are joined at the level of
   *   the values so far, at which the next ones are counted
   */
  #endTrial(trial: CellTrial, isFiner: boolean): void {
    this.#trial = null
    for (const value of isFiner ? trial.others : trial.values) this.#columns.add(0, value)
    if (isFiner) this.#close(this.#batch!)
    else this.#batch!.close()
  }

  /** Whether cells are open: their level, which only rises, is known after some thousand values. */
  #opens(cells: CellsBatch): boolean {
    if (cells.isOpen) return true
    const level = this.#columns.levelOf(0)
    // At level 0 a cell is one value: of few distinct ones, which are found faster one by one.
    if (level > 0) cells.open(level)
    return level > 0
  }

  #addTo(cells: CellsBatch, batch: BucketBatch): void {
    const others = cells.add(batch)
    for (const value of others) this.#columns.add(0, value)
    // At a higher level, to which the values so far have risen, more of them have cells.
    if (others.length > batch.count / 8) this.#close(cells)
  }

  #close(cells: CellsBatch): void {
    this.#columns.addCells(0, cells.found())
    cells.close()
  }

  closeLeaf(): void {
    if (this.#trial !== null) this.#endTrial(this.#trial, false)
    if (this.#integers !== null) this.#columns.addCells(0, this.#cellsOf(this.#integers))
    if (this.#batch?.isOpen === true) this.#close(this.#batch)
    this.#integers = null
    this.#batch = null
  }

  #collectOneByOne(batch: BucketBatch): void {
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
