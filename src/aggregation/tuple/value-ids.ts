import { keyId } from '../terms/key-form.ts'
import type { TupleValue } from './tuple-source.ts'

/** Numbers the values of one place of tuples in order of first sight. */
export class ValueIds {
  readonly values: TupleValue[] = []
  readonly #ids = new Map<string | number | bigint | null, number>()

  idOf(value: TupleValue): number {
    const key = value === null ? null : keyId(value)
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = this.values.push(value) - 1
    this.#ids.set(key, id)
    return id
  }
}
