/** `terms` of a field as a gather, and its buckets in one shard. */
import type { Aggregation } from '../../src/aggregation/aggregation.ts'
import type { NodePartial } from '../../src/aggregation/aggregation-type.ts'
import { BucketBudget } from '../../src/aggregation/bucket-budget.ts'
import type { MultiBucketResult } from '../../src/aggregation/result.ts'
import { ShardNodes } from '../../src/aggregation/shard-node.ts'
import type { AnyGather } from '../../src/parallel/gathers.ts'

/** A bucket for each tag. */
export function tagsOf(field: string): AnyGather {
  const values = {
    kind: 'terms',
    field,
    fieldData: null,
    missing: null,
    format: { kind: 'raw' },
  } as const
  const terms: Aggregation = {
    kind: 'terms',
    name: 'tags',
    children: [],
    values,
    size: 10_000,
    shardSize: 10_000,
    minDocCount: 1,
    shardMinDocCount: 0,
    order: [
      { by: 'count', descending: true },
      { by: 'key', descending: false },
    ],
    showsErrors: false,
    maxDocCount: Number.POSITIVE_INFINITY,
    hint: null,
    filter: null,
    deferral: null,
    mayDefer: null,
  }
  return { kind: 'aggregations', nodes: [terms], maxBytes: 1e9 }
}

/** A value with its documents. */
export interface CountedValue {
  readonly value: string
  readonly count: number
}

function plansOf(gather: AnyGather): readonly Aggregation[] {
  return gather.kind === 'aggregations' ? gather.nodes : []
}

/** The buckets of a shard. */
export function bucketsOf(gather: AnyGather, part: unknown): readonly CountedValue[] {
  const merged = new ShardNodes(
    plansOf(gather).map(plan => [plan]),
    { count: 1, budget: new BucketBudget(1e9), hasPipelines: false },
  )
  merged.nodes[0]!.add((part as readonly NodePartial[])[0]!, new Int32Array(1), 0)
  const { buckets } = merged.results(0).get('tags') as MultiBucketResult
  return buckets.map(({ name, docCount }) => ({ value: name, count: docCount }))
}
