import type { GatherNotes } from '../../search/collector/gather.ts'
import { highHalf, lowHalf } from '../../search/query/point-value.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { mix64, Word64 } from '../../util/word64.ts'
import { type Aggregator, NO_BUCKETS, type SliceReducer } from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { HashBatch } from '../kernel/hash-batch.ts'
import { IntegerKeys, SlotCounts } from '../kernel/slot-counts.ts'
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
  readonly #values: NumberSource
  /** How a kernel reads the open leaf: by integers, or by hashes; both null: values come one by one. */
  #integers: { readonly keys: IntegerKeys; readonly slots: SlotCounts } | null = null
  #hashes: HashBatch | null = null

  constructor(values: NumberSource, sketches: HashSketches) {
    this.#values = values
    this.#column = new NumberColumn(values)
    this.#isLong = values.type === 'long'
    this.#sketches = sketches
  }

  openLeaf(leaf: Leaf, _leafOrd: number, ownerLimit: number): void {
    const column = this.#column
    column.openLeaf(leaf)
    this.#collectors.add(column.isEmpty ? 'empty' : 'numeric')
    this.#integers = null
    this.#hashes = null
    const { values } = column
    const { missing, isNanos } = this.#values
    if (values === null || ownerLimit !== 1 || missing !== null || isNanos) return
    const keys = this.#isLong ? IntegerKeys.of(values, false) : null
    const slots = keys === null ? null : SlotCounts.of(leaf, values, keys, 1, false)
    if (keys !== null && slots !== null) this.#integers = { keys, slots }
    else this.#hashes = HashBatch.of(leaf, values, this.#values, this.#sketches.precision)
  }

  collect(batch: BucketBatch): void {
    if (this.#integers !== null) this.#integers.slots.count(batch)
    // The hashes of few distinct values are kept, which the kernel does not.
    else if (this.#hashes !== null && this.#sketches.hasRegisters(0)) this.#hashes.add(batch)
    else this.#collectOneByOne(batch)
  }

  closeLeaf(): void {
    if (this.#integers !== null) this.#hashIntegers(this.#integers.keys, this.#integers.slots)
    if (this.#hashes !== null && this.#sketches.hasRegisters(0))
      this.#sketches.addRegisters(0, this.#hashes.registers)
    this.#integers = null
    this.#hashes = null
  }

  #hashIntegers({ base }: IntegerKeys, slots: SlotCounts): void {
    for (const key of slots.list().keys) {
      const value = base + BigInt(key)
      word.set(highHalf(value), lowHalf(value))
      mix64(word)
      this.#sketches.add(0, word.high, word.low)
    }
  }

  #collectOneByOne(batch: BucketBatch): void {
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
