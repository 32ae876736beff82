import { bucketMetric } from './bucket-metric.ts'
import { bucketScript, bucketSelector } from './bucket-script.ts'
import { bucketSort } from './bucket-sort.ts'
import { cumulativeSum } from './cumulative-sum.ts'
import { derivative } from './derivative.ts'
import { movingAverage } from './moving-average.ts'
import { movingFunction } from './moving-function.ts'
import { percentilesBucket } from './percentiles-bucket.ts'
import type { PipelinePlan } from './pipeline.ts'
import type { PipelineType } from './pipeline-type.ts'
import { serialDifference } from './serial-difference.ts'

type OfKind<K extends PipelinePlan['kind']> = Extract<PipelinePlan, { readonly kind: K }>

const PIPELINE_TYPES: { readonly [K in PipelinePlan['kind']]: PipelineType<OfKind<K>> } = {
  bucketMetric,
  percentilesBucket,
  cumulativeSum,
  derivative,
  serialDifference,
  movingFunction,
  movingAverage,
  bucketSort,
  bucketScript,
  bucketSelector,
}

/** The type of a plan, for plans of that kind alone. */
export function pipelineType(plan: PipelinePlan): PipelineType<PipelinePlan> {
  return PIPELINE_TYPES[plan.kind] as PipelineType<PipelinePlan>
}
