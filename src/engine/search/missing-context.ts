import { EngineError } from '../../util/errors.ts'
import { contextMissing } from './search-targets.ts'

/** The error of a search in a context that is gone, or was of another node: 404. */
export function missingContext(number: number): EngineError {
  const { record } = contextMissing(number)
  const { type, reason } = record
  return new EngineError({
    type: 'search_phase_execution_exception',
    reason: 'all shards failed',
    extra: {
      phase: 'query',
      grouped: true,
      failed_shards: [{ shard: -1, index: null, reason: { type, reason } }],
    },
    rootCause: [record],
    status: 404,
  })
}
