import type { Aggregation } from './aggregation.ts'
import type {
  NodePartial,
  ReducedChild,
  ReducedChildren,
  ReducedShards,
  ShardReducer,
} from './aggregation-type.ts'
import { typeOf } from './aggregation-types.ts'
import { type AggregationResult, type ChildResults, NO_RESULTS } from './result.ts'

/** Facts of the merged shards that all nodes of a search share. */
export interface ReduceFacts extends Omit<ReducedShards, 'isMapped'> {
  /** Whether pipelines add to the results of buckets. */
  readonly hasPipelines: boolean
}

/** A node while shards are merged into results, with the nodes below it. */
export class ShardNode implements ReducedChild {
  readonly name: string
  readonly #children: ShardNodes
  readonly #own: ShardReducer
  /** Shards that were surveyed and wait for being added. */
  #waiting: (readonly [partial: NodePartial, owners: Int32Array, shard: number])[] = []

  /** @param plans of the node, by index; at least one */
  constructor(plans: readonly Aggregation[], shards: ReduceFacts) {
    const mapped = plans.filter(plan => plan.kind !== 'unmapped')
    const isMapped = mapped.length > 0
    const models = isMapped ? mapped : plans.slice(0, 1).map(modelOf)
    const plan = models[0]!
    this.name = plan.name
    const all = plans.map(modelOf)
    this.#children = new ShardNodes(
      plan.children.map((_child, i) => all.map(each => each.children[i] as Aggregation)),
      shards,
    )
    this.#own = typeOf(plan).shardReducer(models, this.#children, { ...shards, isMapped })
  }

  get children(): readonly ReducedChild[] {
    return this.#children.nodes
  }

  /**
   * Adds a shard.
   * @param owners the owning bucket here by owning bucket there
   * @param shard its ord among those that are merged
   */
  add(partial: NodePartial, owners: Int32Array, shard: number): void {
    if (partial.own === null) return
    if (this.#own.survey === undefined) this.#merge(partial, owners, shard)
    else {
      this.#own.survey(partial.own, owners)
      this.#waiting.push([partial, owners, shard])
    }
  }

  #merge(partial: NodePartial, owners: Int32Array, shard: number): void {
    const buckets = this.#own.add(partial.own, owners, shard)
    for (const [i, child] of this.#children.nodes.entries())
      child.add(partial.children[i]!, buckets, shard)
  }

  value(owner: number, metric: string | null): number {
    return this.#own.value(owner, metric)
  }

  bucketOf(owner: number): number {
    return this.#own.bucketOf(owner)
  }

  result(owner: number): AggregationResult {
    const waiting = this.#waiting
    this.#waiting = []
    for (const each of waiting) this.#merge(...each)
    return this.#own.result(owner)
  }
}

/** Sibling nodes. */
export class ShardNodes implements ReducedChildren {
  readonly nodes: readonly ShardNode[]
  readonly #isLeaf: boolean

  /** @param plans of each node, by index */
  constructor(plans: readonly (readonly Aggregation[])[], shards: ReduceFacts) {
    this.#isLeaf = plans.length === 0 && !shards.hasPipelines
    this.nodes = plans.map(each => new ShardNode(each, shards))
  }

  results(bucket: number): ChildResults {
    if (this.#isLeaf) return NO_RESULTS
    const results: ChildResults = new Map()
    for (const node of this.nodes) results.set(node.name, node.result(bucket))
    return results
  }
}

function modelOf(plan: Aggregation): Aggregation {
  return plan.kind === 'unmapped' ? (plan.model as Aggregation) : plan
}
