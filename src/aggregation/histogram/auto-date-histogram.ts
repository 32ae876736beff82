/** `auto_date_histogram`: buckets of time, as long as it takes for there to be few of them. */
import { sectionBit } from '../../search/weight/section-use.ts'
import type { AggregationPlan, AggregationType } from '../aggregation-type.ts'
import type { NumberSource } from '../value-source.ts'
import { AutoCollector } from './auto-collector.ts'
import { ShardAuto } from './shard-auto.ts'
import { SliceAuto } from './slice-auto.ts'
import { UnitLadder } from './unit-ladder.ts'

/** Buckets of time, few enough. */
export interface AutoDateHistogram extends AggregationPlan {
  readonly kind: 'autoDateHistogram'
  readonly values: NumberSource
  /** Number of buckets that there shall be at most. */
  readonly target: number
  /** Index of the finest unit. */
  readonly finest: number
  /** ID of a time zone; null: UTC. */
  readonly zone: string | null
}

/** Of the units below a year. */
const MAX_MULTIPLE = 30
const NUMERIC_VALUES = sectionBit('numericValues')

/** Prepared data of slices: whether there is one owning bucket. */
interface Ready {
  readonly isAlone: boolean
}

/** Buckets of time, few enough: slices collect fine ones, which merging shards makes coarser. */
export const autoDateHistogram: AggregationType<AutoDateHistogram, Ready> = {
  countsBy: ({ values }) => values.field,
  readsScores: () => false,
  className: (_plan, { isAlone }) =>
    `AutoDateHistogramAggregator.${isAlone ? 'FromSingle' : 'FromMany'}`,
  prepare({ values }, shard) {
    shard.use(values.field, NUMERIC_VALUES)
    return { isAlone: shard.isAlone }
  },
  open: (plan, _ready, children, slice) =>
    new AutoCollector(plan.values, ladderOf(plan), children, slice),
  sliceReducer: () => new SliceAuto(),
  shardReducer([plan], children, shards) {
    shards.budget.checkTarget(plan!.target, MAX_MULTIPLE)
    return new ShardAuto(plan!.values.format, ladderOf(plan!), children, shards)
  },
}

function ladderOf({ finest, zone, target }: AutoDateHistogram): UnitLadder {
  return new UnitLadder(finest, zone, target)
}
