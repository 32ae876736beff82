import type { TermsIterator, TermsReader } from '../codec/terms/reader.ts'
import type { Leaf } from '../segment/leaf.ts'
import type { OrdinalMaps } from '../segment/ordinal-maps.ts'
import { compareBytes } from '../util/bytes.ts'
import type { SlotTotals } from './kernel/slot-counts.ts'

/** The ords of a shard's terms over all leaves, in the order of the terms. */
export class GlobalOrdinals {
  readonly #terms: readonly (TermsReader | null)[]
  /** The only leaf with terms, whose ords are the shard's; −1: several or none. */
  readonly #only: number
  readonly #field: string
  readonly #leaves: readonly Leaf[]
  readonly #keeps: boolean
  #maps: OrdinalMaps | null = null

  /** @param keeps whether the maps are kept for other searches */
  constructor(field: string, leaves: readonly Leaf[], keeps: boolean) {
    const terms = leaves.map((leaf): TermsReader | null =>
      leaf.fieldInfo(field) === null ? null : leaf.terms(field),
    )
    this.#field = field
    this.#leaves = leaves
    this.#keeps = keeps
    this.#terms = terms
    const having = terms.flatMap((reader, leaf) => (reader === null ? [] : [leaf]))
    this.#only = having.length === 1 ? having[0]! : -1
  }

  /** How many terms the shard has. */
  get count(): number {
    return this.#only >= 0 ? this.#terms[this.#only]!.termCount : this.#map().leaves.length
  }

  /** Adds numbers by ord of a leaf to those by ord of the shard. */
  spread(leafOrd: number, from: SlotTotals, to: Float64Array): void {
    if (this.#only >= 0) {
      for (let ord = 0; ord < from.length; ord++) to[ord] = to[ord]! + from[ord]!
      return
    }
    const globals = this.#map().globals[leafOrd]!
    for (let ord = 0; ord < from.length; ord++) {
      const at = globals[ord]!
      to[at] = to[at]! + from[ord]!
    }
  }

  /** Whether the ords of the one leaf that has terms are the shard's. */
  get isOfOneLeaf(): boolean {
    return this.#only >= 0
  }

  /** By ord of a leaf that of the shard; null: they are the same. It does not lie in memory of segments. */
  globalsOf(leafOrd: number): Int32Array | null {
    return this.#only >= 0 ? null : this.#map().globals[leafOrd]!
  }

  /** The shard's ord of a leaf's. */
  globalOf(leafOrd: number, ord: number): number {
    return this.#only >= 0 ? ord : this.#map().globals[leafOrd]![ord]!
  }

  /** The term of a shard's ord. */
  term(global: number): Uint8Array {
    if (this.#only >= 0) return this.#terms[this.#only]!.termOfOrd(global)
    const { leaves, ords } = this.#map()
    return this.#terms[leaves[global]!]!.termOfOrd(ords[global]!)
  }

  /** The shard's ord of a term, −1 when no leaf has it. */
  ordOf(term: Uint8Array): number {
    for (let leaf = 0; leaf < this.#terms.length; leaf++) {
      const ord = this.#terms[leaf]?.ordOf(term) ?? -1
      if (ord >= 0) return this.globalOf(leaf, ord)
    }
    return -1
  }

  /** Visits every term of every leaf. */
  forEach(visit: (leafOrd: number, ord: number, global: number) => void): void {
    this.#terms.forEach((reader, leaf) => {
      for (let ord = 0; ord < (reader?.termCount ?? 0); ord++)
        visit(leaf, ord, this.globalOf(leaf, ord))
    })
  }

  #map(): OrdinalMaps {
    this.#maps ??= this.#found()
    return this.#maps
  }

  #found(): OrdinalMaps {
    const terms = this.#terms
    const first = this.#leaves.find((_leaf, i) => terms[i] !== null)
    if (first === undefined || !this.#keeps) return mapsOf(terms)
    const total = terms.reduce((sum, reader) => sum + (reader?.termCount ?? 0), 0)
    const uids = this.#leaves.map(leaf => leaf.uid)
    const key = { field: this.#field, uids, maxBytes: BYTES_PER_TERM * total }
    return first.ordinalMaps(key, () => mapsOf(terms))
  }
}

/** The maps' share of a term of a leaf: its ord among all, and at most one leaf and ord of a term. */
const BYTES_PER_TERM = 12

/** Merges the dictionaries by a heap of their iterators. */
function mapsOf(terms: readonly (TermsReader | null)[]): OrdinalMaps {
  const globals = terms.map(reader => new Int32Array(reader?.termCount ?? 0))
  const total = globals.reduce((sum, each) => sum + each.length, 0)
  const leaves = new Int32Array(total)
  const ords = new Int32Array(total)
  const heap: HeapEntry[] = []
  terms.forEach((reader, leaf) => {
    const iterator = reader?.iterator()
    if (iterator?.next() === true) heap.push({ leaf, iterator, term: iterator.term().slice() })
  })
  for (let i = (heap.length >> 1) - 1; i >= 0; i--) sink(heap, i)
  let count = 0
  let last: Uint8Array | null = null
  while (heap.length > 0) {
    const top = heap[0]!
    const ord = top.iterator.ord()
    if (last === null || compareBytes(last, top.term) !== 0) {
      leaves[count] = top.leaf
      ords[count++] = ord
      last = top.term
    }
    globals[top.leaf]![ord] = count - 1
    if (top.iterator.next()) top.term = top.iterator.term().slice()
    else {
      const end = heap.pop()!
      if (heap.length === 0) break
      if (end !== top) heap[0] = end
    }
    sink(heap, 0)
  }
  return { globals, leaves: leaves.slice(0, count), ords: ords.slice(0, count) }
}

interface HeapEntry {
  readonly leaf: number
  readonly iterator: TermsIterator
  term: Uint8Array
}

function sink(heap: HeapEntry[], from: number): void {
  const moved = heap[from]!
  let at = from
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++
    if (!isBefore(heap[child]!, moved)) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = moved
}

function isBefore(a: HeapEntry, b: HeapEntry): boolean {
  return (compareBytes(a.term, b.term) || a.leaf - b.leaf) < 0
}
