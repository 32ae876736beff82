import type { SliceReducer } from '../aggregation-type.ts'
import { Doubles, ownerLimit } from '../columns.ts'
import type { AutoPartial } from './auto-collector.ts'
import { SliceKeyed } from './keyed-buckets.ts'

/** Merges the buckets of slices as they are: only all shards tell how coarse they become. */
export class SliceAuto implements SliceReducer {
  readonly #buckets = new SliceKeyed()
  readonly #levels = new Doubles()

  add(own: unknown, owners: Int32Array): Int32Array {
    const { levels: from } = own as AutoPartial
    const levels = this.#levels.ensure(ownerLimit(owners, owners.length))
    for (const [i, owner] of owners.entries())
      levels[owner] = Math.max(levels[owner]!, from[i] ?? 0)
    return this.#buckets.add(own, owners)
  }

  close(owners: Int32Array): { own: AutoPartial; buckets: Int32Array } {
    const { own, buckets } = this.#buckets.close(owners)
    const levels = Float64Array.from(owners, owner => this.#levels.at(owner))
    return { own: { ...own, levels }, buckets }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }
}
