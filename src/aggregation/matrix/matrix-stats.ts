/** `matrix_stats`: moments of several fields, and how they vary together. */

import type { GatherNotes } from '../../search/collector/gather.ts'
import { sectionBit } from '../../search/weight/section-use.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { Float64, type JsonRecord, type JsonValue } from '../../util/json/json-value.ts'
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
import { NumberColumn } from '../number-column.ts'
import type { MetricResult } from '../result.ts'
import type { NumberSource } from '../value-source.ts'
import { matrixMoments } from './matrix-moments.ts'
import { GrowingPowerSums, type PowerSums, pairIndex } from './power-sums.ts'

/** Which number stands for several values of a document. */
export type MatrixMode = 'avg' | 'min' | 'max' | 'sum' | 'median'

/** Moments of the documents that have a value in each field. */
export interface MatrixStats extends AggregationPlan {
  readonly kind: 'matrixStats'
  /** As the request names them. */
  readonly names: readonly string[]
  /** By name. */
  readonly fields: readonly NumberSource[]
  readonly mode: MatrixMode
}

/** Sums by owning bucket; undefined: it has no document. */
type Partial = readonly (PowerSums | undefined)[]

/** Bytes of a sum of common values. */
const SUM_BYTES = 48

const NUMERIC_VALUES = sectionBit('numericValues')

/** Moments of several fields. */
export const matrixStats: AggregationType<MatrixStats, null> = {
  readsScores: () => false,
  className: () => 'MatrixStatsAggregator',
  prepare({ fields }, shard) {
    for (const { field } of fields) shard.use(field, NUMERIC_VALUES)
    return null
  },
  open: ({ fields, mode }, _ready, _children, slice) =>
    new MatrixAggregator(fields, mode, bytes => slice.charge(bytes)),
  sliceReducer: ({ fields }) => new SliceMatrix(fields.length),
  shardReducer: ([plan]) => new ShardMatrix(plan!.names),
}

/** Slices have charged the memory that merging them takes. */
function uncharged(): void {}

/** The sums of owning buckets. */
class SumsByOwner {
  readonly #fieldCount: number
  readonly #charge: (bytes: number) => void
  readonly #sums: (GrowingPowerSums | undefined)[] = []

  /** @param charge memory is charged to it before it is taken */
  constructor(fieldCount: number, charge: (bytes: number) => void) {
    this.#fieldCount = fieldCount
    this.#charge = charge
  }

  of(owner: number): GrowingPowerSums {
    while (this.#sums.length <= owner) this.#sums.push(undefined)
    const known = this.#sums[owner]
    if (known !== undefined) return known
    const count = this.#fieldCount
    this.#charge(SUM_BYTES * (4 * count + pairIndex(0, count)))
    const made = new GrowingPowerSums(count)
    this.#sums[owner] = made
    return made
  }

  merge(partial: Partial, owners: Int32Array): void {
    partial.forEach((sums, i) => {
      if (sums !== undefined) this.of(owners[i]!).merge(sums)
    })
  }

  partial(): Partial {
    return this.#sums.map(sums => sums?.sums())
  }

  sums(owner: number): PowerSums | undefined {
    return this.#sums[owner]?.sums()
  }
}

class MatrixAggregator implements Aggregator {
  readonly #columns: readonly NumberColumn[]
  readonly #mode: MatrixMode
  readonly #sums: SumsByOwner
  readonly #values: Float64Array
  readonly #next: Int32Array

  constructor(fields: readonly NumberSource[], mode: MatrixMode, charge: (bytes: number) => void) {
    this.#columns = fields.map(field => new NumberColumn(field))
    this.#mode = mode
    this.#sums = new SumsByOwner(fields.length, charge)
    this.#values = new Float64Array(fields.length)
    this.#next = new Int32Array(fields.length)
  }

  openLeaf(leaf: Leaf): void {
    for (const column of this.#columns) column.openLeaf(leaf)
  }

  collect(batch: BucketBatch): void {
    if (this.#columns.some(({ isEmpty }) => isEmpty)) return
    for (const column of this.#columns) column.read(batch)
    const doubles = this.#columns.map(column => column.doubles())
    this.#next.fill(0)
    const { owners } = batch
    for (let i = 0; i < batch.count; i++)
      if (this.#readValues(i, doubles))
        this.#sums.of(owners === null ? 0 : owners[i]!).add(this.#values)
  }

  finish(): Partial {
    return this.#sums.partial()
  }

  notes(): GatherNotes {
    return NO_NOTES
  }

  /** Reads the values of a document of the batch. @returns whether each field has one */
  #readValues(at: number, doubles: readonly Float64Array[]): boolean {
    let hasAll = true
    for (const [i, { index, count }] of this.#columns.entries()) {
      const start = this.#next[i]!
      let end = start
      while (end < count && index[end] === at) end++
      this.#next[i] = end
      if (start === end) hasAll = false
      else this.#values[i] = oneOf(doubles[i]!, start, end, this.#mode)
    }
    return hasAll
  }
}

/** The number that stands for a document's values, which are ascending. */
function oneOf(values: Float64Array, start: number, end: number, mode: MatrixMode): number {
  switch (mode) {
    case 'min':
      return values[start]!
    case 'max':
      return values[end - 1]!
    case 'sum':
      return sumOf(values, start, end)
    case 'avg':
      return sumOf(values, start, end) / (end - start)
    case 'median': {
      const middle = (start + end) >>> 1
      return (end - start) % 2 === 1 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2
    }
  }
}

function sumOf(values: Float64Array, start: number, end: number): number {
  let sum = 0
  for (let i = start; i < end; i++) sum += values[i]!
  return sum
}

class SliceMatrix implements SliceReducer {
  readonly #sums: SumsByOwner

  constructor(fieldCount: number) {
    this.#sums = new SumsByOwner(fieldCount, uncharged)
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    this.#sums.merge(own as Partial, owners)
    return NO_BUCKETS
  }

  close(owners: Int32Array): { own: Partial; buckets: Int32Array } {
    return { own: Array.from(owners, owner => this.#sums.sums(owner)), buckets: NO_BUCKETS }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }
}

class ShardMatrix implements ShardReducer {
  readonly #names: readonly string[]
  readonly #sums: SumsByOwner

  constructor(names: readonly string[]) {
    this.#names = names
    this.#sums = new SumsByOwner(names.length, uncharged)
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    this.#sums.merge(own as Partial, owners)
    return NO_BUCKETS
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  result(owner: number): MetricResult {
    const sums = this.#sums.sums(owner)
    return {
      kind: 'metric',
      typedName: 'matrix_stats',
      value: metric => (metric === 'doc_count' ? (sums?.count ?? 0) : undefined),
      print: () => print(this.#names, sums),
    }
  }
}

function print(names: readonly string[], sums: PowerSums | undefined): JsonRecord {
  if (sums === undefined) return { doc_count: 0 }
  const { count } = sums
  const byName = (values: readonly number[]): JsonValue =>
    new Map(names.map((name, i) => [name, printRaw(values[i]!)]))
  return {
    doc_count: count,
    fields: matrixMoments(sums).map(
      ({ mean, variance, skewness, kurtosis, covariances, correlations }, i) => ({
        name: names[i]!,
        count,
        mean: printRaw(mean),
        variance: printRaw(variance),
        skewness: printRaw(skewness),
        kurtosis: printRaw(kurtosis),
        covariance: byName(covariances),
        correlation: byName(correlations),
      }),
    ),
  }
}

/** A raw NaN prints as text. */
function printRaw(value: number): JsonValue {
  return Number.isNaN(value) ? 'NaN' : new Float64(value)
}
