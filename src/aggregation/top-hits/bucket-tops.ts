import type { ScriptRun } from '../../script/script-run.ts'
import type { SliceHit } from '../../search/collector/collect-spec.ts'
import { SlotHeaps } from '../../search/collector/slot-heaps.ts'
import type { OpenNestedDocs } from '../../search/sort/nested-docs.ts'
import type { SortKey } from '../../search/sort/sort-key.ts'
import { SortLevels } from '../../search/sort/sort-levels.ts'
import type { Leaf } from '../../segment/leaf.ts'

/** Bytes of a slot, its values to sort by included. */
const SLOT_BYTES = 48

/**
 * The first k documents of each bucket in sort order, ties by lowest document. Buckets share the
 * sort levels of their bank, whose size doubles from one to the next, so that a document is read once
 * for all buckets of a bank and few iterators are open at once.
 */
export class BucketTops {
  readonly #capacity: number
  readonly #keys: readonly SortKey[]
  readonly #openNested: OpenNestedDocs
  readonly #charge: (bytes: number) => void
  readonly #scripts: ScriptRun
  readonly #banks: Bank[] = []
  readonly #score = new CurrentScore()
  #leaf: Leaf | null = null
  #leafOrd = -1

  /**
   * @param capacity k, min 1
   * @param charge memory is charged to it before it is taken
   */
  constructor(
    capacity: number,
    keys: readonly SortKey[],
    openNested: OpenNestedDocs,
    charge: (bytes: number) => void,
    scripts: ScriptRun,
  ) {
    this.#scripts = scripts
    this.#capacity = capacity
    this.#keys = keys
    this.#openNested = openNested
    this.#charge = charge
  }

  openLeaf(leaf: Leaf, leafOrd: number): void {
    this.#leaf = leaf
    this.#leafOrd = leafOrd
    for (const bank of this.#banks) bank.close()
  }

  /** Takes a document of the open leaf; those of a leaf come in ascending order. @param score NaN: unread */
  collect(bucket: number, docId: number, score: number): void {
    const ord = 31 - Math.clz32(bucket + 1)
    const bank = this.#banks[ord] ?? this.#addBank(ord)
    this.#score.value = score
    if (!bank.isOpen) bank.open(this.#leaf!, this.#leafOrd, this.#openNested, this.#score)
    bank.collect(bucket + 1 - 2 ** ord, docId, score)
  }

  /** The number that the last of a bucket's first k documents is sorted by; null: there are fewer. */
  lastNumber(bucket: number): bigint | null {
    const ord = 31 - Math.clz32(bucket + 1)
    return this.#banks[ord]?.lastNumber(bucket + 1 - 2 ** ord) ?? null
  }

  /** The kept documents of a bucket in sort order. */
  hits(bucket: number): SliceHit[] {
    const ord = 31 - Math.clz32(bucket + 1)
    return this.#banks[ord]?.hits(bucket + 1 - 2 ** ord) ?? []
  }

  #addBank(ord: number): Bank {
    while (this.#banks.length <= ord) {
      const buckets = 2 ** this.#banks.length
      this.#charge(buckets * this.#capacity * (SLOT_BYTES + 16 * this.#keys.length))
      this.#banks.push(new Bank(buckets, this.#capacity, this.#keys, this.#scripts))
    }
    return this.#banks[ord]!
  }
}

/** The score of the document that is compared. */
class CurrentScore {
  value = 0

  score(): number {
    return this.value
  }
}

/** Buckets over the slots of common sort levels. */
class Bank {
  isOpen = false
  readonly #levels: SortLevels
  readonly #heaps: SlotHeaps
  #docBase = 0
  /** The document whose values are loaded. */
  #loaded = -1

  constructor(buckets: number, capacity: number, keys: readonly SortKey[], scripts: ScriptRun) {
    this.#levels = new SortLevels(keys, buckets * capacity, null, scripts)
    this.#heaps = new SlotHeaps(buckets, capacity, this.#levels)
  }

  close(): void {
    this.isOpen = false
  }

  open(leaf: Leaf, leafOrd: number, openNested: OpenNestedDocs, score: CurrentScore): void {
    this.isOpen = true
    this.#docBase = leaf.docBase
    this.#loaded = -1
    this.#levels.openLeaf(leaf, leafOrd, openNested)
    this.#levels.setScorer(score)
  }

  collect(bucket: number, docId: number, score: number): void {
    if (docId !== this.#loaded) {
      this.#loaded = docId
      this.#levels.load(docId)
    }
    this.#heaps.offer(bucket, docId + this.#docBase, score)
  }

  lastNumber(bucket: number): bigint | null {
    const slot = this.#heaps.lastSlot(bucket)
    const last = slot < 0 ? null : this.#levels.first(slot)
    return typeof last === 'bigint' ? last : null
  }

  hits(bucket: number): SliceHit[] {
    return this.#heaps.hits(bucket)
  }
}
