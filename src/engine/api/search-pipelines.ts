/** Search pipelines: kept, shown and counted. */
import type { CallContext } from '../../task/call-context.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { OperationCount, ProcessorCount } from './operation-count.ts'
import type { ShownPipeline } from './pipelines.ts'

/** Counts of one half of a pipeline. */
export interface PipelineHalf extends OperationCount {
  /** In their order; those with the same label are counted together. */
  readonly processors: readonly ProcessorCount[]
}

/** Counts of a pipeline. */
export interface SearchPipelineCount {
  readonly id: string
  readonly request: PipelineHalf
  readonly response: PipelineHalf
}

/** Counts of what a factory of processors does. */
export interface FactoryRuns extends Omit<OperationCount, 'timeInMillis'> {
  readonly timeInMicros: number
}

/** Counts of processors of one half that the node makes by itself, and of their factories. */
export interface SystemProcessorStats {
  readonly processors: readonly ProcessorCount[]
  readonly factories: readonly {
    readonly name: string
    readonly evaluations: FactoryRuns
    readonly generations: FactoryRuns
  }[]
}

/** Counts of search pipelines since the start. */
export interface SearchPipelineStats {
  /** Of all pipelines, those among them that searches bring along. */
  readonly totalRequest: OperationCount
  readonly totalResponse: OperationCount
  /** Those that are stored, in order of id. */
  readonly pipelines: readonly SearchPipelineCount[]
  readonly systemRequest: SystemProcessorStats
  readonly systemResponse: SystemProcessorStats
}

/** Names of the types of processors, each list in order. */
export interface SearchProcessorTypes {
  readonly request: readonly string[]
  readonly phaseResults: readonly string[]
  readonly response: readonly string[]
}

/** Calls on search pipelines. */
export interface SearchPipelinesApi {
  /**
   * @throws {EngineError} `parse_exception`, `illegal_argument_exception`, the error of a query or a script:
   *   nothing has changed
   */
  put(id: string, body: JsonNode, context: CallContext): Promise<void>
  /** Pipelines by ids that may hold `*`, all without, in order of id; missing ones are left out. */
  show(ids: readonly string[]): readonly ShownPipeline[]
  /** @throws {EngineError} `resource_not_found_exception`: an id that matches none */
  delete(id: string, context: CallContext): Promise<void>
  readonly processors: SearchProcessorTypes
  stats(): SearchPipelineStats
}
