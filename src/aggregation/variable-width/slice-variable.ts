import type { SliceReducer } from '../aggregation-type.ts'
import { ExactSums, type SumScale } from '../exact-sum.ts'
import { CellRuns, type OwnerRuns, type Run, runOf } from './cell-runs.ts'
import type { CellBucketsPartial } from './variable-collector.ts'

/** The cells of a shard: those of an owning bucket lie together, ascending. */
export interface ClosedCells {
  /** By owning bucket. */
  readonly levels: Uint8Array
  readonly owners: Int32Array
  readonly runs: readonly Run[]
}

/** Merges the cells of slices once all of them have been seen. */
export class SliceVariable implements SliceReducer {
  readonly #scale: SumScale
  readonly #seen = new CellRuns()
  #cells: ReadonlyMap<number, OwnerRuns> | null = null
  /** The bucket of the first cell of each owning bucket. */
  readonly #firsts = new Map<number, number>()

  constructor(scale: SumScale) {
    this.#scale = scale
  }

  survey(own: unknown, owners: Int32Array): void {
    const from = own as CellBucketsPartial
    const sums = new ExactSums(this.#scale)
    sums.ensure(from.owners.length)
    sums.merge(from.sums, Int32Array.from(from.owners.keys()))
    for (let i = 0; i < from.owners.length; i++)
      this.#seen.add(owners[from.owners[i]!]!, from.levels[from.owners[i]!]!, {
        min: from.mins[i]!,
        max: from.maxs[i]!,
        count: from.counts[i]!,
        docCount: from.docCounts[i]!,
        sum: sums.sum(i),
      })
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const from = own as CellBucketsPartial
    const cells = this.#settled()
    return Int32Array.from(from.owners, (ownOwner, i) => {
      const owner = owners[ownOwner]!
      return this.#firsts.get(owner)! + runOf(cells.get(owner)!.runs, from.mins[i]!)
    })
  }

  close(owners: Int32Array): { own: ClosedCells; buckets: Int32Array } {
    const cells = this.#settled()
    const all = Array.from(owners, owner => ({ owner, ...(cells.get(owner) ?? NO_CELLS) }))
    return {
      own: {
        levels: Uint8Array.from(all, ({ level }) => level),
        owners: Int32Array.from(all.flatMap(({ runs }, i) => runs.map(() => i))),
        runs: all.flatMap(({ runs }) => runs),
      },
      buckets: Int32Array.from(
        all.flatMap(({ owner, runs }) => runs.map((_, i) => this.#firsts.get(owner)! + i)),
      ),
    }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  #settled(): ReadonlyMap<number, OwnerRuns> {
    if (this.#cells !== null) return this.#cells
    this.#cells = this.#seen.cells()
    let first = 0
    for (const [owner, { runs }] of this.#cells) {
      this.#firsts.set(owner, first)
      first += runs.length
    }
    return this.#cells
  }
}

const NO_CELLS: OwnerRuns = { level: 0, runs: [] }
