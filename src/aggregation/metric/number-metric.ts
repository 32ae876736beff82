/** avg, sum, min, max, stats and extended_stats: moments of a field's numbers. */

import type { GatherNotes } from '../../search/collector/gather.ts'
import { sectionBit } from '../../search/weight/section-use.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import {
  type AggregationPlan,
  type AggregationShard,
  type AggregationType,
  type Aggregator,
  NO_BUCKETS,
  NO_NOTES,
  type ShardReducer,
  type SliceReducer,
} from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { columnExponents } from '../column-exponents.ts'
import { Doubles, ownerLimit } from '../columns.ts'
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
import {
  MOMENTS_BYTES,
  type MomentsAsked,
  MomentsBatch,
  type MomentsVisit,
} from '../kernel/moments-batch.ts'
import { NumberColumn } from '../number-column.ts'
import type { MetricResult } from '../result.ts'
import type { NumberSource } from '../value-source.ts'
import { numberText } from '../value-text.ts'
import { MOMENT_METRICS, type MomentMetric, type Moments } from './moments.ts'

/** A metric over the numbers of a field. */
export interface NumberMetric extends AggregationPlan {
  readonly kind: 'numberMetric'
  readonly metric: MomentMetric
  readonly values: NumberSource
  /** Width of the bounds of extended_stats, in standard deviations. */
  readonly sigma: number
}

/** Scales of the sums, null where the metric needs none. */
interface Ready {
  readonly sum: SumScale | null
  readonly squares: SumScale | null
}

/** Columns of a slice. */
interface Partial {
  readonly counts: Float64Array
  readonly mins: Float64Array
  readonly maxs: Float64Array
  readonly sums: SumsPartial | null
  readonly squares: SumsPartial | null
}

/** Columns of a shard. */
interface Closed {
  readonly counts: Float64Array
  readonly mins: Float64Array
  readonly maxs: Float64Array
  readonly sums: readonly ExactSum[]
  readonly squares: readonly ExactSum[]
  /** Divisor of the sums, whose values are integers. */
  readonly divisor: number
}

const NUMERIC_VALUES = sectionBit('numericValues')

/** The moments of a field's numbers. */
export const numberMetric: AggregationType<NumberMetric, Ready> = {
  readsScores: () => false,
  className: ({ metric }) => MOMENT_METRICS[metric].className,
  prepare: ({ metric, values }, shard) => {
    shard.use(values.field, NUMERIC_VALUES)
    shard.reserve(MOMENTS_BYTES)
    return scalesOf(metric, values, shard)
  },
  open: ({ metric, values }, ready) =>
    new MomentsAggregator(values, MOMENT_METRICS[metric].extremes, ready),
  sliceReducer: (plan, ready) => new SliceMoments(plan, ready),
  shardReducer: ([plan]) => new ShardMoments(plan!),
}

function scalesOf(metric: MomentMetric, values: NumberSource, shard: AggregationShard): Ready {
  const { sums, squares } = MOMENT_METRICS[metric]
  if (!sums) return { sum: null, squares: null }
  const exponents = columnExponents(values, shard.leaves)
  return {
    sum: sumScale(exponents.stored),
    squares: squares ? sumScale(productExponents(exponents.decoded, exponents.decoded)) : null,
  }
}

/** Whether sums are of the stored integers. */
function sumsIntegers({ encoding }: NumberSource): boolean {
  return encoding === 'long' || encoding === 'unsignedLong'
}

class MomentsAggregator implements Aggregator {
  readonly #values: NumberSource
  readonly #column: NumberColumn
  readonly #sums: ExactSums | null
  readonly #squares: ExactSums | null
  readonly #counts = new Doubles()
  readonly #mins = new Doubles(Number.POSITIVE_INFINITY)
  readonly #maxs = new Doubles(Number.NEGATIVE_INFINITY)
  /** Adds up the open leaf; null: its values are added one by one. */
  #batch: MomentsBatch | null = null
  readonly #divisor: number

  readonly #asks: MomentsAsked

  constructor(values: NumberSource, extremes: boolean, { sum, squares }: Ready) {
    this.#asks = { sums: sum !== null, extremes }
    this.#divisor = sumsIntegers(values) ? values.scale : 1
    this.#values = values
    this.#column = new NumberColumn(values)
    this.#sums = sum === null ? null : new ExactSums(sum)
    this.#squares = squares === null ? null : new ExactSums(squares)
  }

