import type { ScriptRequest } from '../../script/script-request.ts'

/** Numbers of a bucket by the names that a script gives their paths; null: the bucket has none. */
export type BucketVariables = ReadonlyMap<string, number | null>

/** Compiles the scripts of pipelines, which run where results are put together. */
export interface PipelineScripts {
  /** A function of a bucket's numbers; null: it makes a gap. @throws {EngineError} it does not compile */
  number(script: ScriptRequest): (variables: BucketVariables) => number | null
  /** Whether a bucket stays. @throws {EngineError} it does not compile */
  selector(script: ScriptRequest): (variables: BucketVariables) => boolean
  /** A function of the values in a window. @throws {EngineError} it does not compile */
  window(script: ScriptRequest): (values: readonly number[]) => number
}
