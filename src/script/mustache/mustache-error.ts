import { EngineError } from '../../util/errors.ts'

/**
 * A template that cannot be: 400 `script_exception`, with the fault as its reason and cause.
 * @param source of the whole template
 */
export function mustacheError(reason: string, source: string): EngineError {
  return new EngineError({
    type: 'script_exception',
    reason,
    extra: { script_stack: [], script: source, lang: 'mustache' },
    causedBy: { type: 'mustache_exception', reason },
  })
}
