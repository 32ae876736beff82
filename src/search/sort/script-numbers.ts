import { doubleToSortable, sortable } from '../../codec/doc-values/sortable.ts'
import type { LeafScript } from '../script/leaf-script.ts'
import type { DocNumbers } from './nested-numbers.ts'

/** The one number that a script gives each document, as a sortable double. */
export class ScriptNumbers implements DocNumbers {
  readonly #script: LeafScript
  #value = 0

  constructor(script: LeafScript) {
    this.#script = script
  }

  advanceExact(docId: number): boolean {
    this.#value = this.#script.number(docId)
    return true
  }

  valueCount(): number {
    return 1
  }

  select(): void {
    // There is one value.
  }

  hi(): number {
    doubleToSortable(this.#value)
    return sortable.hi
  }

  lo(): number {
    doubleToSortable(this.#value)
    return sortable.lo
  }
}
