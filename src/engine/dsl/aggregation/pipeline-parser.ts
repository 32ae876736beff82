import type { PipelinePlan } from '../../../aggregation/pipeline/pipeline.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'
import type { AggregationBody } from './aggregation-body.ts'

/** A pipeline aggregation that has been read. */
export interface ParsedPipeline {
  readonly name: string
  /** Name of its type. */
  readonly type: string
  /** Undefined: none was given. */
  readonly meta: JsonValue | undefined
  readonly plan: PipelinePlan
}

/**
 * Reads the object behind the name of a type.
 * @throws {EngineError} 400: not such an aggregation
 */
export type PipelineParser = (body: AggregationBody) => PipelinePlan
