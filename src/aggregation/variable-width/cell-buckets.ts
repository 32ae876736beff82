import { BucketTable } from '../bucket-table.ts'
import { Doubles, Ints } from '../columns.ts'
import { lowestLevel } from '../quantile/value-cells.ts'

/** Cells of an owning bucket at most: fewer distinct values are kept exactly. */
export const MAX_CELLS = 4096

/**
 * Numbers the cells of values by owning bucket, as `ValueCells` cuts them: once an owning bucket has too many,
 * its cells become coarser, and values of several old cells go on in one of them. So a bucket holds values of
 * one cell, a cell may have several buckets, and documents that were handed on stay where they are.
 */
export class CellBuckets {
  readonly #maxCells: number
  readonly #table: BucketTable
  /** The bucket of each entry of the table, whose owners are generations: cells of one level. */
  readonly #buckets = new Ints()
  readonly #owners = new Ints()
  /** Some value of each bucket. */
  readonly #values = new Doubles()
  readonly #cells: (OwnerCells | undefined)[] = []
  #generations = 0

  /** @param charge charges memory before it is taken */
  constructor(charge: (bytes: number) => void, maxCells: number = MAX_CELLS) {
    this.#maxCells = maxCells
    this.#table = new BucketTable(charge)
  }

  /** Number of buckets. */
  get size(): number {
    return this.#owners.length
  }

  owner(bucket: number): number {
    return this.#owners.values[bucket]!
  }

  /** The level of the cells of each owning bucket below a number. */
  levels(ownerCount: number): Uint8Array {
    return Uint8Array.from({ length: ownerCount }, (_, owner) => this.#cells[owner]?.level ?? 0)
  }

  /** The bucket that a value of an owning bucket goes to. */
  bucketOf(owner: number, value: number): number {
    const cells = (this.#cells[owner] ??= {
      level: 0,
      generation: this.#generations++,
      buckets: [],
    })
    const { size } = this.#table
    const entry = this.#entryOf(cells, value)
    if (entry < size) return this.#buckets.values[entry]!
    const bucket = this.size
    this.#owners.push(owner)
    this.#values.ensure(bucket + 1)[bucket] = value
    this.#buckets.push(bucket)
    cells.buckets.push(bucket)
    if (cells.buckets.length > this.#maxCells) this.#fold(cells)
    return bucket
  }

  /** Makes the cells of an owning bucket few enough. */
  #fold(cells: OwnerCells): void {
    const all = cells.buckets
    const values = Float64Array.from(all, bucket => this.#values.values[bucket]!).sort()
    cells.level = lowestLevel(values, cells.level, this.#maxCells)
    cells.generation = this.#generations++
    cells.buckets = []
    for (const bucket of all) {
      const { size } = this.#table
      if (this.#entryOf(cells, this.#values.values[bucket]!) < size) continue
      this.#buckets.push(bucket)
      cells.buckets.push(bucket)
    }
  }

  #entryOf({ level, generation }: OwnerCells, value: number): number {
    double[0] = value
    const high = level < 32 ? words[1]! : level === 64 ? 0 : words[1]! >> (level - 32)
    const low = level < 32 ? (words[0]! >>> level) << level : 0
    return this.#table.bucketOf(generation, high, low)
  }
}

/** The cells of an owning bucket. */
interface OwnerCells {
  /** The lowest bits, 0…64 of them, in which the values of a cell may differ. */
  level: number
  generation: number
  /** One bucket for each cell. */
  buckets: number[]
}

const double = new Float64Array(1)
/** The halves of the double, the lower one first. */
const words = new Int32Array(double.buffer)
