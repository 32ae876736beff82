import type { GatherNotes } from '../../search/collector/gather.ts'
import type { MatchScope } from '../../search/collector/match-scope.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type {
  AggregationPlan,
  AggregationSlice,
  Aggregator,
  CountLimits,
} from '../aggregation-type.ts'
import type { BatchTarget, BucketBatch } from '../bucket-batch.ts'
import { type DeferredColumns, DeferredDocs } from './deferred-docs.ts'

/** Breadth-first collection: children that see the documents of the buckets that stay. */
export interface Deferral {
  /** Names of the children, in order of the request; min one. */
  readonly children: readonly string[]
  /** Whether they read scores. */
  readonly scores: boolean
  /** Whether the second pass finds the documents anew, by the buckets' keys; absent: the first one notes them. */
  readonly isRepeated?: true
}

/** Columns of an aggregator with the documents that its deferred children are to see. */
export interface DeferredPartial {
  readonly deferred: readonly DeferredColumns[]
}

/** The children of a plan that it defers; null: it defers none. */
export function deferredBy(
  { children }: AggregationPlan,
  deferral: Deferral | null,
): readonly AggregationPlan[] | null {
  if (deferral === null) return null
  return children.filter(({ name }) => deferral.children.includes(name))
}

/**
 * Opens an aggregator, with a child in place of the deferred ones that notes documents and buckets.
 * @param children those that are collected with it
 * @param open makes it over all that see its buckets
 */
export function deferring(
  deferral: Deferral | null,
  children: readonly Aggregator[],
  slice: AggregationSlice,
  open: (below: readonly BatchTarget[]) => Aggregator,
): Aggregator {
  if (deferral === null) return open(children)
  if (deferral.isRepeated === true) return new DeferringAggregator(open(children), null, deferral)
  const docs = new DeferredDocs(deferral.scores, slice)
  return new DeferringAggregator(open([...children, docs]), docs, deferral)
}

/** Tells of deferred children, and notes their documents where no second search finds them. */
class DeferringAggregator implements Aggregator {
  readonly #own: Aggregator
  readonly #docs: DeferredDocs | null
  readonly #deferral: Deferral

  constructor(own: Aggregator, docs: DeferredDocs | null, deferral: Deferral) {
    this.#own = own
    this.#docs = docs
    this.#deferral = deferral
  }

  get bucketLimit(): number {
    return this.#own.bucketLimit ?? Number.POSITIVE_INFINITY
  }

  openLeaf(leaf: Leaf, leafOrd: number, ownerLimit: number): void {
    this.#own.openLeaf(leaf, leafOrd, ownerLimit)
  }

  countLeaf(leaf: Leaf, scope: MatchScope, limits: CountLimits): boolean {
    return this.#docs === null && this.#own.countLeaf?.(leaf, scope, limits) === true
  }

  collect(batch: BucketBatch): void {
    this.#own.collect(batch)
  }

  closeLeaf(): void {
    this.#own.closeLeaf?.()
  }

  finish(): unknown {
    const own = this.#own.finish()
    return this.#docs === null ? own : { ...(own as object), deferred: this.#docs.packed() }
  }

  notes(): GatherNotes {
    return { deferred_aggregators: this.#deferral.children, ...this.#own.notes() }
  }
}
