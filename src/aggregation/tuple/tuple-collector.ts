import type { GatherNotes } from '../../search/collector/gather.ts'
import type { MatchScope } from '../../search/collector/match-scope.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Aggregator, CountLimits } from '../aggregation-type.ts'
import { type BatchTarget, type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { Doubles } from '../columns.ts'
import { LeafTally } from '../kernel/leaf-tally.ts'
import { countPoints, matchedPoints } from '../kernel/point-counts.ts'
import { sourceReader } from './source-reader.ts'
import type { TupleReader } from './tuple-reader.ts'
import { bucketStart, nextStart, type TupleSource, type TupleValue } from './tuple-source.ts'
import { TupleTable } from './tuple-table.ts'

/** Columns of buckets of tuples. */
export interface TuplesPartial {
  readonly owners: Int32Array
  /** By place of the tuple, the id of each bucket's value. */
  readonly ids: readonly Int32Array[]
  /** By place of the tuple, values by id. */
  readonly values: readonly (readonly TupleValue[])[]
  readonly counts: Float64Array
}

/** Collects a bucket for each combination of the values of several sources. */
export class TupleCollector implements Aggregator {
  readonly #sources: readonly TupleSource[]
  readonly #readers: readonly TupleReader[]
  readonly #tally = new LeafTally()
  readonly #table: TupleTable
  readonly #counts = new Doubles()
  readonly #below: ChildBatch | null

  /** @param charge charges memory before it is taken; absent: another has charged it */
  constructor(
    sources: readonly TupleSource[],
    children: readonly BatchTarget[],
    charge?: (bytes: number) => void,
  ) {
    this.#sources = sources
    this.#readers = sources.map(sourceReader)
    this.#table = new TupleTable(sources.length, charge)
    this.#below = children.length === 0 ? null : new ChildBatch(children)
  }

  openLeaf(leaf: Leaf): void {
    this.#tally.addCollected()
    for (const reader of this.#readers) reader.openLeaf(leaf)
  }

  countLeaf(leaf: Leaf, scope: MatchScope, { maxRuns }: CountLimits): boolean {
    const [source] = this.#sources
    const { values, rounding } = source!
    const start = bucketStart(rounding)
    if (values?.kind !== 'numbers' || start === null || this.#sources.length > 1) return false
    const matched = matchedPoints(leaf, values, scope)
    const keys = { of: start, next: nextStart(rounding) }
    const found = matched === null ? null : countPoints(matched, keys, maxRuns)
    if (found === null) return false
    this.#tally.addCounted(found)
    const { ids } = this.#readers[0]!
    for (const [i, count] of found.counts.entries()) {
      if (count === 0) continue
      const bucket = this.#table.extend(0, 0, ids.idOf(found.keys[i]!))
      const counts = this.#counts.ensure(bucket + 1)
      counts[bucket] = counts[bucket]! + count
    }
    return true
  }

  collect(batch: BucketBatch): void {
    const { owners, weights, count } = batch
    for (const reader of this.#readers) reader.read(batch)
    this.#below?.begin(batch)
    for (let i = 0; i < count; i++)
      this.#add(0, owners === null ? 0 : owners[i]!, i, weights === null ? 1 : weights[i]!)
    this.#below?.flush()
  }

  /** Adds a document to the buckets of all combinations that begin with a prefix. */
  #add(place: number, prefix: number, index: number, weight: number): void {
    const ids = this.#readers[place]!.of(index)
    const isLast = place === this.#readers.length - 1
    for (const id of ids) {
      const next = this.#table.extend(place, prefix, id)
      if (!isLast) {
        this.#add(place + 1, next, index, weight)
        continue
      }
      const counts = this.#counts.ensure(next + 1)
      counts[next] = counts[next]! + weight
      this.#below?.add(index, next)
    }
  }

  finish(): TuplesPartial {
    const { size } = this.#table
    const places = this.#readers.map((_, place) => place)
    return {
      owners: Int32Array.from({ length: size }, (_, bucket) => this.#table.owner(bucket)),
      ids: places.map(place =>
        Int32Array.from({ length: size }, (_, bucket) => this.#table.id(bucket, place)),
      ),
      values: this.#readers.map(({ ids }) => ids.values),
      counts: this.#counts.ensure(size).slice(0, size),
    }
  }

  notes(): GatherNotes {
    return this.#tally.notes()
  }
}
