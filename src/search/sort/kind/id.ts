import type { IdsReader } from '../../../codec/ids/reader.ts'
import type { Leaf } from '../../../segment/leaf.ts'
import { compareBytes } from '../../../util/bytes.ts'
import type { SortComparator } from '../sort-comparator.ts'
import type { AfterValue, SortValue } from '../sort-key.ts'
import type { SortKeyOf, SortKind } from '../sort-kind.ts'

/** By `_id`. */
export const idSort: SortKind<SortKeyOf<'id'>> = {
  open: ({ descending }, capacity, after) => new IdComparator(descending, capacity, after),
  compare: ({ descending }, a, b) =>
    (descending ? -1 : 1) * compareBytes(a as Uint8Array, b as Uint8Array),
  valueType: () => 'STRING',
}

const NO_ID: Uint8Array = new Uint8Array(0)

/** The bytes of every candidate are read, since no ordinals stand for them. */
class IdComparator implements SortComparator {
  readonly #sign: number
  readonly #slots: Uint8Array[]
  readonly #after: Uint8Array
  #ids: IdsReader | null = null
  #candidate = NO_ID

  constructor(descending: boolean, capacity: number, after: AfterValue | undefined) {
    this.#sign = descending ? -1 : 1
    this.#slots = new Array<Uint8Array>(capacity).fill(NO_ID)
    this.#after = after instanceof Uint8Array ? after : NO_ID
  }

  openLeaf(leaf: Leaf): void {
    this.#ids = leaf.ids()
  }

  setScorer(): void {
    // Ids need no scores.
  }

  load(docId: number): void {
    this.#candidate = this.#ids!.id(docId)
  }

  compareSlot(slot: number): number {
    return this.#sign * compareBytes(this.#candidate, this.#slots[slot]!)
  }

  compareAfter(): number {
    return this.#sign * compareBytes(this.#candidate, this.#after)
  }

  store(slot: number): void {
    this.#slots[slot] = this.#candidate
  }

  compareSlots(a: number, b: number): number {
    return this.#sign * compareBytes(this.#slots[a]!, this.#slots[b]!)
  }

  value(slot: number): SortValue {
    return this.#slots[slot]!
  }
}
