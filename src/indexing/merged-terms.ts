import type { TermsIterator } from '../codec/terms/reader.ts'
import type { Leaf } from '../segment/leaf.ts'
import { compareBytes } from '../util/bytes.ts'

/** The current term of a leaf's dictionary. */
export interface TermCursor {
  /** Ord of the leaf in the merged list. */
  readonly part: number
  readonly iterator: TermsIterator
}

/**
 * Visits every distinct term of a field over several leaves in ascending order, with the leaves
 * that have it, in their order. Both arguments of `visit` are reused from term to term.
 */
export function forEachTerm(
  leaves: readonly Leaf[],
  field: string,
  visit: (term: Uint8Array, at: readonly TermCursor[]) => void,
): void {
  const open = leaves.flatMap((leaf, part): TermCursor[] => {
    const iterator = leaf.terms(field)?.iterator()
    return iterator?.next() ? [{ part, iterator }] : []
  })
  const lowest: TermCursor[] = []
  while (open.length > 0) {
    lowest.length = 0
    for (const entry of open) {
      const order =
        lowest.length === 0 ? 0 : compareBytes(entry.iterator.term(), lowest[0]!.iterator.term())
      if (order < 0) lowest.length = 0
      if (order <= 0) lowest.push(entry)
    }
    visit(lowest[0]!.iterator.term(), lowest)
    for (const entry of lowest) {
      if (!entry.iterator.next()) open.splice(open.indexOf(entry), 1)
    }
  }
}
