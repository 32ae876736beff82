/** `adjacency_matrix`: a bucket for each of several queries, and for each pair of them. */

import type { GatherNotes } from '../../search/collector/gather.ts'
import type { Query } from '../../search/query/query.ts'
import type { Weight } from '../../search/weight/weight.ts'
import type { Leaf } from '../../segment/leaf.ts'
import {
  type AggregationPlan,
  type AggregationSlice,
  type AggregationType,
  type Aggregator,
  NO_NOTES,
  type ReducedChildren,
  type ReducedShards,
} from '../aggregation-type.ts'
import { type BucketBatch, ChildBatch } from '../bucket-batch.ts'
import { Doubles, ownerLimit } from '../columns.ts'
import { type FixedPartial, SliceFixed } from '../fixed-buckets.ts'
import { LeafMembers, memberWeights } from '../leaf-members.ts'
import type { MultiBucketResult } from '../result.ts'
import { ShardFixed } from '../shard-fixed.ts'

/** A bucket for each of several queries, and for each pair of them. */
export interface AdjacencyMatrix extends AggregationPlan {
  readonly kind: 'adjacencyMatrix'
  /** By name, ascending. */
  readonly queries: readonly { readonly name: string; readonly query: Query }[]
  /** Between the two names of a pair. */
  readonly separator: string
  /** Whether queries alone have no buckets. */
  readonly showsPairsOnly: boolean
}

/** Buckets of queries and of pairs of them. */
export const adjacencyMatrix: AggregationType<AdjacencyMatrix, readonly Weight[]> = {
  readsScores: () => false,
  className: () => 'AdjacencyMatrixAggregator',
  prepare: ({ queries }, shard) =>
    memberWeights(
      queries.map(({ query }) => query),
      shard,
    ),
  open: (_plan, weights, children, slice) => new MatrixAggregator(weights, children, slice),
  sliceReducer: ({ queries }) => new SliceMatrix(cellCount(queries.length)),
  shardReducer: ([plan], children, shards) => new ShardMatrix(plan!, children, shards),
}

/** Cells on and above the diagonal. */
function cellCount(queries: number): number {
  return (queries * (queries + 1)) / 2
}

class MatrixAggregator implements Aggregator {
  readonly #matches: readonly LeafMembers[]
  readonly #counts = new Doubles()
  readonly #below: ChildBatch | null
  readonly #matched: number[] = []

  constructor(
    weights: readonly Weight[],
    children: readonly Aggregator[],
    slice: AggregationSlice,
  ) {
    this.#matches = weights.map((weight, i) => new LeafMembers(weight, i, slice))
    this.#below = children.length === 0 ? null : new ChildBatch(children)
  }

  openLeaf(leaf: Leaf, leafOrd: number): void {
    for (const matches of this.#matches) matches.openLeaf(leaf, leafOrd)
  }

  collect(batch: BucketBatch): void {
    const { docs, owners, weights, count } = batch
    const size = cellCount(this.#matches.length)
    const counts = this.#counts.ensure(size * ownerLimit(owners, count))
    const matched = this.#matched
    this.#below?.begin(batch)
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!
      matched.length = 0
      for (const [f, matches] of this.#matches.entries()) if (matches.has(doc)) matched.push(f)
      const first = owners === null ? 0 : owners[i]! * size
      for (const [k, row] of matched.entries())
        for (let j = k; j < matched.length; j++) {
          const bucket = first + cellOf(row, matched[j]!, this.#matches.length)
          counts[bucket] = counts[bucket]! + (weights === null ? 1 : weights[i]!)
          this.#below?.add(i, bucket)
        }
    }
    this.#below?.flush()
  }

  finish(): FixedPartial {
    return { counts: this.#counts.values }
  }

  notes(): GatherNotes {
    return NO_NOTES
  }
}

/** The cell of a pair, `row` ≤ `column`. */
function cellOf(row: number, column: number, queries: number): number {
  return row * queries - (row * (row - 1)) / 2 + (column - row)
}

/** Cells of a shard that have documents: others are not given, and what stands below them saw no shard. */
interface ShardCells extends FixedPartial {
  /** Where each count stands among the cells of all owning buckets. */
  readonly places: Int32Array
}

class SliceMatrix extends SliceFixed {
  override close(owners: Int32Array): { own: ShardCells; buckets: Int32Array } {
    const { own, buckets } = super.close(owners)
    const places = Int32Array.from(own.counts.keys()).filter(place => own.counts[place]! > 0)
    const counts = Float64Array.from(places, place => own.counts[place]!)
    return { own: { counts, places }, buckets: places.map(place => buckets[place]!) }
  }
}

class ShardMatrix extends ShardFixed {
  readonly #plan: AdjacencyMatrix

  constructor(plan: AdjacencyMatrix, children: ReducedChildren, shards: ReducedShards) {
    super(cellCount(plan.queries.length), children, shards)
    this.#plan = plan
  }

  override add(own: unknown, owners: Int32Array): Int32Array {
    const { counts, places } = own as ShardCells
    const all = new Float64Array(cellCount(this.#plan.queries.length) * owners.length)
    for (const [i, place] of places.entries()) all[place] = counts[i]!
    const buckets = super.add({ counts: all }, owners)
    return places.map(place => buckets[place]!)
  }

  override result(owner: number): MultiBucketResult {
    const { queries, separator, showsPairsOnly } = this.#plan
    const size = cellCount(queries.length)
    const cells: { readonly name: string; readonly cell: number }[] = []
    for (const [row, { name }] of queries.entries())
      for (let column = row; column < queries.length; column++) {
        if (row === column && showsPairsOnly) continue
        const cell = cellOf(row, column, queries.length)
        if (this.counts.count(owner, cell) === 0) continue
        const both = row === column ? name : `${name}${separator}${queries[column]!.name}`
        cells.push({ name: both, cell })
      }
    this.shards.budget.take(cells.length)
    cells.sort((a, b) => (a.name < b.name ? -1 : 1))
    return {
      kind: 'multi',
      typedName: 'adjacency_matrix',
      className: 'InternalAdjacencyMatrix',
      keyed: false,
      head: {},
      tail: {},
      buckets: cells.map(({ name, cell }) => {
        const docCount = this.counts.count(owner, cell)
        return {
          name,
          key: Number.NaN,
          docCount,
          head: { key: name, doc_count: docCount },
          children: this.children.results(owner * size + cell),
        }
      }),
    }
  }
}
