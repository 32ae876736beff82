/** `weighted_avg`: the sum of values times weights over that of weights. */

import type { GatherNotes } from '../../search/collector/gather.ts'
import { sectionBit } from '../../search/weight/section-use.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { EngineError } from '../../util/errors.ts'
import {
  type AggregationPlan,
  type AggregationType,
  type Aggregator,
  NO_BUCKETS,
  NO_NOTES,
  type ShardReducer,
  type SliceReducer,
} from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { columnExponents } from '../column-exponents.ts'
import { ownerLimit } from '../columns.ts'
import {
  addSums,
  type ExactSum,
  ExactSums,
  productExponents,
  roundedSum,
  type SumScale,
  type SumsPartial,
  sumScale,
  ZERO_SUM,
} from '../exact-sum.ts'
import { NumberColumn } from '../number-column.ts'
import type { MetricResult } from '../result.ts'
import type { NumberSource } from '../value-source.ts'
import { numberText } from '../value-text.ts'
import { printValue } from './moments.ts'

/** The average of a field's numbers, weighted by those of another. */
export interface WeightedAvg extends AggregationPlan {
  readonly kind: 'weightedAvg'
  readonly values: NumberSource
  readonly weights: NumberSource
}

/** Scales of the sums. */
interface Ready {
  readonly products: SumScale
  readonly weights: SumScale
}

/** Columns of a slice. */
interface Partial {
  readonly products: SumsPartial
  readonly weights: SumsPartial
}

/** Columns of a shard. */
interface Closed {
  readonly products: readonly ExactSum[]
  readonly weights: readonly ExactSum[]
}

const NUMERIC_VALUES = sectionBit('numericValues')

/** The weighted average of two fields. */
export const weightedAvg: AggregationType<WeightedAvg, Ready> = {
  readsScores: () => false,
  className: () => 'WeightedAvgAggregator',
  prepare({ values, weights }, shard) {
    for (const { field } of [values, weights]) shard.use(field, NUMERIC_VALUES)
    const ofValues = columnExponents(values, shard.leaves).decoded
    const ofWeights = columnExponents(weights, shard.leaves).decoded
    return {
      products: sumScale(productExponents(ofValues, ofWeights)),
      weights: sumScale(ofWeights),
    }
  },
  open: (plan, ready) => new WeightedAggregator(plan, ready),
  sliceReducer: (_plan, ready) => new SliceWeighted(ready),
  shardReducer: ([plan]) => new ShardWeighted(plan!),
}

class WeightedAggregator implements Aggregator {
  readonly #values: NumberColumn
  readonly #weights: NumberColumn
  readonly #products: ExactSums
  readonly #sums: ExactSums

  constructor({ values, weights }: WeightedAvg, ready: Ready) {
    this.#values = new NumberColumn(values)
    this.#weights = new NumberColumn(weights)
    this.#products = new ExactSums(ready.products)
    this.#sums = new ExactSums(ready.weights)
  }

  openLeaf(leaf: Leaf): void {
    this.#values.openLeaf(leaf)
    this.#weights.openLeaf(leaf)
  }

  collect(batch: BucketBatch): void {
    if (this.#values.isEmpty || this.#weights.isEmpty) return
    this.#values.read(batch)
    this.#weights.read(batch)
    const { owners } = batch
    const limit = ownerLimit(owners, batch.count)
    this.#products.ensure(limit)
    this.#sums.ensure(limit)
    const { index, count } = this.#values
    const values = this.#values.doubles()
    const weights = this.#weights.doubles()
    const { index: weighted, count: weightCount } = this.#weights
    let next = 0
    for (let i = 0; i < count; i++) {
      const at = index[i]!
      while (next < weightCount && weighted[next]! < at) next++
      if (next === weightCount) return
      if (weighted[next] !== at) continue
      if (next + 1 < weightCount && weighted[next + 1] === at) throw severalWeights()
      const owner = owners === null ? 0 : owners[at]!
      this.#products.add(owner, values[i]! * weights[next]!)
      this.#sums.add(owner, weights[next]!)
    }
  }

  finish(): Partial {
    return { products: this.#products.partial(), weights: this.#sums.partial() }
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}

function severalWeights(): EngineError {
  return new EngineError({
    type: 'aggregation_execution_exception',
    reason:
      'Encountered more than one weight for a single document. Use a script to combine multiple ' +
      'weights-per-doc into a single value.',
  })
}

class SliceWeighted implements SliceReducer {
  readonly #products: ExactSums
  readonly #weights: ExactSums

  constructor({ products, weights }: Ready) {
    this.#products = new ExactSums(products)
    this.#weights = new ExactSums(weights)
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const { products, weights } = own as Partial
    const limit = ownerLimit(owners, owners.length)
    this.#products.ensure(limit)
    this.#weights.ensure(limit)
    this.#products.merge(products, owners)
    this.#weights.merge(weights, owners)
    return NO_BUCKETS
  }

  close(owners: Int32Array): { own: Closed; buckets: Int32Array } {
    const sumsOf = (sums: ExactSums): ExactSum[] => Array.from(owners, owner => sums.sum(owner))
    return {
      own: { products: sumsOf(this.#products), weights: sumsOf(this.#weights) },
      buckets: NO_BUCKETS,
    }
  }

  value(owner: number, metric: string | null): number {
    return metric === null || metric === 'value'
      ? averageOf(this.#products.sum(owner), this.#weights.sum(owner))
      : Number.NaN
  }

  bucketOf(): number {
    return -1
  }
}

class ShardWeighted implements ShardReducer {
  readonly #plan: WeightedAvg
  readonly #products: ExactSum[] = []
  readonly #weights: ExactSum[] = []

  constructor(plan: WeightedAvg) {
    this.#plan = plan
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const { products, weights } = own as Closed
    owners.forEach((owner, i) => {
      this.#products[owner] = addSums(this.#products[owner] ?? ZERO_SUM, products[i]!)
      this.#weights[owner] = addSums(this.#weights[owner] ?? ZERO_SUM, weights[i]!)
    })
    return NO_BUCKETS
  }

  value(owner: number, metric: string | null): number {
    return metric === null || metric === 'value' ? this.#average(owner) : Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  result(owner: number): MetricResult {
    const value = this.#average(owner)
    return {
      kind: 'metric',
      typedName: 'weighted_avg',
      value: metric => (metric === null || metric === 'value' ? value : undefined),
      print: () => printValue(value, numberText(this.#plan.values.format)),
    }
  }

  #average(owner: number): number {
    return averageOf(this.#products[owner] ?? ZERO_SUM, this.#weights[owner] ?? ZERO_SUM)
  }
}

function averageOf(products: ExactSum, weights: ExactSum): number {
  return roundedSum(products) / roundedSum(weights)
}
