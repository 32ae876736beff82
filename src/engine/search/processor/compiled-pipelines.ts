/** Pipelines read from their definitions; stored ones are kept as long as their definition is. */
import { valueOfNode } from '../../../script/value/read-value.ts'
import type { ScriptMap } from '../../../script/value/script-value.ts'
import type { JsonObjectNode } from '../../../util/json/json-tree.ts'
import type { Node } from '../../node/node.ts'
import { allowedTypes } from './allowed-processors.ts'
import { parseSearchPipeline } from './parse-search-pipeline.ts'
import type { SearchPipeline } from './search-processor.ts'

/** The id of a pipeline that a search brings along. */
export const INLINE_ID = '_ad_hoc_pipeline'

const STORED = new WeakMap<JsonObjectNode, SearchPipeline>()

/**
 * Reads a definition whose scripts have to compile.
 * @throws {EngineError} as `parseSearchPipeline`
 */
export function checkedPipeline(
  node: Node,
  id: string,
  definition: JsonObjectNode,
): SearchPipeline {
  const { scripts } = node
  return parseSearchPipeline(id, valuesOf(definition), {
    types: allowedTypes(node.settings),
    checkScript: request => void scripts.compile(scripts.resolve(request, 'search'), 'search'),
  })
}

/**
 * The pipeline that a search brings along.
 * @throws {EngineError} as `parseSearchPipeline`
 */
export function inlinePipeline(node: Node, definition: JsonObjectNode): SearchPipeline {
  return checkedPipeline(node, INLINE_ID, definition)
}

/** A pipeline by its id; null: there is none. */
export function storedPipeline(node: Node, id: string): SearchPipeline | null {
  const definition = node.metadata.node.searchPipelines.get(id)
  if (definition === undefined) return null
  const known = STORED.get(definition)
  if (known !== undefined) return known
  // Its scripts were checked before, and are compiled when they run.
  const setup = { types: allowedTypes(node.settings), checkScript: () => {} }
  const pipeline = parseSearchPipeline(id, valuesOf(definition), setup)
  STORED.set(definition, pipeline)
  return pipeline
}

function valuesOf(definition: JsonObjectNode): ScriptMap {
  return valueOfNode(definition) as ScriptMap
}
