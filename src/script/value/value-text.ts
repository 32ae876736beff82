/** The text of any value, as Java's `String.valueOf`: `[1, 2.0]`, `{a=1}`. */

import { stackOverflow } from '../java-faults.ts'
import { chargeText, MAX_TEXT_LENGTH } from '../script-growth.ts'
import type { ScriptRun } from '../script-run.ts'
import { MAX_VALUE_DEPTH } from './hash.ts'
import { MapEntry } from './map-entry.ts'
import { ScriptCollection } from './script-collection.ts'
import { type ScriptValue, scalarText } from './script-value.ts'

/**
 * The text of a value.
 * @param run is charged the text of a list or map while it grows
 * @throws {ScriptFault} `stack_overflow_error`: nested too deep
 * @throws {EngineError} `circuit_breaking_exception`: too long
 */
export function textOfValue(value: ScriptValue, run: ScriptRun): string {
  if (!(value instanceof ScriptCollection || value instanceof MapEntry)) {
    const text = scalarText(value)
    if (text !== null) return text
  }
  const text = new TextOfCollection(run)
  text.add(value, null, 0)
  return text.parts.join('')
}

class TextOfCollection {
  readonly parts: string[] = []
  readonly #run: ScriptRun
  #length = 0

  constructor(run: ScriptRun) {
    this.#run = run
  }

  /** @param within the collection that holds the value, which Java does not print again */
  add(value: ScriptValue, within: ScriptValue, depth: number): void {
    this.#run.step()
    if (depth > MAX_VALUE_DEPTH) throw stackOverflow()
    if (value instanceof Map) {
      if (value === within) this.#push('(this Map)')
      else this.#addMap(value, depth)
    } else if (Array.isArray(value) || value instanceof Set || value instanceof ScriptCollection) {
      if (value === within) this.#push('(this Collection)')
      else this.#addItems(value, depth)
    } else if (value instanceof MapEntry) {
      this.add(value.key, null, depth + 1)
      this.#push('=')
      this.add(value.value, null, depth + 1)
    } else this.#push(scalarText(value) ?? '')
  }

  #addItems(items: Iterable<ScriptValue> & ScriptValue, depth: number): void {
    this.#push('[')
    let isFirst = true
    for (const item of items) {
      if (!isFirst) this.#push(', ')
      isFirst = false
      this.add(item, items, depth + 1)
    }
    this.#push(']')
  }

  #addMap(map: Map<ScriptValue, ScriptValue>, depth: number): void {
    this.#push('{')
    let isFirst = true
    for (const [key, item] of map) {
      if (!isFirst) this.#push(', ')
      isFirst = false
      this.add(key, map, depth + 1)
      this.#push('=')
      this.add(item, map, depth + 1)
    }
    this.#push('}')
  }

  #push(part: string): void {
    this.#length += part.length
    chargeText(this.#run, part.length)
    if (this.#length > MAX_TEXT_LENGTH) chargeText(this.#run, this.#length)
    this.parts.push(part)
  }
}
