/** `variable_width_histogram`: a number of buckets that gather around the values. */
import { sectionBit } from '../../search/weight/section-use.ts'
import type { AggregationPlan, AggregationType } from '../aggregation-type.ts'
import { columnExponents } from '../column-exponents.ts'
import { type SumScale, sumScale } from '../exact-sum.ts'
import type { NumberSource } from '../value-source.ts'
import { ShardVariable } from './shard-variable.ts'
import { SliceVariable } from './slice-variable.ts'
import { VariableCollector } from './variable-collector.ts'

/** Buckets that gather around the values. */
export interface VariableWidthHistogram extends AggregationPlan {
  readonly kind: 'variableWidthHistogram'
  readonly values: NumberSource
  /** Max number of buckets. */
  readonly size: number
}

const NUMERIC_VALUES = sectionBit('numericValues')

/** Values whose neighbours are near share a bucket. */
export const variableWidthHistogram: AggregationType<VariableWidthHistogram, SumScale> = {
  readsScores: () => false,
  className: () => 'VariableWidthHistogramAggregator',
  prepare({ values }, shard) {
    shard.use(values.field, NUMERIC_VALUES)
    return sumScale(columnExponents(values, shard.leaves).decoded)
  },
  open: ({ values }, scale, children, slice) =>
    new VariableCollector(values, scale, children, slice),
  sliceReducer: (_plan, scale) => new SliceVariable(scale),
  shardReducer: ([plan], children, shards) => new ShardVariable(plan!, children, shards),
}
