/** `top_hits`: the best documents of each bucket, which are fetched once all shards are merged. */

import type { GatherNotes } from '../../search/collector/gather.ts'
import { NestedDocs } from '../../search/sort/nested-docs.ts'
import { nestedOf, readsScore, type SortKey, scriptOf } from '../../search/sort/sort-key.ts'
import { sectionBit } from '../../search/weight/section-use.ts'
import type { Weight } from '../../search/weight/weight.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type {
  AggregationPlan,
  AggregationShard,
  AggregationSlice,
  AggregationType,
  Aggregator,
} from '../aggregation-type.ts'
import { NO_NOTES } from '../aggregation-type.ts'
import type { BucketBatch } from '../bucket-batch.ts'
import { Doubles, ownerLimit } from '../columns.ts'
import { CANDIDATES_BYTES, CandidateBatch } from '../kernel/candidate-batch.ts'
import { BucketTops } from './bucket-tops.ts'
import { ShardTops, SliceTops, type TopsPartial } from './merged-tops.ts'

/** The best documents. */
export interface TopHits extends AggregationPlan {
  readonly kind: 'topHits'
  readonly from: number
  readonly size: number
  /** Null: by score. */
  readonly sort: readonly SortKey[] | null
  /** Whether documents carry scores: by score they do, by another order where asked for. */
  readonly withScores: boolean
}

interface Ready {
  /** Documents that are kept of a bucket, at least 1. */
  readonly capacity: number
  /** By level of the sort, the nested documents whose values it reads; null: the document's own. */
  readonly nested: readonly (Weight | null)[]
}

const NUMERIC_VALUES = sectionBit('numericValues')
const PARENTS = sectionBit('parents')
const IDS = sectionBit('ids')
const NO_COUNTS = new Uint32Array(0)
const BY_SCORE: readonly SortKey[] = [{ kind: 'score', descending: true }]

/** The best documents of buckets. */
export const topHits: AggregationType<TopHits, Ready> = {
  readsScores,
  className: () => 'TopHitsAggregator',
  prepare({ from, size, sort }, shard) {
    const docs = shard.leaves.reduce((sum, { maxDoc }) => sum + maxDoc, 0)
    if (soleNumber(sort) !== null) shard.reserve(CANDIDATES_BYTES)
    return {
      capacity: Math.max(1, Math.min(from + size, docs)),
      nested: (sort ?? BY_SCORE).map(key => prepareLevel(key, shard)),
    }
  },
  open: (plan, ready, _children, slice) => new TopHitsAggregator(plan, ready, slice),
  sliceReducer: ({ sort }, { capacity }) => new SliceTops(sort, capacity),
  shardReducer: ([plan]) => new ShardTops(plan!.from, plan!.size),
}

type NumberKey = Extract<SortKey, { kind: 'number' }>

/** The only key of a sort, if it is a number of the document itself as it is stored. */
function soleNumber(sort: readonly SortKey[] | null): NumberKey | null {
  const [key, ...others] = sort ?? BY_SCORE
  if (key?.kind !== 'number' || others.length > 0) return null
  return key.conversion === undefined && key.nested === undefined ? key : null
}

function readsScores({ sort, withScores }: TopHits): boolean {
  return withScores || (sort ?? BY_SCORE).some(readsScore)
}

/** Notes what a level reads. @returns the nested documents whose values it reads */
function prepareLevel(key: SortKey, shard: AggregationShard): Weight | null {
  if (key.kind === 'number' || key.kind === 'distance') shard.use(key.field, NUMERIC_VALUES)
  if (key.kind === 'keyword') shard.useTerms(key.field, key.fieldData ?? null)
  if (key.kind === 'id') shard.use('', IDS)
  const script = scriptOf(key)
  if (script !== null) shard.useScript(script)
  const values = nestedOf(key)
  if (values === null) return null
  shard.use('', PARENTS)
  return shard.weightOf(values.query)
}

class TopHitsAggregator implements Aggregator {
  readonly #isByScore: boolean
  readonly #withScores: boolean
  readonly #readsScores: boolean
  readonly #counts = new Doubles()
  readonly #maxScores = new Doubles(Number.NEGATIVE_INFINITY)
  readonly #tops: BucketTops
  /** The only key of the sort, a number of the document itself; null: there are others. */
  readonly #number: NumberKey | null
  /** Lists the documents of the open leaf that may be kept; null: each is compared. */
  #candidates: CandidateBatch | null = null

  constructor(plan: TopHits, { capacity, nested }: Ready, slice: AggregationSlice) {
    this.#isByScore = plan.sort === null
    this.#number = plan.withScores ? null : soleNumber(plan.sort)
    this.#withScores = plan.withScores
    this.#readsScores = readsScores(plan)
    this.#tops = new BucketTops(
      capacity,
      plan.sort ?? BY_SCORE,
      (level, leaf, leafOrd) => openNested(nested[level] ?? null, leaf, leafOrd, slice),
      bytes => slice.charge(bytes),
      slice.scripts,
    )
  }

  openLeaf(leaf: Leaf, leafOrd: number, ownerLimit: number): void {
    this.#tops.openLeaf(leaf, leafOrd)
    const key = this.#number
    this.#candidates =
      key === null
        ? null
        : CandidateBatch.of(leaf, leaf.numericValues(key.field), key.descending, ownerLimit)
  }

  collect(batch: BucketBatch): void {
    if (this.#candidates === null) this.#collectAll(batch)
    else this.#collectCandidates(batch, this.#candidates)
  }

  closeLeaf(): void {
    const from = this.#candidates?.counts() ?? NO_COUNTS
    this.#candidates = null
    const counts = this.#counts.ensure(from.length)
    for (let owner = 0; owner < from.length; owner++) counts[owner] = counts[owner]! + from[owner]!
  }

  #collectCandidates(batch: BucketBatch, candidates: CandidateBatch): void {
    const { run, owners } = batch
    candidates.forEach(batch, index => {
      const owner = owners === null ? 0 : owners[index]!
      this.#tops.collect(owner, run < 0 ? batch.docs[index]! : run + index, Number.NaN)
      const last = this.#tops.lastNumber(owner)
      if (last !== null) candidates.limit(owner, last)
    })
  }

  #collectAll({ docs, owners, count, scores }: BucketBatch): void {
    const limit = ownerLimit(owners, count)
    const counts = this.#counts.ensure(limit)
    const maxScores = this.#maxScores.ensure(limit)
    for (let i = 0; i < count; i++) {
      const owner = owners === null ? 0 : owners[i]!
      const score = this.#readsScores ? scores![i]! : Number.NaN
      counts[owner] = counts[owner]! + 1
      if (score > maxScores[owner]!) maxScores[owner] = score
      this.#tops.collect(owner, docs[i]!, score)
    }
  }

  finish(): TopsPartial {
    const { values: counts } = this.#counts
    return {
      counts,
      maxScores: this.#withScores ? this.#maxScores.values : null,
      hits: Array.from(counts, (_, owner) =>
        this.#tops.hits(owner).map(({ globalDoc, score, sort }) => ({
          globalDoc,
          score: this.#withScores ? score : Number.NaN,
          sort: this.#isByScore ? null : sort,
        })),
      ),
    }
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}

function openNested(
  weight: Weight | null,
  leaf: Leaf,
  leafOrd: number,
  slice: AggregationSlice,
): NestedDocs | null {
  const parents = weight === null ? null : leaf.parents()
  const docs = weight === null || parents === null ? null : slice.matches(weight, leaf, leafOrd)
  return docs === null || parents === null ? null : new NestedDocs(docs, parents)
}
