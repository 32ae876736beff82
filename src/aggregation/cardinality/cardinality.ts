/** `cardinality`: the number of distinct values of a field, exact up to a threshold. */
import {
  type AggregationPlan,
  type AggregationType,
  NO_BUCKETS,
  type ShardReducer,
} from '../aggregation-type.ts'
import { hashBytes } from '../kernel/hash-batch.ts'
import { slotBytes } from '../kernel/slot-counts.ts'
import { maxTerms } from '../max-terms.ts'
import type { MetricResult } from '../result.ts'
import type { AnyValueSource, ByteSource } from '../value-source.ts'
import { useValues } from '../values-column.ts'
import { DistinctBytes } from './distinct-bytes.ts'
import { DistinctNumbers, SliceNumbers } from './distinct-numbers.ts'
import { type CardinalityHint, DistinctTerms, SliceTermHashes } from './distinct-terms.ts'
import { DistinctTexts } from './distinct-texts.ts'
import { type HashPartial, HashSketches } from './hash-sketches.ts'
import { precisionOf } from './hyper-log-log.ts'

/** Values that hashes tell apart. */
export type HashedSource = AnyValueSource | ByteSource

/** The number of distinct values of a field. */
export interface Cardinality extends AggregationPlan {
  readonly kind: 'cardinality'
  readonly values: HashedSource
  /** Distinct values up to which the number is exact, 0…40000. */
  readonly threshold: number
  readonly hint: CardinalityHint
}

/** Counts distinct values. */
export const cardinality: AggregationType<Cardinality, null> = {
  readsScores: () => false,
  className: () => 'CardinalityAggregator',
  prepare({ values, threshold }, shard) {
    useValues(values, shard)
    if (values.kind === 'texts' || values.kind === 'bytes') return null
    if (values.kind === 'numbers') shard.reserve(hashBytes(precisionOf(threshold)))
    const slots =
      values.kind === 'terms' ? maxTerms(values, shard.leaves) : Number.POSITIVE_INFINITY
    shard.reserve(slotBytes(slots))
    return null
  },
  open({ values, threshold, hint }, _ready, _children, slice) {
    const charge = (bytes: number): void => slice.charge(bytes)
    switch (values.kind) {
      case 'numbers':
        return new DistinctNumbers(values, new HashSketches(precisionOf(threshold), charge))
      case 'texts':
        return new DistinctTexts(values, new HashSketches(precisionOf(threshold), charge))
      case 'bytes':
        return new DistinctBytes(values, new HashSketches(precisionOf(threshold), charge))
      case 'terms':
      case 'constant':
        return new DistinctTerms(values, hint, charge)
    }
  },
  sliceReducer({ values, threshold }, _ready, leaves) {
    const sketches = new HashSketches(precisionOf(threshold), uncharged)
    return values.kind === 'terms' || values.kind === 'constant'
      ? new SliceTermHashes(values, sketches, leaves)
      : new SliceNumbers(sketches)
  },
  shardReducer: ([plan]) => new ShardCardinality(plan!.threshold),
}

/** Slices have charged the memory that merging them takes. */
function uncharged(): void {}

class ShardCardinality implements ShardReducer {
  readonly #sketches: HashSketches

  constructor(threshold: number) {
    this.#sketches = new HashSketches(precisionOf(threshold), uncharged)
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    this.#sketches.merge(own as HashPartial, owners)
    return NO_BUCKETS
  }

  value(owner: number, metric: string | null): number {
    return metric === null || metric === 'value' ? this.#sketches.count(owner) : Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  result(owner: number): MetricResult {
    const value = this.#sketches.count(owner)
    return {
      kind: 'metric',
      typedName: 'cardinality',
      value: metric => (metric === null || metric === 'value' ? value : undefined),
      print: () => ({ value }),
    }
  }
}
