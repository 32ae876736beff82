import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { AggregationSlice, Aggregator } from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import type { BucketKeys } from '../bucket-table.ts'
import { Doubles, ownerLimit } from '../columns.ts'
import { NumberKeys } from '../terms/number-keys.ts'
import { NumberTerms } from '../terms/number-terms.ts'
import { OrdinalKeys } from '../terms/ordinal-keys.ts'
import { OrdinalTerms } from '../terms/ordinal-terms.ts'
import type { ValueKeys } from '../terms/term-keys.ts'
import type { ValueFilter } from '../terms/value-filter.ts'
import type { ValueSource } from '../value-source.ts'

/** Columns of buckets by value, and the documents of each owning bucket: plain data. */
export interface SignificantPartial extends BucketKeys {
  readonly counts: Float64Array
  readonly sizes: Float64Array
}

/** The values that are counted. */
interface CountedValues {
  readonly values: ValueSource
  readonly filter: ValueFilter | null
}

/** Counts documents by value, and all of each owning bucket. */
export class SignificantCollector implements Aggregator {
  readonly #terms: OrdinalTerms | NumberTerms
  readonly #sizes = new Doubles()
  #owners = 0
  readonly #isMap: boolean

  /** @param isMap whether the real server would keep terms in a map */
  constructor(
    { values, filter }: CountedValues,
    accepted: readonly (Uint32Array | null)[],
    children: readonly Aggregator[],
    isMap: boolean,
    slice: AggregationSlice,
  ) {
    const facts = {
      isMap,
      hasFilter: filter !== null,
      isPlain: false,
      givesDense: false,
      selection: null,
    }
    this.#isMap = isMap
    this.#terms =
      values.kind === 'numbers'
        ? new NumberTerms(values, filter, children, slice)
        : new OrdinalTerms(values, accepted, children, facts, slice)
  }

  get bucketLimit(): number {
    return this.#terms.bucketLimit
  }

  openLeaf(leaf: Leaf, leafOrd: number, ownerLimit: number): void {
    this.#terms.openLeaf(leaf, leafOrd, ownerLimit)
  }

  closeLeaf(): void {
    this.#terms.closeLeaf()
  }

  collect(batch: BucketBatch): void {
    const { count, owners, weights } = batch
    const limit = ownerLimit(owners, count)
    this.#owners = Math.max(this.#owners, limit)
    const sizes = this.#sizes.ensure(limit)
    for (let i = 0; i < count; i++) {
      const owner = owners === null ? 0 : owners[i]!
      sizes[owner] = sizes[owner]! + (weights === null ? 1 : weights[i]!)
    }
    this.#terms.collect(batch)
  }

  finish(): SignificantPartial {
    return { ...this.#terms.finish(), sizes: this.#sizes.values.slice(0, this.#owners) }
  }

  notes(): GatherNotes {
    const notes = { ...this.#terms.notes(), result_strategy: 'significant_terms' }
    const isEmpty = this.#terms.bucketCount === 0
    return this.#isMap
      ? notes
      : { ...notes, result_selection_strategy: isEmpty ? '' : 'priority_queue' }
  }
}

/** The keys of values while slices are merged. */
export function keysOf(
  values: ValueSource,
  filter: ValueFilter | null,
  accepted: readonly (Uint32Array | null)[],
  leaves: readonly Leaf[],
): ValueKeys {
  return values.kind === 'numbers'
    ? new NumberKeys(values, filter, leaves)
    : new OrdinalKeys(values, accepted, leaves, true)
}
