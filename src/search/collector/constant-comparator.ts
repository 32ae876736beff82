import { compareBytes } from '../../util/bytes.ts'
import type { SortComparator } from './sort-comparator.ts'
import type { AfterValue, SortKey } from './sort-key.ts'

/** A level on which all documents are equal. */
export function constantComparator(
  { value, descending }: Extract<SortKey, { kind: 'constant' }>,
  after: AfterValue | undefined,
): SortComparator {
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
}