  openLeaf(leaf: Leaf, _leafOrd: number, ownerLimit: number): void {
    this.#column.openLeaf(leaf)
    const { values } = this.#column
    this.#batch =
      this.#squares === null
        ? MomentsBatch.of(leaf, values, this.#values, this.#asks, ownerLimit)
        : null
  }

  collect(batch: BucketBatch): void {
    if (this.#batch === null) this.#collectOneByOne(batch)
    else this.#batch.add(batch, this.#take)
  }

  closeLeaf(): void {
    this.#batch?.empty(this.#take)
    this.#batch = null
  }

  /** Adds moments that a kernel has made of a leaf's values. */
  readonly #take: MomentsVisit = (owner, count, min, max, chunks) => {
    const counts = this.#counts.ensure(owner + 1)
    const mins = this.#mins.ensure(owner + 1)
    const maxs = this.#maxs.ensure(owner + 1)
    counts[owner] = counts[owner]! + count
    mins[owner] = Math.min(mins[owner]!, min / this.#divisor)
    maxs[owner] = Math.max(maxs[owner]!, max / this.#divisor)
    this.#sums?.ensure(owner + 1)
    for (const chunk of chunks) this.#sums!.add(owner, chunk)
  }

  #collectOneByOne(batch: BucketBatch): void {
    const column = this.#column
    if (column.isEmpty) return
    column.read(batch)
    const { count, index } = column
    const { owners } = batch
    const limit = ownerLimit(owners, batch.count)
    const counts = this.#counts.ensure(limit)
    const mins = this.#mins.ensure(limit)
    const maxs = this.#maxs.ensure(limit)
    const values = column.doubles()
    for (let i = 0; i < count; i++) {
      const owner = owners === null ? 0 : owners[index[i]!]!
      const value = values[i]!
      counts[owner] = counts[owner]! + 1
      // Of 0 and −0 either may come first: the answer may not depend on it.
      mins[owner] = Math.min(mins[owner]!, value)
      maxs[owner] = Math.max(maxs[owner]!, value)
    }
    if (this.#sums !== null) this.#addSums(this.#sums, batch, values, limit)
    const squares = this.#squares
    if (squares === null) return
    squares.ensure(limit)
    for (let i = 0; i < count; i++)
      squares.add(owners === null ? 0 : owners[index[i]!]!, values[i]! * values[i]!)
  }

  finish(): Partial {
    return {
      counts: this.#counts.values,
      mins: this.#mins.values,
      maxs: this.#maxs.values,
      sums: this.#sums?.partial() ?? null,
      squares: this.#squares?.partial() ?? null,
    }
  }

  notes(): GatherNotes {
    return NO_NOTES
  }

  #addSums(sums: ExactSums, { owners }: BucketBatch, values: Float64Array, limit: number): void {
    const { count, index, high, low } = this.#column
    sums.ensure(limit)
    if (!sumsIntegers(this.#values)) {
      for (let i = 0; i < count; i++) sums.add(owners === null ? 0 : owners[index[i]!]!, values[i]!)
      return
    }
    // An unsigned integer is stored with its sign bit flipped.
    const base = this.#values.encoding === 'unsignedLong' ? 2147483648 : 0
    for (let i = 0; i < count; i++)
      sums.addLong(owners === null ? 0 : owners[index[i]!]!, high[i]! + base, low[i]!)
  }
}

class SliceMoments implements SliceReducer {
  readonly #plan: NumberMetric
  readonly #counts = new Doubles()
  readonly #mins = new Doubles(Number.POSITIVE_INFINITY)
  readonly #maxs = new Doubles(Number.NEGATIVE_INFINITY)
  readonly #sums: ExactSums | null
  readonly #squares: ExactSums | null

  constructor(plan: NumberMetric, { sum, squares }: Ready) {
    this.#plan = plan
    this.#sums = sum === null ? null : new ExactSums(sum)
    this.#squares = squares === null ? null : new ExactSums(squares)
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const { counts, mins, maxs, sums, squares } = own as Partial
    const limit = ownerLimit(owners, owners.length)
    addMoments(this.#counts.ensure(limit), this.#mins.ensure(limit), this.#maxs.ensure(limit), {
      counts,
      mins,
      maxs,
      owners,
    })
    this.#sums?.ensure(limit)
    this.#squares?.ensure(limit)
    if (sums !== null) this.#sums?.merge(sums, owners)
    if (squares !== null) this.#squares?.merge(squares, owners)
    return NO_BUCKETS
  }

  close(owners: Int32Array): { own: Closed; buckets: Int32Array } {
    const { values } = this.#plan
    const pick = (column: Doubles): Float64Array =>
      Float64Array.from(owners, owner => column.at(owner))
    const sumsOf = (sums: ExactSums | null): ExactSum[] =>
      sums === null ? [] : Array.from(owners, owner => sums.sum(owner))
    return {
      own: {
        counts: pick(this.#counts),
        mins: pick(this.#mins),
        maxs: pick(this.#maxs),
        sums: sumsOf(this.#sums),
        squares: sumsOf(this.#squares),
        divisor: sumsIntegers(values) ? values.scale : 1,
      },
      buckets: NO_BUCKETS,
    }
  }

  value(owner: number, metric: string | null): number {
    const divisor = sumsIntegers(this.#plan.values) ? this.#plan.values.scale : 1
    const moments = {
      count: this.#counts.at(owner),
      min: this.#mins.at(owner),
      max: this.#maxs.at(owner),
      sum: this.#sums === null ? 0 : roundedSum(this.#sums.sum(owner), divisor),
      squares: this.#squares === null ? 0 : roundedSum(this.#squares.sum(owner)),
    }
    return metricOf(this.#plan, moments, metric)
  }

  bucketOf(): number {
    return -1
  }
}

/** Sums of the owning buckets of one divisor. */
interface DividedSums {
  readonly sum: ExactSum
  readonly divisor: number
}

class ShardMoments implements ShardReducer {
  readonly #plan: NumberMetric
  readonly #counts = new Doubles()
  readonly #mins = new Doubles(Number.POSITIVE_INFINITY)
  readonly #maxs = new Doubles(Number.NEGATIVE_INFINITY)
  /** By owning bucket: an entry for each divisor, which indices may differ in. */
  readonly #sums: DividedSums[][] = []
  readonly #squares: ExactSum[] = []

  constructor(plan: NumberMetric) {
    this.#plan = plan
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const { counts, mins, maxs, sums, squares, divisor } = own as Closed
    const limit = ownerLimit(owners, owners.length)
    addMoments(this.#counts.ensure(limit), this.#mins.ensure(limit), this.#maxs.ensure(limit), {
      counts,
      mins,
      maxs,
      owners,
    })
    sums.forEach((sum, i) => {
      const owner = owners[i]!
      const known = this.#sums[owner] ?? []
      const at = known.findIndex(each => each.divisor === divisor)
      if (at < 0) known.push({ sum, divisor })
      else known[at] = { sum: addSums(known[at]!.sum, sum), divisor }
      this.#sums[owner] = known
    })
    squares.forEach((sum, i) => {
      const owner = owners[i]!
      this.#squares[owner] = addSums(this.#squares[owner] ?? ZERO_SUM, sum)
    })
    return NO_BUCKETS
  }

  value(owner: number, metric: string | null): number {
    return metricOf(this.#plan, this.#moments(owner), metric)
  }

  bucketOf(): number {
    return -1
  }

  result(owner: number): MetricResult {
    const { metric, sigma, values } = this.#plan
    const type = MOMENT_METRICS[metric]
    const moments = this.#moments(owner)
    const text = numberText(values.format)
    return {
      kind: 'metric',
      typedName: metric,
      value: name => type.value(moments, sigma, name),
      print: (): JsonRecord => type.print(moments, sigma, text),
    }
  }

  #moments(owner: number): Moments {
    let sum = 0
    for (const each of this.#sums[owner] ?? []) sum += roundedSum(each.sum, each.divisor)
    return {
      count: this.#counts.at(owner),
      min: this.#mins.at(owner),
      max: this.#maxs.at(owner),
      sum,
      squares: roundedSum(this.#squares[owner] ?? ZERO_SUM),
    }
  }
}

function metricOf({ metric, sigma }: NumberMetric, moments: Moments, name: string | null): number {
  return MOMENT_METRICS[metric].value(moments, sigma, name) ?? Number.NaN
}

interface MomentColumns extends Pick<Partial, 'counts' | 'mins' | 'maxs'> {
  readonly owners: Int32Array
}

function addMoments(
  counts: Float64Array,
  mins: Float64Array,
  maxs: Float64Array,
  from: MomentColumns,
): void {
  for (let i = 0; i < from.owners.length && i < from.counts.length; i++) {
    const owner = from.owners[i]!
    counts[owner] = counts[owner]! + from.counts[i]!
    mins[owner] = Math.min(mins[owner]!, from.mins[i]!)
    maxs[owner] = Math.max(maxs[owner]!, from.maxs[i]!)
  }
}
