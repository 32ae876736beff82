import type { ScriptValue } from '../../value/script-value.ts'
import { ScriptFunction } from './class-type.ts'

/** A function of the library itself: `Comparator.naturalOrder()`, `Function.identity()`. */
export class NativeFunction extends ScriptFunction {
  /** Of its interface, in Java's words. */
  readonly className: string
  readonly #call: (...inputs: ScriptValue[]) => ScriptValue

  constructor(className: string, call: (...inputs: ScriptValue[]) => ScriptValue) {
    super()
    this.className = className
    this.#call = call
  }

  override call(...inputs: ScriptValue[]): ScriptValue {
    return this.#call(...inputs)
  }

  override text(): string {
    return this.className
  }
}
