/** Iterators over materialized sets of documents. */
import { type DocIdIterator, NO_MORE_DOCS } from '../../codec/doc-id-iterator.ts'
import type { BitSet } from '../../util/bit-set.ts'
import type { Watch } from './watch.ts'

/** Every document of a leaf. */
export class AllDocsIterator implements DocIdIterator {
  #doc = -1
  readonly #maxDoc: number

  constructor(maxDoc: number) {
    this.#maxDoc = maxDoc
  }

  docId(): number {
    return this.#doc
  }

  nextDoc(): number {
    return this.advance(this.#doc + 1)
  }

  advance(target: number): number {
    return (this.#doc = target < this.#maxDoc ? target : NO_MORE_DOCS)
  }

  cost(): number {
    return this.#maxDoc
  }
}

/** The members of a bit set. */
export class BitSetIterator implements DocIdIterator {
  #doc = -1
  readonly #bits: BitSet
  readonly #cost: number

  constructor(bits: BitSet, cost: number) {
    this.#bits = bits
    this.#cost = cost
  }

  docId(): number {
    return this.#doc
  }

  nextDoc(): number {
    return this.advance(this.#doc + 1)
  }

  advance(target: number): number {
    const doc = this.#bits.next(target)
    return (this.#doc = doc < this.#bits.size ? doc : NO_MORE_DOCS)
  }

  cost(): number {
    return this.#cost
  }
}

/** Ascending documents in a list. */
export class DocListIterator implements DocIdIterator {
  #at = -1
  readonly #docs: Int32Array

  /** @param docs ascending, without repeats; not copied */
  constructor(docs: Int32Array) {
    this.#docs = docs
  }

  /** Index of the current document in the list. */
  get index(): number {
    return this.#at
  }

  docId(): number {
    if (this.#at < 0) return -1
    return this.#at < this.#docs.length ? this.#docs[this.#at]! : NO_MORE_DOCS
  }

  nextDoc(): number {
    this.#at++
    return this.docId()
  }

  advance(target: number): number {
    const docs = this.#docs
    let step = 1
    let low = this.#at + 1
    // Gallops, then halves: targets are near more often than far.
    while (low + step < docs.length && docs[low + step]! < target) {
      low += step
      step *= 2
    }
    let high = Math.min(low + step, docs.length)
    while (low < high) {
      const middle = (low + high) >>> 1
      if (docs[middle]! < target) low = middle + 1
      else high = middle
    }
    this.#at = low
    return this.docId()
  }

  cost(): number {
    return this.#docs.length
  }
}

/** Documents by a random-access test: a norm, a doc value. */
export class PresenceIterator implements DocIdIterator {
  #doc = -1
  readonly #maxDoc: number
  readonly #cost: number
  readonly #has: (docId: number) => boolean
  readonly #watch: Watch

  /** @param has called with ascending documents */
  constructor(maxDoc: number, cost: number, has: (docId: number) => boolean, watch: Watch) {
    this.#watch = watch
    this.#maxDoc = maxDoc
    this.#cost = cost
    this.#has = has
  }

  docId(): number {
    return this.#doc
  }

  nextDoc(): number {
    return this.advance(this.#doc + 1)
  }

  advance(target: number): number {
    let doc = target
    while (doc < this.#maxDoc && !this.#has(doc)) {
      this.#watch.spend(1)
      doc++
    }
    return (this.#doc = doc < this.#maxDoc ? doc : NO_MORE_DOCS)
  }

  cost(): number {
    return this.#cost
  }
}
