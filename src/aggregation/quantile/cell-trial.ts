/** Cells of a guessed level, tried on the first values of a leaf: whether all values come to wider ones. */
import { BATCH_DOCS } from '../../search/collector/gather.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import type { CellsBatch } from '../kernel/cells-batch.ts'

/** A trial takes so many values for each cell that is allowed: most columns fill more cells with them. */
const VALUES_FOR_EACH_CELL = 2
/** Bits of a double's fraction. */
const FRACTION_BITS = 52
/** The kernel has room for twice as many cells: with more allowed, they could hardly be exceeded. */
const MAX_TRIED_CELLS = 2 ** 13

/** How a trial stands. */
export type TrialState = 'goes on' | 'is finer' | 'tells nothing'

/**
 * Has a kernel count the first values by cells, and holds them besides. Once they lie in more cells than there may
 * be, the level of all values is higher, so that these cells can be joined to theirs; else the values are added
 * one by one.
 */
export class CellTrial {
  readonly #cells: CellsBatch
  readonly #maxCells: number
  /** How many values it takes. */
  readonly #enough: number
  readonly #values: Float64Array
  readonly #others: number[] = []
  #count = 0

  /**
   * Opens cells of some level for a trial; null: there is nothing to try.
   * @param level    the lowest that the cells may have
   * @param maxCells that values may lie in
   */
  static of(cells: CellsBatch, level: number, maxCells: number): CellTrial | null {
    // Twice as many cells in each power of 2 as fit if values lie in four of them.
    const guessed = FRACTION_BITS + 1 - Math.floor(Math.log2(maxCells))
    if (level >= guessed || maxCells > MAX_TRIED_CELLS) return null
    cells.open(guessed)
    return new CellTrial(cells, maxCells)
  }

  private constructor(cells: CellsBatch, maxCells: number) {
    this.#cells = cells
    this.#maxCells = maxCells
    this.#enough = VALUES_FOR_EACH_CELL * maxCells
    this.#values = new Float64Array(this.#enough + BATCH_DOCS)
  }

  /** Adds the values of a batch. @param values the first `count` of them; no NaN */
  add(batch: BucketBatch, values: Float64Array, count: number): TrialState {
    this.#values.set(values.subarray(0, count), this.#count)
    this.#count += count
    const others = this.#cells.add(batch)
    for (const value of others) this.#others.push(value)
    if (others.length > count / 8) return 'tells nothing'
    if (this.#count < this.#enough) return 'goes on'
    return this.#cells.filledCount() > this.#maxCells ? 'is finer' : 'tells nothing'
  }

  /** The values so far that lie in no cell. */
  get others(): readonly number[] {
    return this.#others
  }

  /** All values so far. */
  get values(): Float64Array {
    return this.#values.subarray(0, this.#count)
  }
}
