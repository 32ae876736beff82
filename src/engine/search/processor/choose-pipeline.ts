/** The pipeline of a search: of its URL or body, or the default of its indices. */
import type { CallContext } from '../../../task/call-context.ts'
import { EngineError, IllegalArgumentError } from '../../../util/errors.ts'
import type { SearchCall } from '../../api/searches.ts'
import type { Target } from '../../api/target.ts'
import { resolveOpen } from '../../metadata/resolve-target.ts'
import { DEFAULT_PIPELINE_KEY } from '../../node/default-pipelines.ts'
import type { Node } from '../../node/node.ts'
import type { SearchRequest } from '../search-request.ts'
import { inlinePipeline, storedPipeline } from './compiled-pipelines.ts'
import type { SearchPipeline } from './search-processor.ts'
import { mayHaveSystemProcessors } from './system-processors.ts'

/** The name that stands for no pipeline. */
const NONE = '_none'

/** Whether a search may go through a pipeline: where it may not, nothing is looked up. */
export function mayHavePipeline(
  node: Node,
  { target, options }: SearchCall,
  request: SearchRequest,
): boolean {
  const { pipeline: asked } = request.parts
  if (options.searchPipeline !== undefined || options.verbosePipeline === true) return true
  if (asked.pipeline !== null || asked.isVerbose) return true
  return mayHaveDefault(node, target) || mayHaveSystemProcessors(node, request)
}

/** Whether the indices of a target may name a pipeline. */
export function mayHaveDefault(node: Node, { names }: Target): boolean {
  return names.length > 0 && node.defaultPipelines.areNamed(node.metadata)
}

/**
 * The pipeline that a search goes through; null: none.
 * @throws {IllegalArgumentError} one by name and one by definition; a name that no pipeline has
 * @throws {EngineError} a definition that cannot be
 */
export function choosePipeline(
  node: Node,
  call: SearchCall,
  { parts: { pipeline: asked } }: SearchRequest,
  context: CallContext,
): SearchPipeline | null {
  const { searchPipeline } = call.options
  const { pipeline } = asked
  if (pipeline !== null && typeof pipeline !== 'string') {
    if (searchPipeline === undefined) return inlinePipeline(node, pipeline)
    throw new IllegalArgumentError(
      'Both named and inline search pipeline were specified. Please only specify one or the other.',
    )
  }
  const id = searchPipeline ?? pipeline
  return id === null ? defaultPipeline(node, call.target, context) : pipelineOf(node, id)
}

/** @throws {IllegalArgumentError} a name that no pipeline has */
function pipelineOf(node: Node, id: string): SearchPipeline | null {
  if (id === NONE) return null
  const found = storedPipeline(node, id)
  if (found !== null) return found
  throw new IllegalArgumentError(`Pipeline ${id} is not defined`)
}

/**
 * The pipeline that the indices of a search name, where those that name one agree; null: none.
 * @throws {IllegalArgumentError} a name that no pipeline has
 */
export function defaultPipeline(
  node: Node,
  target: Target,
  context: CallContext,
): SearchPipeline | null {
  return target.names.length === 0 ? null : pipelineOf(node, defaultId(node, target, context))
}

function defaultId(node: Node, target: Target, context: CallContext): string {
  let id = NONE
  try {
    for (const { index } of resolveOpen(node.metadata, target, context)) {
      const named = index.settings.get(DEFAULT_PIPELINE_KEY)
      if (typeof named !== 'string') continue
      if (id === NONE) id = named
      else if (id !== named) return NONE
    }
  } catch (error) {
    // The search itself says which index is missing.
    if (!(error instanceof EngineError) || error.record.type !== 'index_not_found_exception')
      throw error
  }
  return id
}
