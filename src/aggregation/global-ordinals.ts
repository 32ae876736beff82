import type { TermsIterator, TermsReader } from '../codec/terms/reader.ts'
import { compareBytes } from '../util/bytes.ts'

/** The ords of a shard's terms over all leaves, in the order of the terms. */
export class GlobalOrdinals {
  readonly #terms: readonly (TermsReader | null)[]
  /** The only leaf with terms, whose ords are the shard's; −1: several or none. */
  readonly #only: number
  #maps: OrdinalMaps | null = null

  /** @param terms dictionary of each leaf; null: it has none */
  constructor(terms: readonly (TermsReader | null)[]) {
    this.#terms = terms
    const having = terms.flatMap((reader, leaf) => (reader === null ? [] : [leaf]))
    this.#only = having.length === 1 ? having[0]! : -1
  }

  /** How many terms the shard has. */
  get count(): number {
    return this.#only >= 0 ? this.#terms[this.#only]!.termCount : this.#map().leaves.length
  }

  /** Adds numbers by ord of a leaf to those by ord of the shard. */
  spread(leafOrd: number, from: Uint32Array, to: Float64Array): void {
    const globals = this.#only >= 0 ? null : this.#map().globals[leafOrd]!
    for (let ord = 0; ord < from.length; ord++) {
      const at = globals === null ? ord : globals[ord]!
      to[at] = to[at]! + from[ord]!
    }
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
    this.#maps ??= keptMaps(this.#terms)
    return this.#maps
  }
}

interface OrdinalMaps {
  /** The shard's ord by leaf and ord. */
  readonly globals: readonly Int32Array[]
  /** A leaf with the term, and its ord there, by the shard's ord. */
  readonly leaves: Int32Array
  readonly ords: Int32Array
}

/** Maps live as long as the first leaf's dictionary is open. */
const kept = new WeakMap<
  TermsReader,
  { terms: readonly (TermsReader | null)[]; maps: OrdinalMaps }
>()

function keptMaps(terms: readonly (TermsReader | null)[]): OrdinalMaps {
  const first = terms.find(reader => reader !== null)
  if (first == null) return { globals: [], leaves: new Int32Array(0), ords: new Int32Array(0) }
  const known = kept.get(first)
  if (known?.terms.length === terms.length && known.terms.every((each, i) => each === terms[i]))
    return known.maps
  const maps = mapsOf(terms)
  kept.set(first, { terms, maps })
  return maps
}

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
