/** Ingest pipelines: put, shown, deleted. */

import { parsePipeline } from '../../pipeline/pipeline-parser.ts'
import type { Pipeline, Processor } from '../../pipeline/processor.ts'
import { illegalState } from '../../pipeline/processor-failure.ts'
import type { ScriptCompiler } from '../../pipeline/script-compiler.ts'
import { clusterSettings } from '../../schema/setting-registry.ts'
import { valueOfNode } from '../../script/value/read-value.ts'
import type { ScriptMap } from '../../script/value/script-value.ts'
import type { CallContext } from '../../task/call-context.ts'
import { assert } from '../../util/assert.ts'
import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import type { ShownPipeline } from '../api/pipelines.ts'
import { definitionOf, shownPipelines, withoutPipelines } from '../metadata/pipelines-by-id.ts'
import type { Node } from '../node/node.ts'
import { checkedScripts } from './checked-scripts.ts'

/**
 * Puts a pipeline; durable when it resolves.
 * @throws {EngineError} `parse_exception`: a definition that cannot be; `illegal_state_exception`: too many
 *   processors
 */
export async function putPipeline(
  node: Node,
  id: string,
  body: JsonNode,
  context: CallContext,
): Promise<void> {
  node.ensureOpen()
  const definition = definitionOf(body)
  const read = (): Pipeline => readPipeline(id, definition, checkedScripts(node))
  checkCount(node, await node.scripts.whenLoaded(read))
  await node.changes.submit(
    `put-pipeline-${id}`,
    'NORMAL',
    () => {
      const { pipelines } = node.metadata.node
      node.metadata.putNode({ pipelines: new Map(pipelines).set(id, definition) })
    },
    context,
  )
}

/**
 * Reads a definition into a pipeline.
 * @throws {EngineError} as `putPipeline`
 */
export function readPipeline(
  id: string,
  definition: JsonObjectNode,
  scripts: ScriptCompiler,
): Pipeline {
  const values = valueOfNode(definition)
  assert(values instanceof Map, 'an object is a map')
  return parsePipeline(id, values as ScriptMap, scripts)
}

/** Pipelines by ids that may hold `*`; missing ones are left out. */
export function showPipelines(node: Node, ids: readonly string[]): ShownPipeline[] {
  return shownPipelines(node.metadata.node.pipelines, ids)
}

/**
 * Deletes a pipeline, or all that a pattern matches; durable when it resolves.
 * @throws {EngineError} `resource_not_found_exception`: there is none, unless all were meant
 */
export async function deletePipelines(node: Node, id: string, context: CallContext): Promise<void> {
  node.ensureOpen()
  await node.changes.submit(
    `delete-pipeline-${id}`,
    'NORMAL',
    () => {
      const { pipelines } = node.metadata.node
      const kept = withoutPipelines(pipelines, id)
      if (kept !== pipelines) node.metadata.putNode({ pipelines: kept })
    },
    context,
  )
}

/** @throws {EngineError} `illegal_state_exception`: more processors than a setting allows */
function checkCount(node: Node, { processors, onFailure }: Pipeline): void {
  const count = countOf(processors) + countOf(onFailure)
  const limit = clusterSettings.number(
    node.effectiveSettings,
    'cluster.ingest.max_number_processors',
  )
  if (limit !== null && count > limit)
    throw illegalState(
      'Cannot use more than the maximum processors allowed. Number of processors being configured ' +
        `is [${count}] which exceeds the maximum allowed configuration of [${limit}] processors.`,
    )
}

/** Processors with those that handle their failures. */
function countOf(processors: readonly Processor[]): number {
  return processors.reduce((sum, { onFailure }) => sum + 1 + countOf(onFailure), 0)
}
