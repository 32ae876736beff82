import type { GatherNotes } from '../../search/collector/gather.ts'
import { murmur128First } from '../../util/murmur128.ts'
import { Word64 } from '../../util/word64.ts'
import type { Aggregator } from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { TextColumn } from '../text-column.ts'
import type { TextSource } from '../value-source.ts'
import { termOfText } from '../value-text.ts'
import { CollectorCounts } from './collector-counts.ts'
import type { HashPartial, HashSketches } from './hash-sketches.ts'

/** Sketches the distinct texts that a script gives, by the hashes that terms have. */
export class DistinctTexts implements Aggregator {
  readonly #column: TextColumn
  readonly #format: TextSource['format']
  readonly #sketches: HashSketches
  readonly #collectors = new CollectorCounts()
  readonly #word = new Word64()

  constructor(values: TextSource, sketches: HashSketches) {
    this.#column = new TextColumn(values)
    this.#format = values.format
    this.#sketches = sketches
  }

  openLeaf(): void {
    this.#column.openLeaf()
    this.#collectors.add('string_hashing')
  }

  collect(batch: BucketBatch): void {
    const column = this.#column
    column.read(batch)
    for (let i = 0; i < column.count; i++) {
      const owner = batch.owners === null ? 0 : batch.owners[column.index[i]!]!
      murmur128First(termOfText(this.#format, column.texts[i]!), this.#word)
      this.#sketches.add(owner, this.#word.high, this.#word.low)
    }
  }

  finish(): HashPartial {
    return this.#sketches.partial()
  }

  notes(): GatherNotes {
    return this.#collectors.notes()
  }
}
