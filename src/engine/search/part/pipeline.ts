import type { JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { readBoolean, readText } from '../../dsl/json-scalars.ts'
import type { PipelineRequest } from '../pipeline-request.ts'
import type { SearchPart } from '../search-part.ts'

/** `search_pipeline`, `verbose_pipeline`: what the search goes through, which prints by itself. */
export const pipelinePart: SearchPart<PipelineRequest> = {
  unasked: { pipeline: null, isVerbose: false },
  keys: {
    search_pipeline: (value, before) => ({ ...before, pipeline: readPipeline(value) }),
    verbose_pipeline: (value, before) => ({ ...before, isVerbose: readBoolean(value) }),
  },
  check() {},
  print() {},
}

function readPipeline(value: JsonNode): string | JsonObjectNode {
  return value.kind === 'object' ? value : readText(value)
}
