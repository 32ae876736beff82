import type { JsonNode, JsonObjectNode } from '../../../util/json/json-tree.ts'
import { readBoolean, readText } from '../../dsl/json-scalars.ts'
import { parsingError, tokenName } from '../../dsl/parse-error.ts'
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
  if (value.kind === 'object') return value
  if (value.kind === 'array' || value.kind === 'null')
    throw parsingError(value, `Unknown key for a ${tokenName(value.kind)} in [search_pipeline].`)
  return readText(value)
}
