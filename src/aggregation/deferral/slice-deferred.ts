import type { Leaf } from '../../segment/leaf.ts'
import type { SliceReducer } from '../aggregation-type.ts'
import { sampledDocs } from '../sampler/sampled-docs.ts'
import type { Deferral, DeferredPartial } from './deferral.ts'
import type { DeferredColumns } from './deferred-docs.ts'

/** Merges slices as another reducer does, and keeps the documents of the buckets that stay. */
export class SliceDeferred implements SliceReducer {
  readonly #own: SliceReducer
  readonly #leaves: readonly Leaf[]
  readonly #keepsScores: boolean
  /** The notes of slices, with the bucket here by bucket there. */
  readonly #noted: (readonly [columns: DeferredColumns, buckets: Int32Array])[] = []

  constructor(own: SliceReducer, deferral: Deferral, leaves: readonly Leaf[]) {
    this.#own = own
    this.#leaves = leaves
    this.#keepsScores = deferral.scores
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
    const placeOf = (bucket: number): number => (places[bucket] ?? 0) - 1
    let size = 0
    for (const [columns, to] of this.#noted)
      for (const bucket of columns.buckets) if (placeOf(to[bucket]!) >= 0) size++
    const docs = new Int32Array(size)
    const kept = new Int32Array(size)
    const scores = this.#keepsScores ? new Float32Array(size) : null
    let at = 0
    for (const [columns, to] of this.#noted) {
      const { docBase } = this.#leaves[columns.leafOrd]!
      for (let i = 0; i < columns.docs.length; i++) {
        const place = placeOf(to[columns.buckets[i]!]!)
        if (place < 0) continue
        docs[at] = docBase + columns.docs[i]!
        kept[at] = place
        if (scores !== null) scores[at] = columns.scores![i]!
        at++
      }
    }
    const samples = sampledDocs({ docs, buckets: kept, scores }, buckets.length, this.#leaves)
    return { own: { ...(own as object), samples }, buckets }
  }

  value(owner: number, metric: string | null): number {
    return this.#own.value(owner, metric)
  }

  bucketOf(owner: number): number {
    return this.#own.bucketOf(owner)
  }
}
