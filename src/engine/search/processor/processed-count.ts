import type { CallContext } from '../../../task/call-context.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import type { CountCall, SearchCall } from '../../api/searches.ts'
import { readInteger, readNumber } from '../../dsl/json-scalars.ts'
import { parseCountBody } from '../../dsl/search-body/count-body.ts'
import type { Node } from '../../node/node.ts'
import { defaultPipeline } from './choose-pipeline.ts'
import { sourceKey } from './search-source.ts'
import { processedCall } from './search-through-pipeline.ts'

/**
 * A count as the pipeline that its indices name leaves it: what a filter hides from their searches is not
 * counted either. There are no hits that processors of the response could change.
 * @throws {EngineError} as `choosePipeline`; the failure of a processor; a body with keys that a count does not take
 */
export async function processedCount(
  node: Node,
  call: CountCall,
  context: CallContext,
): Promise<CountCall> {
  const pipeline = defaultPipeline(node, call.target, context)
  if (pipeline === null || pipeline.request.length === 0) return call
  parseCountBody(call.body)
  const search: SearchCall = { ...call, human: false }
  const run = { scripts: node.scripts, attributes: new Map<string, number>(), maxScore: null }
  const changed = await processedCall(node, pipeline, search, run, null)
  const minScore = sourceKey(changed, 'min_score')
  const terminateAfter = sourceKey(changed, 'terminate_after')
  return {
    ...call,
    body: queryAlone(changed),
    options: {
      ...changed.options,
      ...(minScore === null ? {} : { minScore: readNumber(minScore) }),
      ...(terminateAfter === null ? {} : { terminateAfter: readInteger(terminateAfter) }),
    },
  }
}

function queryAlone({ body }: SearchCall): JsonNode | null {
  if (body?.kind !== 'object') return body
  return { ...body, entries: body.entries.filter(({ key }) => key === 'query') }
}
