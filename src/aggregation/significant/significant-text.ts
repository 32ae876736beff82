/**
 * `significant_text`: a bucket for each term of a text that is more frequent here than elsewhere. Slices list
 * documents; their texts are analysed between merging slices and merging shards, above this folder.
 */
import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Query } from '../../search/query/query.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type {
  AggregationPlan,
  AggregationSlice,
  AggregationType,
  Aggregator,
  SliceReducer,
} from '../aggregation-type.ts'
import { NO_BUCKETS } from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { Doubles, Ints } from '../columns.ts'
import type { ValueFilter } from '../terms/value-filter.ts'
import type { TermSource } from '../value-source.ts'
import { ShardSignificant } from './shard-significant.ts'
import type { CutBySignificance } from './slice-significant.ts'

/** A bucket for each term of a text that is more frequent in the documents than in the background. */
export interface SignificantText extends AggregationPlan, CutBySignificance {
  readonly kind: 'significantText'
  /** The field whose analyzer makes the terms, and whose dictionary tells the background. */
  readonly values: TermSource
  /** Paths of the texts in the source. */
  readonly paths: readonly string[]
  /** Whether runs of tokens that earlier texts of the bucket had are left out. */
  readonly dropsRepeated: boolean
  /** The terms that have buckets; null: all. */
  readonly filter: ValueFilter | null
  /** The documents to compare with; null: all of the index. */
  readonly background: Query | null
}

/** Documents by owning bucket, ascending by document, then bucket: plain data. */
export interface ListedTexts {
  /** Documents of the shard. */
  readonly docs: Int32Array
  readonly owners: Int32Array
  /** Weights in counts. */
  readonly weights: Float64Array
}

/** The documents of a shard, before their texts are analysed. */
export interface ClosedTexts extends ListedTexts {
  /** How many owning buckets there are. */
  readonly ownerCount: number
}

/** Buckets by term of a text, the most significant first. */
export const significantText: AggregationType<SignificantText, null> = {
  readsScores: () => false,
  className: () => 'MapStringTermsAggregator',
  prepare: () => null,
  open: (_plan, _ready, _children, slice) => new TextCollector(slice),
  sliceReducer: () => new SliceTexts(),
  shardReducer: (plans, children, shards) => new ShardSignificant(plans, children, shards),
}

/** Memory of a document in a list. */
const ENTRY_BYTES = 16

class TextCollector implements Aggregator {
  readonly #slice: AggregationSlice
  readonly #docs = new Ints()
  readonly #owners = new Ints()
  readonly #weights = new Doubles()
  #docBase = 0

  constructor(slice: AggregationSlice) {
    this.#slice = slice
  }

  openLeaf({ docBase }: Leaf): void {
    this.#docBase = docBase
  }

  collect({ docs, owners, weights, count }: BucketBatch): void {
    this.#slice.charge(count * ENTRY_BYTES)
    const first = this.#docs.length
    const to = this.#weights.ensure(first + count)
    for (let i = 0; i < count; i++) {
      this.#docs.push(this.#docBase + docs[i]!)
      this.#owners.push(owners === null ? 0 : owners[i]!)
      to[first + i] = weights === null ? 1 : weights[i]!
    }
  }

  finish(): ListedTexts {
    return {
      docs: this.#docs.packed(),
      owners: this.#owners.packed(),
      weights: this.#weights.values.slice(0, this.#docs.length),
    }
  }

  notes(): GatherNotes {
    return { result_strategy: 'significant_terms' }
  }
}

class SliceTexts implements SliceReducer {
  readonly #docs = new Ints()
  readonly #owners = new Ints()
  readonly #weights = new Doubles()

  add(own: unknown, owners: Int32Array): Int32Array {
    const from = own as ListedTexts
    const first = this.#docs.length
    const to = this.#weights.ensure(first + from.docs.length)
    for (let i = 0; i < from.docs.length; i++) {
      this.#docs.push(from.docs[i]!)
      this.#owners.push(owners[from.owners[i]!]!)
      to[first + i] = from.weights[i]!
    }
    return NO_BUCKETS
  }

  close(owners: Int32Array): { own: ClosedTexts; buckets: Int32Array } {
    const docs = this.#docs.values
    const owned = this.#owners.values
    const newOwners = new Map<number, number>()
    owners.forEach((owner, i) => {
      newOwners.set(owner, i)
    })
    const order = Int32Array.from({ length: this.#docs.length }, (_, i) => i)
      .filter(i => newOwners.has(owned[i]!))
      .sort((a, b) => docs[a]! - docs[b]! || owned[a]! - owned[b]!)
    return {
      own: {
        ownerCount: owners.length,
        docs: order.map(i => docs[i]!),
        owners: order.map(i => newOwners.get(owned[i]!)!),
        weights: Float64Array.from(order, i => this.#weights.values[i]!),
      },
      buckets: NO_BUCKETS,
    }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }
}
