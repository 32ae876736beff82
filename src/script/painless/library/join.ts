import type { ScriptRun } from '../../script-run.ts'
import { elementsOf } from '../../value/script-collection.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import { textOfValue } from '../../value/value-text.ts'
import { concatenate } from './text-parts.ts'

/**
 * Items of an `Iterable` with a separator between them.
 * @throws {EngineError} `circuit_breaking_exception`: too long
 */
export function joined(run: ScriptRun, separator: string, items: ScriptValue): string {
  let text = ''
  let isFirst = true
  for (const item of elementsOf(items) ?? []) {
    run.step()
    if (!isFirst) text = concatenate(run, text, separator)
    isFirst = false
    text = concatenate(run, text, textOfValue(item, run))
  }
  return text
}
