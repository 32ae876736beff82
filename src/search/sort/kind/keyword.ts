import type { TermsReader } from '../../../codec/terms/reader.ts'
import type { Leaf } from '../../../segment/leaf.ts'
import { compareBytes } from '../../../util/bytes.ts'
import type { NestedDocs } from '../nested-docs.ts'
import { NestedOrdinals } from '../nested-ordinals.ts'
import { type DocOrdinals, OrdinalRange } from '../ordinal-range.ts'
import type { SortComparator } from '../sort-comparator.ts'
import type { AfterValue, SortValue } from '../sort-key.ts'
import type { SortKeyOf, SortKind } from '../sort-kind.ts'

type KeywordKey = SortKeyOf<'keyword'>

/** By a field's terms. */
export const keywordSort: SortKind<KeywordKey> = {
  open: (key, capacity, after) => new KeywordComparator(key, capacity, after),
  compare: (key, a, b) => compareKeywords(key, a as Uint8Array | null, b as Uint8Array | null),
  valueType: () => 'STRING',
}

function compareKeywords(key: KeywordKey, a: Uint8Array | null, b: Uint8Array | null): number {
  const sign = key.descending ? -1 : 1
  if (typeof key.missing !== 'string') {
    const order = compareBytes(a ?? key.missing, b ?? key.missing)
    return sign * order
  }
  if (a === null || b === null) {
    if (a === b) return 0
    const aIsFirst = (a === null) === (key.missing === 'first')
    return aIsFirst ? -1 : 1
  }
  return sign * compareBytes(a, b)
}

/**
 * Compares keywords by bytes. Within a leaf, ordinals stand for terms, so that the dictionary is
 * read only when a document is kept; a slot of another leaf is looked up in this leaf's dictionary
 * once, and lies between two ordinals if the leaf lacks its term.
 */
class KeywordComparator implements SortComparator {
  readonly #key: KeywordKey
  readonly #terms: (Uint8Array | null)[]
  /**
   * Each slot's sort rank in the leaf with ord `#rankedIn`: twice its ordinal, or odd between two.
   */
  readonly #ranks: Float64Array
  readonly #rankedIn: Int32Array
  readonly #after: Uint8Array | null
  #afterRank = 0
  #leafNumber = 0
  #ordinals: DocOrdinals | null = null
  /** In place of the ordinals where those of nested documents count. */
  #inner: NestedOrdinals | null = null
  #dictionary: TermsReader | null = null
  /** The candidate's ordinal; −1 without a value. */
  #ord = -1

  constructor(key: KeywordKey, capacity: number, after: AfterValue | undefined) {
    this.#key = key
    this.#terms = new Array<Uint8Array | null>(capacity).fill(null)
    this.#ranks = new Float64Array(capacity)
    this.#rankedIn = new Int32Array(capacity).fill(-1)
    this.#after = after instanceof Uint8Array ? after : null
  }

  openLeaf(leaf: Leaf, nested: NestedDocs | null): void {
    const { field, mode, prefix, nested: inner } = this.#key
    this.#leafNumber++
    const ordinals = leaf.ordinals(field)
    this.#dictionary = leaf.terms(field)
    this.#ordinals =
      prefix === undefined || ordinals === null || this.#dictionary === null
        ? ordinals
        : new OrdinalRange(ordinals, this.#dictionary, prefix)
    this.#inner = null
    if (inner !== undefined) {
      if (nested !== null && this.#ordinals !== null)
        this.#inner = new NestedOrdinals(this.#ordinals, nested, mode, inner.maxChildren)
      this.#ordinals = null
    }
    this.#afterRank = this.#rankOf(this.#after)
  }

  setScorer(): void {
    // Keywords need no scores.
  }

  load(docId: number): void {
    const ordinals = this.#ordinals
    if (this.#inner !== null) this.#ord = this.#inner.ordOf(docId)
    else if (ordinals === null || !ordinals.advanceExact(docId)) this.#ord = -1
    else this.#ord = ordinals.ord(this.#key.mode === 'min' ? 0 : ordinals.valueCount() - 1)
  }

  compareSlot(slot: number): number {
    if (this.#rankedIn[slot] !== this.#leafNumber) {
      this.#ranks[slot] = this.#rankOf(this.#terms[slot] ?? null)
      this.#rankedIn[slot] = this.#leafNumber
    }
    return this.#compare(this.#ranks[slot]!, this.#terms[slot] ?? null)
  }

  compareAfter(): number {
    return this.#compare(this.#afterRank, this.#after)
  }

  #compare(rank: number, term: Uint8Array | null): number {
    const own = this.#ord < 0 ? this.#missingRank() : 2 * this.#ord
    // Two terms that the leaf lacks, one in place of a value, may lie between the same two of its own.
    if (own === rank) return this.#ord < 0 ? compareKeywords(this.#key, null, term) : 0
    return own < rank === this.#key.descending ? 1 : -1
  }

  store(slot: number): void {
    this.#terms[slot] = this.#ord < 0 ? null : (this.#dictionary?.termOfOrd(this.#ord) ?? null)
    this.#ranks[slot] = this.#ord < 0 ? this.#missingRank() : 2 * this.#ord
    this.#rankedIn[slot] = this.#leafNumber
  }

  compareSlots(a: number, b: number): number {
    return compareKeywords(this.#key, this.#terms[a] ?? null, this.#terms[b] ?? null)
  }

  value(slot: number): SortValue {
    const { missing } = this.#key
    return this.#terms[slot] ?? (typeof missing === 'string' ? null : missing)
  }

  /**
   * A term's rank in the leaf: 2 · ordinal, or one less than the next term's if the leaf lacks it.
   */
  #rankOf(term: Uint8Array | null): number {
    if (term === null) return this.#missingRank()
    const iterator = this.#dictionary?.iterator()
    if (iterator === undefined) return 0
    iterator.seekCeil(term)
    return iterator.isAt(term) ? 2 * iterator.ord() : 2 * iterator.ord() - 1
  }

  #missingLeaf = -1
  #missing = 0

  /** The rank of documents without a value: first, last, or that of the term which replaces it. */
  #missingRank(): number {
    const { missing, descending } = this.#key
    if (typeof missing === 'string')
      return (missing === 'first') === descending
        ? Number.POSITIVE_INFINITY
        : Number.NEGATIVE_INFINITY
    if (this.#missingLeaf !== this.#leafNumber) {
      this.#missingLeaf = this.#leafNumber
      this.#missing = this.#rankOf(missing)
    }
    return this.#missing
  }
}
