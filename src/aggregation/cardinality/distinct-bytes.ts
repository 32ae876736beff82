import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { murmur128First } from '../../util/murmur128.ts'
import { Word64 } from '../../util/word64.ts'
import type { Aggregator } from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { ByteColumn } from '../byte-column.ts'
import type { ByteSource } from '../value-source.ts'
import { CollectorCounts } from './collector-counts.ts'
import type { HashPartial, HashSketches } from './hash-sketches.ts'

/** Sketches the distinct byte strings of a field. */
export class DistinctBytes implements Aggregator {
  readonly #column: ByteColumn
  readonly #sketches: HashSketches
  readonly #collectors = new CollectorCounts()
  readonly #word = new Word64()

  constructor(values: ByteSource, sketches: HashSketches) {
    this.#column = new ByteColumn(values)
    this.#sketches = sketches
  }

  openLeaf(leaf: Leaf): void {
    this.#column.openLeaf(leaf)
    this.#collectors.add('string_hashing')
  }

  collect(batch: BucketBatch): void {
    const { owners } = batch
    this.#column.forEach(batch, (index, value) => {
      murmur128First(value, this.#word)
      this.#sketches.add(owners === null ? 0 : owners[index]!, this.#word.high, this.#word.low)
    })
  }

  finish(): HashPartial {
    return this.#sketches.partial()
  }

  notes(): GatherNotes {
    return this.#collectors.notes()
  }
}
