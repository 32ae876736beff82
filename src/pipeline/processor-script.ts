/** The script of a processor as its definition has it. */
import type { ScriptMap, ScriptValue } from '../script/value/script-value.ts'
import { IllegalArgumentError } from '../util/errors.ts'

/** A script that is named, not resolved. */
export interface ProcessorScript {
  /** Null: it is stored. */
  readonly source: string | null
  readonly id: string | null
  readonly lang: string
  readonly params: ScriptMap
}

/**
 * Reads a script: a text is a source in painless.
 * @throws {IllegalArgumentError} neither source nor id, or both
 */
export function readProcessorScript(script: ScriptValue): ProcessorScript {
  if (!(script instanceof Map))
    return { source: textOf(script), id: null, lang: 'painless', params: new Map() }
  const text = (...names: string[]): string | null => {
    for (const name of names) {
      const value = script.get(name)
      if (value !== undefined && value !== null) return textOf(value)
    }
    return null
  }
  const source = text('source', 'inline')
  const id = text('id', 'stored')
  if (source === null && id === null)
    throw new IllegalArgumentError(
      'must specify either [source] for an inline script or [id] for a stored script',
    )
  if (source !== null && id !== null)
    throw new IllegalArgumentError('must only use one of [source, id] when specifying a script')
  const params = script.get('params') ?? null
  if (params !== null && !(params instanceof Map))
    throw new IllegalArgumentError('[params] must be a map of the parameters of a script')
  return { source, id, lang: text('lang') ?? 'painless', params: params ?? new Map() }
}

function textOf(value: ScriptValue): string {
  if (typeof value === 'string') return value
  throw new IllegalArgumentError('the parts of a script must be texts')
}
