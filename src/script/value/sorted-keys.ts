import { checkMapSize } from '../script-growth.ts'
import type { ScriptValue } from './script-value.ts'

/** An order of keys. */
export type KeyOrder = (a: ScriptValue, b: ScriptValue) => number

/**
 * Keys in ascending order, each with a value: what sorted maps and sets are made of. They may outlive the
 * execution that made them, so that what they take is charged by the members that call them.
 */
export class SortedKeys {
  readonly order: KeyOrder
  readonly #keys: ScriptValue[] = []
  readonly #values: ScriptValue[] = []

  constructor(order: KeyOrder) {
    this.order = order
  }

  get size(): number {
    return this.#keys.length
  }

  keyAt(index: number): ScriptValue {
    return this.#keys[index]!
  }

  valueAt(index: number): ScriptValue {
    return this.#values[index]!
  }

  /** Index of a key; without it −1 minus the index where it would stand. */
  find(key: ScriptValue): number {
    let low = 0
    let high = this.#keys.length - 1
    // A key among none is compared too, because Java refuses one that has no order.
    if (high < 0) this.order(key, key)
    while (low <= high) {
      const middle = (low + high) >>> 1
      const order = this.order(this.#keys[middle]!, key)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle - 1
    }
    return -1 - low
  }

  /** Sets the value of a key. */
  set(key: ScriptValue, value: ScriptValue): void {
    const index = this.find(key)
    if (index >= 0) this.#values[index] = value
    else {
      const at = -1 - index
      checkMapSize(this.#keys.length + 1)
      this.#keys.splice(at, 0, key)
      this.#values.splice(at, 0, value)
    }
  }

  /** Takes out what stands at an index. */
  deleteAt(index: number): void {
    this.#keys.splice(index, 1)
    this.#values.splice(index, 1)
  }

  clear(): void {
    this.#keys.length = 0
    this.#values.length = 0
  }

  /** Entries in order, also while the one that was given last is taken out. */
  *entries(): Generator<[ScriptValue, ScriptValue], undefined, unknown> {
    for (let i = 0; i < this.#keys.length; ) {
      const key = this.#keys[i]!
      yield [key, this.#values[i]!]
      if (this.#keys[i] === key) i++
      else if (i < this.#keys.length) {
        // Another key stands here: the walk goes on behind the last one.
        const index = this.find(key)
        i = index >= 0 ? index + 1 : -1 - index
      }
    }
    return undefined
  }
}
