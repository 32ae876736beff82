import type { ReducedChildren, ShardReducer } from './aggregation-type.ts'
import { countAs, FixedCounts, type FixedPartial } from './fixed-buckets.ts'
import type { SingleBucketResult } from './result.ts'

/** Merges the one bucket of each owning bucket. */
export class ShardSingle implements ShardReducer {
  readonly #typedName: string
  readonly #children: ReducedChildren
  readonly #counts = new FixedCounts(1)

  constructor(typedName: string, children: ReducedChildren) {
    this.#typedName = typedName
    this.#children = children
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    return this.#counts.add(own as FixedPartial, owners)
  }

  value(owner: number, metric: string | null): number {
    return countAs(metric, this.#counts.count(owner, 0))
  }

  bucketOf(owner: number): number {
    return owner
  }

  result(owner: number): SingleBucketResult {
    return {
      kind: 'single',
      typedName: this.#typedName,
      docCount: this.#counts.count(owner, 0),
      children: this.#children.results(owner),
    }
  }
}
