import { EngineError } from '../../util/errors.ts'

/** The error of a query that `search.allow_expensive_queries` forbids. */
export function expensive(reason: string): EngineError {
  return new EngineError({ type: 'exception', reason })
}
