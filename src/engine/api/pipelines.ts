/** Ingest pipelines: kept, shown and tried out. */

import type { SimulatedResult } from '../../pipeline/pipeline-messages.ts'
import type { CallContext } from '../../task/call-context.ts'
import type { JsonNode } from '../../util/json/json-tree.ts'
import type { JsonMap } from '../../util/json/json-value.ts'
import type { OperationCount, ProcessorCount } from './operation-count.ts'

/** A pipeline under its id, as it was given. */
export interface ShownPipeline {
  readonly id: string
  readonly definition: JsonMap
}

/** Tries a pipeline out on documents that are not kept. */
export interface SimulatePipeline {
  /** Of a stored pipeline; null: the body has one. */
  readonly id: string | null
  /** `{"pipeline": …, "docs": […]}`. */
  readonly body: JsonNode
  /** Shows the document behind each processor. */
  readonly isVerbose: boolean
}

/** Counts of all documents, of each pipeline and of its processors. */
export interface IngestStats {
  readonly total: OperationCount
  readonly pipelines: readonly (OperationCount & {
    readonly id: string
    readonly processors: readonly ProcessorCount[]
  })[]
}

/** Calls on ingest pipelines. */
export interface PipelinesApi {
  /** @throws {EngineError} `parse_exception` with the processor and its property: nothing has changed */
  put(id: string, body: JsonNode, context: CallContext): Promise<void>
  /** Pipelines by ids that may hold `*`, all without, in order of id; missing ones are left out. */
  show(ids: readonly string[]): readonly ShownPipeline[]
  /** @throws {EngineError} `resource_not_found_exception`: an id that matches none */
  delete(id: string, context: CallContext): Promise<void>
  /** One result for each document, in their order. */
  simulate(call: SimulatePipeline, context: CallContext): Promise<readonly SimulatedResult[]>
  /** Names of the types of processors, in order. */
  readonly processors: readonly string[]
  /** The bank of grok patterns, by name. */
  grokPatterns(): ReadonlyMap<string, string>
  stats(): IngestStats
}
