import { Float64 } from '../../util/json/json-value.ts'
import type { ReducedChildren, ReducedShards, ShardReducer } from '../aggregation-type.ts'
import { roundedSum } from '../exact-sum.ts'
import type { BucketResult, MultiBucketResult } from '../result.ts'
import type { NumberSource } from '../value-source.ts'
import { numberText } from '../value-text.ts'
import { CellRuns, joined, type Run, runOf } from './cell-runs.ts'
import { nearestClusters } from './nearest-clusters.ts'
import type { ClosedCells } from './slice-variable.ts'

/** Options that merging shards reads. */
interface ClusterForm {
  readonly values: Pick<NumberSource, 'format'>
  /** Max number of clusters. */
  readonly size: number
}

/** Clusters the cells of all shards, once all of them have been seen. */
export class ShardVariable implements ShardReducer {
  readonly #plan: ClusterForm
  readonly #children: ReducedChildren
  readonly #shards: ReducedShards
  readonly #seen = new CellRuns()
  #clusters: ReadonlyMap<number, Clusters> | null = null

  constructor(plan: ClusterForm, children: ReducedChildren, shards: ReducedShards) {
    this.#plan = plan
    this.#children = children
    this.#shards = shards
  }

  survey(own: unknown, owners: Int32Array): void {
    const { levels, owners: from, runs } = own as ClosedCells
    runs.forEach((run, i) => {
      this.#seen.add(owners[from[i]!]!, levels[from[i]!]!, run)
    })
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    const { owners: from, runs } = own as ClosedCells
    const clusters = (this.#clusters ??= this.#cluster())
    return Int32Array.from(from, (owner, i) => {
      const own = clusters.get(owners[owner]!)!
      return own.first + runOf(own.runs, runs[i]!.min)
    })
  }

  result(owner: number): MultiBucketResult {
    const { first, runs } = this.#clusters?.get(owner) ?? NO_CLUSTERS
    this.#shards.budget.take(runs.length)
    return {
      kind: 'multi',
      typedName: 'variable_width_histogram',
      className: 'InternalVariableWidthHistogram',
      keyed: false,
      head: {},
      tail: {},
      buckets: runs.map((run, i) => this.#print(run, first + i)),
    }
  }

  value(): number {
    return Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  #cluster(): ReadonlyMap<number, Clusters> {
    const clusters = new Map<number, Clusters>()
    let first = 0
    for (const [owner, { runs: cells }] of this.#seen.cells()) {
      const points = {
        sums: Float64Array.from(cells, ({ sum }) => roundedSum(sum)),
        counts: Float64Array.from(cells, ({ count }) => count),
      }
      const heads = nearestClusters(points, this.#plan.size)
      const runs = Array.from(heads, (head, i) => joined(cells.slice(head, heads[i + 1])))
      clusters.set(owner, { first, runs })
      first += runs.length
    }
    return clusters
  }

  #print({ min, max, count, docCount, sum }: Run, bucket: number): BucketResult {
    const text = numberText(this.#plan.values.format)
    const textOf = (value: number): string | undefined =>
      text.isShown ? text.of(value) : undefined
    const key = min === max ? min : roundedSum(sum) / count
    return {
      name: text.of(key),
      key,
      docCount,
      head: {
        min: new Float64(min),
        min_as_string: textOf(min),
        key: new Float64(key),
        key_as_string: textOf(key),
        max: new Float64(max),
        max_as_string: textOf(max),
        doc_count: docCount,
      },
      children: this.#children.results(bucket),
    }
  }
}

/** Buckets of an owning bucket, ascending. */
interface Clusters {
  /** Number of the first one. */
  readonly first: number
  readonly runs: readonly Run[]
}

const NO_CLUSTERS: Clusters = { first: 0, runs: [] }
