/** Pipelines of either kind as the metadata keeps them: found by ids and patterns, taken out. */
import { EngineError } from '../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'
import type { JsonMap } from '../../util/json/json-value.ts'
import { jsonValueOf } from '../../util/json/json-writer.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import type { ShownPipeline } from '../api/pipelines.ts'
import type { PipelineDefinitions } from './section/pipeline-definitions.ts'

/**
 * The definition that a body is.
 * @throws {EngineError} `parse_exception`: it is no object
 */
export function definitionOf(body: JsonNode): JsonObjectNode {
  if (body.kind === 'object') return body
  throw new EngineError({
    type: 'parse_exception',
    reason: `a pipeline must be an object, found ${body.kind === 'array' ? 'an array' : `a ${body.kind}`}`,
  })
}

/** Pipelines by ids that may hold `*`, all without, in order of id; missing ones are left out. */
export function shownPipelines(
  pipelines: PipelineDefinitions,
  ids: readonly string[],
): ShownPipeline[] {
  return [...pipelines]
    .filter(([id]) => ids.length === 0 || ids.some(pattern => matchesWildcard(pattern, id)))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, definition]) => ({ id, definition: jsonValueOf(definition) as JsonMap }))
}

/**
 * The pipelines without those of an id that may hold `*`; the same where all were meant and there are none.
 * @throws {EngineError} `resource_not_found_exception`: there is none, unless all were meant
 */
export function withoutPipelines(pipelines: PipelineDefinitions, id: string): PipelineDefinitions {
  const kept = [...pipelines].filter(([name]) => !matchesWildcard(id, name))
  if (kept.length < pipelines.size) return new Map(kept)
  if (id === '*') return pipelines
  throw new EngineError({
    type: 'resource_not_found_exception',
    reason: `pipeline [${id}] is missing`,
  })
}
