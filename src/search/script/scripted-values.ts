/** The values that a script gives documents, or makes of those of a field: of aggregations. */

import type { ScriptRun } from '../../script/script-run.ts'
import { ZonedDateTimeValue } from '../../script/value/date/zoned-date-time.ts'
import { toDouble } from '../../script/value/java-numbers.ts'
import { ScriptArray } from '../../script/value/script-array.ts'
import { elementsOf } from '../../script/value/script-collection.ts'
import { doubleValue, type ScriptValue } from '../../script/value/script-value.ts'
import { textOfValue } from '../../script/value/value-text.ts'
import { jsonOfValue } from '../../script/value/write-value.ts'
import type { Leaf } from '../../segment/leaf.ts'
import { EngineError } from '../../util/errors.ts'
import { leafDocValues } from './field-doc-values.ts'
import type { LeafDocValues } from './leaf-doc-values.ts'
import type { LeafScript, ScriptEngine, ScriptedValues } from './leaf-script.ts'
import type { ScriptField } from './script-field.ts'
import type { ValueScript } from './value-script.ts'

const NANOS_PER_MILLI = 1e6

/** The values of a leaf's documents. */
export class LeafScriptedValues implements ScriptedValues {
  readonly #script: LeafScript
  readonly #run: ScriptRun
  readonly #field: ScriptField | null
  readonly #values: LeafDocValues | null
  #score = 0
  #value: ScriptValue = null

  constructor({ plan, of }: ValueScript, leaf: Leaf, run: ScriptRun, engine: ScriptEngine) {
    this.#run = run
    this.#field = of
    this.#values = of === null ? null : leafDocValues(of, leaf)
    this.#script = engine.open(plan, leaf, {
      run,
      score: () => this.#score,
      value: of === null ? null : () => this.#value,
      params: new Map(),
    })
  }

  numbers(docId: number, score: number): readonly number[] {
    const numbers = this.#results(docId, score).map(numberOf)
    return numbers.length > 1 ? numbers.sort((a, b) => a - b) : numbers
  }

  texts(docId: number, score: number): readonly string[] {
    return this.#results(docId, score).map(value => textOfValue(value, this.#run))
  }

  #results(docId: number, score: number): ScriptValue[] {
    this.#score = score
    const values = this.#values
    if (values === null) return itemsOf(sound(this.#script.value(docId)))
    values.moveTo(docId)
    const results: ScriptValue[] = []
    for (let i = 0; i < values.size; i++) {
      this.#value = inputOf(values, this.#field!, i)
      const result = sound(this.#script.value(docId))
      if (result !== null) results.push(result)
    }
    return results
  }
}

/** A value of a field as `_value`: numbers are doubles, dates those of milliseconds. */
function inputOf(values: LeafDocValues, field: ScriptField, index: number): ScriptValue {
  switch (field.kind) {
    case 'long':
    case 'double':
    case 'boolean':
    case 'unsignedLong':
    case 'millis':
      return doubleValue(Number(values.bareAt(index)))
    case 'nanos':
      return doubleValue(Math.floor(Number(values.bareAt(index)) / NANOS_PER_MILLI))
    case 'text':
    case 'address':
    case 'place':
    case 'bytes':
    case 'vector':
    case 'constant':
    case 'id':
    case 'unreadable':
      return values.at(index)
  }
}

/**
 * A result that does not hold itself.
 * @throws {EngineError} `illegal_argument_exception`
 */
function sound(result: ScriptValue): ScriptValue {
  if (result instanceof Map || elementsOf(result) !== null) jsonOfValue(result)
  return result
}

/** One value, the elements of several, or none. */
function itemsOf(result: ScriptValue): ScriptValue[] {
  if (result === null) return []
  if (result instanceof ScriptArray) return result.items
  const elements = elementsOf(result)
  return elements === null ? [result] : [...elements].filter(each => each !== null)
}

/** @throws {EngineError} `aggregation_execution_exception`: it is no number, date or boolean */
function numberOf(value: ScriptValue): number {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value instanceof ZonedDateTimeValue)
    return value.epochSecond * 1000 + Math.floor((value.nano % 1e9) / NANOS_PER_MILLI)
  const number = toDouble(value)
  if (number !== null) return number
  throw new EngineError({
    type: 'aggregation_execution_exception',
    reason: `Unsupported script value [${String(typeof value === 'string' ? value : '')}], expected a number, date, or boolean`,
  })
}
