import type { Leaf } from '../../segment/leaf.ts'
import type { SliceReducer } from '../aggregation-type.ts'
import type { FoundRun } from '../sampler/sampled-docs.ts'
import type { DeferredPartial } from './deferral.ts'
import type { DeferredColumns } from './deferred-docs.ts'

/** Merges slices as another reducer does, and keeps the documents of the buckets that stay. */
export class SliceDeferred implements SliceReducer {
  readonly #own: SliceReducer
  readonly #leaves: readonly Leaf[]
  /** The notes of slices, with the bucket here by bucket there. */
  readonly #noted: (readonly [columns: DeferredColumns, buckets: Int32Array])[] = []

  constructor(own: SliceReducer, leaves: readonly Leaf[]) {
    this.#own = own
    this.#leaves = leaves
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const buckets = this.#own.add(own, owners)
    for (const columns of (own as DeferredPartial).deferred) this.#noted.push([columns, buckets])
    return buckets
  }

  close(owners: Int32Array): { own: unknown; buckets: Int32Array } {
    const { own, buckets } = this.#own.close(owners)
    // The place of a bucket among those that stay, plus 1.
    const places = new Int32Array(1 + buckets.reduce((max, bucket) => Math.max(max, bucket), -1))
    buckets.forEach((bucket, place) => {
      places[bucket] = place + 1
    })
    const known = new Map<Int32Array, Int32Array>()
    const runs = this.#noted.map(([columns, to]): FoundRun => {
      let there = known.get(to)
      if (there === undefined) known.set(to, (there = to.map(bucket => places[bucket] ?? 0)))
      const { docBase } = this.#leaves[columns.leafOrd]!
      return {
        docBase,
        docs: columns.docs,
        buckets: columns.buckets,
        places: there,
        scores: columns.scores,
      }
    })
    const samples = { bucketCount: buckets.length, runs, leaves: this.#leaves }
    return { own: { ...(own as object), samples }, buckets }
  }

  value(owner: number, metric: string | null): number {
    return this.#own.value(owner, metric)
  }

  bucketOf(owner: number): number {
    return this.#own.bucketOf(owner)
  }
}
