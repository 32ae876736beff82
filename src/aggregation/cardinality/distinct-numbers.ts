import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { mix64, Word64 } from '../../util/word64.ts'
import { type Aggregator, NO_BUCKETS, type SliceReducer } from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { NumberColumn } from '../number-column.ts'
import type { NumberSource } from '../value-source.ts'
import { CollectorCounts } from './collector-counts.ts'
import type { HashPartial, HashSketches } from './hash-sketches.ts'

const word = new Word64()
const double = new Float64Array(1)
const halves = new Int32Array(double.buffer)

/** Sketches the distinct numbers of buckets: integers by themselves, others by the bits of doubles. */
export class DistinctNumbers implements Aggregator {
  readonly #column: NumberColumn
  readonly #collectors = new CollectorCounts()
  readonly #isLong: boolean
  readonly #sketches: HashSketches

  constructor(values: NumberSource, sketches: HashSketches) {
    this.#column = new NumberColumn(values)
    this.#isLong = values.type === 'long'
    this.#sketches = sketches
  }

  openLeaf(leaf: Leaf): void {
    this.#column.openLeaf(leaf)
    this.#collectors.add(this.#column.isEmpty ? 'empty' : 'numeric')
  }

  collect(batch: BucketBatch): void {
    const column = this.#column
    if (column.isEmpty) return
    column.read(batch)
    const { count, index, high, low } = column
    const { owners } = batch
    const doubles = this.#isLong ? null : column.doubles()
    for (let i = 0; i < count; i++) {
      if (doubles === null) word.set(high[i]!, low[i]!)
      else {
        double[0] = doubles[i]!
        word.set(halves[1]!, halves[0]!)
      }
      mix64(word)
      this.#sketches.add(owners === null ? 0 : owners[index[i]!]!, word.high, word.low)
    }
  }

  finish(): HashPartial {
    return this.#sketches.partial()
  }

  notes(): GatherNotes {
    return this.#collectors.notes()
  }
}

/** Merges the sketches of slices. */
export class SliceNumbers implements SliceReducer {
  readonly #sketches: HashSketches

  constructor(sketches: HashSketches) {
    this.#sketches = sketches
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    this.#sketches.merge(own as HashPartial, owners)
    return NO_BUCKETS
  }

  close(owners: Int32Array): { own: HashPartial; buckets: Int32Array } {
    return { own: this.#sketches.pick(owners), buckets: NO_BUCKETS }
  }

  value(owner: number, metric: string | null): number {
    return metric === null || metric === 'value' ? this.#sketches.count(owner) : Number.NaN
  }

  bucketOf(): number {
    return -1
  }
}
