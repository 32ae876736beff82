/** `sampler`: the best documents, which alone its children see. */
import type { AggregationPlan, AggregationType } from '../aggregation-type.ts'
import { ShardSingle } from '../single-bucket.ts'
import type { SampleLimits } from './doc-sample.ts'
import { SamplerAggregator } from './sampler-aggregator.ts'
import { SliceSamples } from './slice-samples.ts'

/** The best documents of each shard by score. */
export interface Sampler extends AggregationPlan {
  readonly kind: 'sampler'
  /** Documents that a shard gives. */
  readonly size: number
}

/** One bucket of the best documents. */
export const sampler: AggregationType<Sampler, null> = {
  deferred: ({ children }) => children,
  readsScores: () => true,
  className: () => 'SamplerAggregator',
  prepare: () => null,
  open: (plan, _ready, _children, slice) => new SamplerAggregator(limitsOf(plan), null, slice),
  sliceReducer: (plan, _ready, leaves) => new SliceSamples(limitsOf(plan), null, leaves),
  shardReducer: (_plans, children) => new ShardSingle('sampler', children),
}

function limitsOf({ size }: Sampler): SampleLimits {
  return { size, perKey: Number.POSITIVE_INFINITY }
}
