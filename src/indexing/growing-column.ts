import { LongColumn } from '../codec/doc-values/long-column.ts'
import { grown } from '../util/grown.ts'
import type { NumericColumn } from './field-sections.ts'

/** A column of documents and values that grows. */
export class GrowingColumn {
  #docs = new Int32Array(256)
  readonly #values = new LongColumn(256)

  push(doc: number, hi: number, lo: number): void {
    if (this.#values.length === this.#docs.length)
      this.#docs = grown(this.#docs, 2 * this.#docs.length)
    this.#docs[this.#values.length] = doc
    this.#values.push(hi, lo)
  }

  /** Null when empty. */
  finish(): NumericColumn | null {
    const count = this.#values.length
    return count === 0 ? null : { docs: this.#docs, values: this.#values, count }
  }
}
