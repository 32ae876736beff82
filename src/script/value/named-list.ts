import type { ScriptValue } from './script-value.ts'

/** A list of another class than `ArrayList`: `java.util.LinkedList`, `ArrayDeque`, `Stack`. */
export class NamedList extends Array<ScriptValue> {
  readonly #className: string

  constructor(className: string, items: readonly ScriptValue[] = []) {
    super()
    this.#className = className
    for (const item of items) this.push(item)
  }

  /** Lists that are made of it are plain ones. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }

  /** Java's name of its class; on the prototype, so that it is no property of the list's own. */
  get className(): string {
    return this.#className
  }
}
