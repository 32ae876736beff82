/** The errors of values that are none of a derived field's type. */
import { classNameOf, type ScriptValue } from '../../../script/value/script-value.ts'
import { EngineError } from '../../../util/errors.ts'

/** A value of another class than the field takes. @param to Java's name of the class that it takes */
export function castFault(value: Exclude<ScriptValue, null>, to: string): EngineError {
  return new EngineError({
    type: 'class_cast_exception',
    reason: `class ${classNameOf(value)} cannot be cast to class ${to}`,
  })
}

/** A place that is none. */
export function placeFault(): EngineError {
  return new EngineError({
    type: 'class_cast_exception',
    reason: 'geo_point should be in format emit(double lat, double lon) for derived fields',
  })
}

/** A text that is no number. */
export function numberFault(text: string): EngineError {
  return new EngineError({
    type: 'number_format_exception',
    reason: `For input string: "${text.slice(0, 256)}"`,
  })
}
