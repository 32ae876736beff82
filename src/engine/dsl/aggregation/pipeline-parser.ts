import type { PipelinePlan } from '../../../aggregation/pipeline/pipeline.ts'
import type { JsonValue } from '../../../util/json/json-value.ts'

/** A pipeline aggregation that has been read. */
export interface ParsedPipeline {
  readonly name: string
  /** Undefined: none was given. */
  readonly meta: JsonValue | undefined
  readonly plan: PipelinePlan
}
