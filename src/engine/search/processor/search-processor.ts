/** Processors of search pipelines as they are read and run: three kinds, a table each. */
import type { ProcessorConfig } from '../../../pipeline/processor-config.ts'
import type { ScriptRequest } from '../../../script/script-request.ts'
import type { Float32 } from '../../../util/json/json-value.ts'
import type { SearchProcessorTypes } from '../../api/search-pipelines.ts'
import type { SearchCall } from '../../api/searches.ts'
import type { Scripts } from '../../node/scripts.ts'
import type { HybridScoring } from '../hybrid/hybrid-scoring.ts'
import type { ResponseHits } from './response-hits.ts'

/** The surroundings that processors are read in. */
export interface ProcessorSetup {
  /** The types that may be used. */
  readonly types: SearchProcessorTypes
  /** @throws {EngineError} a script that is not stored, that settings forbid, that does not compile */
  checkScript(script: ScriptRequest): void
}

/** The run of a pipeline over one search. */
export interface PipelineRun {
  readonly scripts: Scripts
  /** Values that processors of the request leave for those of the response, by name. */
  readonly attributes: Map<string, number>
  /** Replaces `max_score` of the answer where a processor of the response gives hits other scores. */
  maxScore: Float32 | null
}

/** A type of processor: a file each, and a line in the table of its kind. */
export interface SearchProcessorType<Step> {
  readonly name: string
  /**
   * Reads the options.
   * @throws {EngineError} `parse_exception`, `illegal_argument_exception`: options that cannot be
   */
  parse(config: ProcessorConfig, setup: ProcessorSetup): Step
}

/** Makes another search of a search, before it runs. The body is an object, with the options of the URL in it. */
export type RequestStep = (call: SearchCall, run: PipelineRun) => SearchCall

/** Makes other hits of the hits that are answered. */
export type ResponseStep = (hits: ResponseHits, run: PipelineRun) => ResponseHits

/** A type of request processor. */
export type RequestProcessorType = SearchProcessorType<RequestStep>

/** A type of response processor. */
export type ResponseProcessorType = SearchProcessorType<ResponseStep>

/** A type of processor between query and fetch phase: it says how scores of a hybrid query become one. */
export type PhaseProcessorType = SearchProcessorType<HybridScoring>

/** A processor of a pipeline. */
export interface SearchProcessor<Step> {
  readonly type: string
  /** Null: none. */
  readonly tag: string | null
  /** In statistics: `⟨type⟩[:⟨tag⟩]`. */
  readonly label: string
  readonly ignoresFailure: boolean
  readonly step: Step
}

/** A search pipeline that is ready to run. */
export interface SearchPipeline {
  readonly id: string
  readonly request: readonly SearchProcessor<RequestStep>[]
  readonly phaseResults: readonly SearchProcessor<HybridScoring>[]
  readonly response: readonly SearchProcessor<ResponseStep>[]
}
