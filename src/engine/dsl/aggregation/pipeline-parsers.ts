/** The table of pipeline aggregations by name. */
import type { PipelinePlan } from '../../../aggregation/pipeline/pipeline.ts'
import type { AggregationBody } from './aggregation-parser.ts'

type PipelineParser = (body: AggregationBody) => PipelinePlan

const PIPELINE_PARSERS: { readonly [name: string]: PipelineParser } = {}

/** The names of the types. */
export const PIPELINE_TYPE_NAMES: readonly string[] = Object.keys(PIPELINE_PARSERS)

/** Whether a name is that of a pipeline aggregation. */
export function isPipelineType(name: string): boolean {
  return Object.hasOwn(PIPELINE_PARSERS, name)
}

/**
 * Reads the object behind the name of a type.
 * @throws {EngineError} 400: not such an aggregation
 */
export function parsePipeline(name: string, body: AggregationBody): PipelinePlan {
  return PIPELINE_PARSERS[name]!(body)
}
