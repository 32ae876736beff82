/** `diversified_sampler`: the best documents, of which few have the same value. */
import { sectionBit } from '../../search/weight/section-use.ts'
import type { AggregationPlan, AggregationType } from '../aggregation-type.ts'
import { ShardSingle } from '../single-bucket.ts'
import type { AnyValueSource } from '../value-source.ts'
import type { SampleLimits } from './doc-sample.ts'
import { SamplerAggregator } from './sampler-aggregator.ts'
import { SliceSamples } from './slice-samples.ts'

/** The best documents of each shard by score, of which few have the same value. */
export interface DiversifiedSampler extends AggregationPlan {
  readonly kind: 'diversifiedSampler'
  readonly values: AnyValueSource
  /** Documents that a shard gives. */
  readonly size: number
  /** Documents of one value; those without one share a value of their own. */
  readonly perValue: number
  /** `execution_hint`; null: none is given. */
  readonly hint: 'map' | 'bytes_hash' | 'global_ordinals' | null
}

const NUMERIC_VALUES = sectionBit('numericValues')

/** One bucket of the best documents. */
export const diversifiedSampler: AggregationType<DiversifiedSampler, null> = {
  deferred: ({ children }) => children,
  readsScores: () => true,
  className: ({ values, hint }) => `Diversified${collectorOf(values, hint)}SamplerAggregator`,
  prepare({ values }, shard) {
    if (values.kind === 'numbers') shard.use(values.field, NUMERIC_VALUES)
    if (values.kind === 'terms') shard.useTerms(values.field, values.fieldData)
    return null
  },
  open: (plan, _ready, _children, slice) =>
    new SamplerAggregator(limitsOf(plan), plan.values, slice),
  sliceReducer: (plan, _ready, leaves) => new SliceSamples(limitsOf(plan), plan.values, leaves),
  shardReducer: (_plans, children) => new ShardSingle('sampler', children),
}

function limitsOf({ size, perValue }: DiversifiedSampler): SampleLimits {
  return { size, perKey: perValue }
}

/** The way in which the real server would tell values apart. */
function collectorOf(values: AnyValueSource, hint: DiversifiedSampler['hint']): string {
  if (values.kind === 'numbers') return 'Numeric'
  if (hint === 'bytes_hash') return 'BytesHash'
  return hint === 'map' || values.kind === 'constant' || values.kind === 'texts'
    ? 'Map'
    : 'Ordinals'
}
