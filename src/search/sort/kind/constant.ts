import { compareBytes } from '../../../util/bytes.ts'
import type { SortKeyOf, SortKind } from '../sort-kind.ts'

/** By a value that all documents of an index have; those of several indices differ. */
export const constantSort: SortKind<SortKeyOf<'constant'>> = {
  open({ value, descending }, _capacity, after) {
    const sign = descending ? -1 : 1
    const afterOrder = after instanceof Uint8Array ? sign * compareBytes(value, after) : 0
    return {
      openLeaf() {},
      setScorer() {},
      load() {},
      compareSlot: () => 0,
      compareAfter: () => afterOrder,
      store() {},
      compareSlots: () => 0,
      value: () => value,
    }
  },
  compare: ({ descending }, a, b) =>
    (descending ? -1 : 1) * compareBytes(a as Uint8Array, b as Uint8Array),
  valueType: () => 'STRING',
}
