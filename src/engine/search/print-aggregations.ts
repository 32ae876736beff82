import { BucketBudget } from '../../aggregation/bucket-budget.ts'
import { hasPipelines, runPipelines } from '../../aggregation/pipeline/run-pipelines.ts'
import {
  type ChildResults,
  type MetaNode,
  type MetaTree,
  printResults,
} from '../../aggregation/result.ts'
import { ShardNodes } from '../../aggregation/shard-node.ts'
import { clusterSettings } from '../../schema/setting-registry.ts'
import type { JsonMap } from '../../util/json/json-value.ts'
import type { ParsedAggregations } from '../dsl/aggregation/aggregation-parser.ts'
import type { Node } from '../node/node.ts'
import { pipelineScripts } from './pipeline-scripts.ts'
import type { SearchedShard } from './searched-shard.ts'

const ROOT: Int32Array = new Int32Array(1)

/**
 * Merges the shards' aggregations and prints them.
 * @param fetch reads the documents that results show
 * @throws {EngineError} indices do not fit together; `too_many_buckets_exception`
 */
export function printAggregations(
  asked: ParsedAggregations,
  answers: readonly SearchedShard[],
  node: Node,
  typedKeys: boolean,
  fetch: (results: ChildResults) => void | Promise<void>,
): JsonMap | Promise<JsonMap> {
  const budget = new BucketBudget(
    clusterSettings.number(node.effectiveSettings, 'search.max_buckets') ?? 65_535,
  )
  for (const { body } of asked.nodes) budget.check(body.maxBuckets ?? 0)
  const plans = asked.nodes.map((_, i) => answers.map(({ search }) => search.aggregations[i]!))
  const facts = { count: answers.length, budget, hasPipelines: hasPipelines(asked) }
  const merged = new ShardNodes(plans, facts)
  for (const [shard, { aggregated }] of answers.entries())
    for (const [i, each] of merged.nodes.entries()) each.add(aggregated[i]!, ROOT, shard)
  const results = merged.results(0)
  runPipelines(results, asked, pipelineScripts(node))
  const print = (): JsonMap => printResults(results, metasOf(asked), typedKeys)
  const fetching = fetch(results)
  return fetching instanceof Promise ? fetching.then(print) : print()
}

function metasOf({ nodes, pipelines }: ParsedAggregations): MetaTree {
  const metas = new Map<string, MetaNode>()
  for (const { name, meta, below } of nodes) {
    const children = metasOf(below)
    if (meta !== undefined || children.size > 0) metas.set(name, { meta, children })
  }
  for (const { name, meta } of pipelines)
    if (meta !== undefined) metas.set(name, { meta, children: NO_METAS })
  return metas.size === 0 ? NO_METAS : metas
}

const NO_METAS: MetaTree = new Map()
