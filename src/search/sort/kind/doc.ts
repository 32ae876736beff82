import type { Leaf } from '../../../segment/leaf.ts'
import { compareDoubles, DoubleComparator } from '../double-comparator.ts'
import type { AfterValue } from '../sort-key.ts'
import type { SortKeyOf, SortKind } from '../sort-kind.ts'

type DocKey = SortKeyOf<'doc'>

/** By global document. */
export const docSort: SortKind<DocKey> = {
  open: (key, capacity, after) => new DocComparator(key, capacity, after),
  compare: compareDoubles,
  valueType: () => 'DOC',
}

class DocComparator extends DoubleComparator {
  readonly #base: number
  #docBase = 0

  constructor({ descending, base = 0 }: DocKey, capacity: number, after: AfterValue | undefined) {
    super(descending, capacity, after)
    this.#base = base
  }

  override openLeaf(leaf: Leaf): void {
    this.#docBase = this.#base + leaf.docBase
  }

  override setScorer(): void {
    // Documents need no scores.
  }

  protected override read(docId: number): number {
    return docId + this.#docBase
  }
}
