/** Search pipelines: put, shown, deleted, counted. */
import type { CallContext } from '../../../task/call-context.ts'
import { EngineError } from '../../../util/errors.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { ShownPipeline } from '../../api/pipelines.ts'
import type { PipelineHalf, SearchPipelineStats } from '../../api/search-pipelines.ts'
import { definitionOf, shownPipelines, withoutPipelines } from '../../metadata/pipelines-by-id.ts'
import type { Node } from '../../node/node.ts'
import type { HalfCounts } from '../../node/search-pipeline-counts.ts'
import { checkedPipeline, storedPipeline } from './compiled-pipelines.ts'
import type { SearchPipeline, SearchProcessor } from './search-processor.ts'

/**
 * Puts a pipeline; durable when it resolves.
 * @throws {EngineError} as `parseSearchPipeline`: nothing has changed
 */
export async function putSearchPipeline(
  node: Node,
  id: string,
  body: JsonNode,
  context: CallContext,
): Promise<void> {
  node.ensureOpen()
  const definition = definitionOf(body)
  const pipeline = await node.scripts.whenLoaded(() => checkedPipeline(node, id, definition))
  await node.changes.submit(
    `put-search-pipeline-${id}`,
    'NORMAL',
    () => {
      const { searchPipelines } = node.metadata.node
      node.metadata.putNode({ searchPipelines: new Map(searchPipelines).set(id, definition) })
      const counts = node.searchPipelines.of(id)
      counts.request.retain(labelsOf(pipeline.request))
      counts.response.retain(labelsOf(pipeline.response))
    },
    context,
  )
}

/** Pipelines by ids that may hold `*`; missing ones are left out. */
export function showSearchPipelines(node: Node, ids: readonly string[]): ShownPipeline[] {
  return shownPipelines(node.metadata.node.searchPipelines, ids)
}

/**
 * Deletes a pipeline, or all that a pattern matches; durable when it resolves.
 * @throws {EngineError} as `withoutPipelines`
 */
export async function deleteSearchPipelines(
  node: Node,
  id: string,
  context: CallContext,
): Promise<void> {
  node.ensureOpen()
  await node.changes.submit(
    `delete-search-pipeline-${id}`,
    'NORMAL',
    () => {
      const { searchPipelines } = node.metadata.node
      const kept = withoutPipelines(searchPipelines, id)
      if (kept === searchPipelines) return
      node.metadata.putNode({ searchPipelines: kept })
      node.searchPipelines.retain(kept)
    },
    context,
  )
}

/**
 * Counts since the start; a pipeline that has not run yet has zeros. One that this node cannot read, which
 * searches through it are told, is left out.
 */
export function searchPipelineStats(node: Node): SearchPipelineStats {
  const { total, system } = node.searchPipelines
  const ids = [...node.metadata.node.searchPipelines.keys()].sort()
  return {
    totalRequest: total.request.shown(),
    totalResponse: total.response.shown(),
    systemRequest: system.shown('request'),
    systemResponse: system.shown('response'),
    pipelines: ids.flatMap(id => {
      const pipeline = readablePipeline(node, id)
      if (pipeline === null) return []
      const { request, response } = node.searchPipelines.of(id)
      return {
        id,
        request: halfOf(request, pipeline.request),
        response: halfOf(response, pipeline.response),
      }
    }),
  }
}

function readablePipeline(node: Node, id: string): SearchPipeline | null {
  try {
    return storedPipeline(node, id)
  } catch (error) {
    if (error instanceof EngineError) return null
    throw error
  }
}

function halfOf(counts: HalfCounts, processors: readonly SearchProcessor<unknown>[]): PipelineHalf {
  return {
    ...counts.runs.shown(),
    processors: processors.map(({ label, type }) => ({
      label,
      type,
      ...counts.processor(label).shown(),
    })),
  }
}

function labelsOf(processors: readonly SearchProcessor<unknown>[]): ReadonlySet<string> {
  return new Set(processors.map(({ label }) => label))
}
