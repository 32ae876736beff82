import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { type AggregationSlice, type Aggregator, NO_NOTES } from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { Doubles, Ints } from '../columns.ts'
import type { AnyValueSource, TermSource } from '../value-source.ts'
import {
  DocSample,
  HAS_VALUE,
  NO_VALUE,
  type SampleColumns,
  type SampleLimits,
} from './doc-sample.ts'
import { type KeyColumn, keyColumn } from './sample-keys.ts'

/** The samples of a slice: plain data. Keys of terms are ords of leaves, in halves: leaf and ord. */
export interface SamplePartial extends SampleColumns {
  /** The owning bucket of each document. */
  readonly owners: Int32Array
}

/** Keeps the best documents of each owning bucket. */
export class SamplerAggregator implements Aggregator {
  readonly #limits: SampleLimits
  readonly #slice: AggregationSlice
  readonly #keys: KeyColumn | null
  /** Terms have keys that mean nothing in another leaf: samples of their leaves stand apart. */
  readonly #isByLeaf: boolean
  #samples: (DocSample | undefined)[] = []
  readonly #closed = new ClosedColumns()
  #docBase = 0
  #leafOrd = -1

  /** @param values of the keys; null: any documents are diverse */
  constructor(limits: SampleLimits, values: AnyValueSource | null, slice: AggregationSlice) {
    this.#limits = limits
    this.#slice = slice
    this.#keys = values === null ? null : keyColumn(values)
    this.#isByLeaf = values?.kind === 'terms'
  }

  openLeaf(leaf: Leaf, leafOrd: number): void {
    if (this.#isByLeaf) this.#close()
    this.#docBase = leaf.docBase
    this.#leafOrd = leafOrd
    this.#keys?.openLeaf(leaf)
  }

  collect(batch: BucketBatch): void {
    const { docs, owners, scores, weights, count } = batch
    const keys = this.#keys
    keys?.read(batch)
    const base = this.#docBase
    for (let i = 0; i < count; i++) {
      const owner = owners === null ? 0 : owners[i]!
      const sample = this.#samples[owner] ?? this.#newSample(owner)
      const weight = weights === null ? 1 : weights[i]!
      if (keys === null) sample.add(base + docs[i]!, scores![i]!, weight, NO_VALUE, 0, 0)
      else {
        const space = keys.spaces[i]!
        const high = this.#isByLeaf && space === HAS_VALUE ? this.#leafOrd : keys.highs[i]!
        sample.add(base + docs[i]!, scores![i]!, weight, space, high, keys.lows[i]!)
      }
    }
  }

  finish(): SamplePartial {
    this.#close()
    return this.#closed.packed()
  }

  notes(): GatherNotes {
    return NO_NOTES
  }

  #newSample(owner: number): DocSample {
    const made = new DocSample(this.#limits, bytes => this.#slice.charge(bytes))
    this.#samples[owner] = made
    return made
  }

  #close(): void {
    this.#samples.forEach((sample, owner) => {
      sample!.cut()
      this.#closed.add(owner, sample!)
    })
    this.#samples = []
  }
}

/** Samples behind each other. */
class ClosedColumns {
  readonly #owners = new Ints()
  readonly #docs = new Ints()
  readonly #spaces = new Ints()
  readonly #highs = new Ints()
  readonly #lows = new Ints()
  readonly #scores = new Doubles()
  readonly #weights = new Doubles()

  add(owner: number, { count, docs, spaces, highs, lows, scores, weights }: SampleColumns): void {
    for (let i = 0; i < count; i++) {
      const at = this.#owners.length
      this.#owners.push(owner)
      this.#docs.push(docs[i]!)
      this.#spaces.push(spaces[i]!)
      this.#highs.push(highs[i]!)
      this.#lows.push(lows[i]!)
      this.#scores.ensure(at + 1)[at] = scores[i]!
      this.#weights.ensure(at + 1)[at] = weights[i]!
    }
  }

  packed(): SamplePartial {
    const count = this.#owners.length
    return {
      count,
      owners: this.#owners.packed(),
      docs: this.#docs.packed(),
      spaces: this.#spaces.packed(),
      highs: this.#highs.packed(),
      lows: this.#lows.packed(),
      scores: this.#scores.values.slice(0, count),
      weights: this.#weights.values.slice(0, count),
    }
  }
}

/** Whether keys are terms. */
export function hasTermKeys(values: AnyValueSource | null): values is TermSource {
  return values?.kind === 'terms'
}
