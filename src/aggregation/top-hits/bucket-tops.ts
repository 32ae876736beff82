import type { ScriptRun } from '../../script/script-run.ts'
import type { SliceHit } from '../../search/collector/collect-spec.ts'
import type { OpenNestedDocs } from '../../search/collector/nested-docs.ts'
import type { SortKey } from '../../search/collector/sort-key.ts'
import { SortLevels } from '../../search/collector/sort-levels.ts'
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

/** Heaps of buckets over the slots of common sort levels. */
class Bank {
  isOpen = false
  readonly #capacity: number
  readonly #levels: SortLevels
  /** Slots of each bucket as a binary heap, last in sort order on top. */
  readonly #heaps: Int32Array
  readonly #counts: Int32Array
  readonly #docs: Float64Array
  readonly #scores: Float64Array
  #docBase = 0
  /** The document whose values are loaded. */
  #loaded = -1

  constructor(buckets: number, capacity: number, keys: readonly SortKey[], scripts: ScriptRun) {
    const slots = buckets * capacity
    this.#capacity = capacity
    this.#levels = new SortLevels(keys, slots, null, scripts)
    this.#heaps = new Int32Array(slots)
    this.#counts = new Int32Array(buckets)
    this.#docs = new Float64Array(slots)
    this.#scores = new Float64Array(slots)
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
    const first = bucket * this.#capacity
    const count = this.#counts[bucket]!
    const isFull = count === this.#capacity
    const slot = isFull ? this.#heaps[first]! : first + count
    if (isFull && !this.#levels.isBefore(slot)) return
    this.#levels.store(slot)
    this.#docs[slot] = docId + this.#docBase
    this.#scores[slot] = score
    if (isFull) this.#sink(first, slot)
    else {
      this.#counts[bucket] = count + 1
      this.#rise(first, count, slot)
    }
  }

  lastNumber(bucket: number): bigint | null {
    if (this.#counts[bucket]! < this.#capacity) return null
    const last = this.#levels.first(this.#heaps[bucket * this.#capacity]!)
    return typeof last === 'bigint' ? last : null
  }

  hits(bucket: number): SliceHit[] {
    const first = bucket * this.#capacity
    const slots = this.#heaps.slice(first, first + this.#counts[bucket]!)
    return Array.from(
      slots.sort((a, b) => this.#compare(a, b)),
      slot => ({
        globalDoc: this.#docs[slot]!,
        score: this.#scores[slot]!,
        sort: this.#levels.values(slot),
      }),
    )
  }

  #compare(a: number, b: number): number {
    const order = this.#levels.compareSlots(a, b)
    return order !== 0 ? order : this.#docs[a]! - this.#docs[b]!
  }

  #rise(first: number, start: number, slot: number): void {
    const heaps = this.#heaps
    let at = start
    while (at > 0) {
      const parent = (at - 1) >>> 1
      if (this.#compare(heaps[first + parent]!, slot) >= 0) break
      heaps[first + at] = heaps[first + parent]!
      at = parent
    }
    heaps[first + at] = slot
  }

  #sink(first: number, slot: number): void {
    const heaps = this.#heaps
    const count = this.#capacity
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= count) break
      if (child + 1 < count && this.#compare(heaps[first + child + 1]!, heaps[first + child]!) > 0)
        child++
      if (this.#compare(heaps[first + child]!, slot) <= 0) break
      heaps[first + at] = heaps[first + child]!
      at = child
    }
    heaps[first + at] = slot
  }
}
