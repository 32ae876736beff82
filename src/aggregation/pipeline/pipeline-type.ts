import type { AggregationResult, BucketResult, MultiBucketResult } from '../result.ts'
import type { BucketsPath, GapPolicy } from './buckets-path.ts'
import type { PipelineScripts } from './pipeline-scripts.ts'

/** Properties of all pipeline plans. */
export interface PipelineBase {
  readonly kind: string
  readonly name: string
  readonly gapPolicy: GapPolicy
}

/** A pipeline that reads the buckets of a sibling, and stands beside it. */
export interface SiblingType<P extends PipelineBase> {
  readonly place: 'sibling'
  /** The path, whose first element names the sibling. */
  path(plan: P): BucketsPath
  result(plan: P, buckets: readonly BucketResult[], rest: BucketsPath): AggregationResult
}

/** A pipeline that reads the buckets that it stands in, and adds to each. */
export interface ParentType<P extends PipelineBase> {
  readonly place: 'parent'
  /** The required parent: a histogram without a min count, or any aggregation with buckets. */
  readonly parent: 'histogram' | 'any'
  paths(plan: P): readonly BucketsPath[]
  apply(plan: P, parent: MultiBucketResult, scripts: PipelineScripts): void
}

/** A kind of pipeline aggregation; each has a file, and a line in `pipeline-types.ts`. */
export type PipelineType<P extends PipelineBase> = SiblingType<P> | ParentType<P>
