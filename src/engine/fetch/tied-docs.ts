/**
 * Documents of one shard that a join ties to each other: each has in `idField` the id of a parent, its own
 * where it is that parent, and in `relationField` the name of its part.
 */
import type { Leaf } from '../../segment/leaf.ts'
import type { Pins } from '../../segment/pins.ts'
import type { SnapshotLeaf } from '../../segment/snapshot.ts'
import { encodeUtf8 } from '../../util/bytes.ts'
import type { FetchPlace } from './shard-reader.ts'
import { withScratch } from './with-scratch.ts'

/** The part of a place that documents are looked up in. */
export type TiedPlace = Pick<FetchPlace, 'searcher' | 'memory' | 'snapshot'>

/** Which documents of a join are looked for. */
export interface Tie {
  readonly relationField: string
  readonly idField: string
  /** Only documents of these relations. */
  readonly relations: readonly string[]
}

/** A document in its leaf. */
export interface TiedDoc {
  readonly leafOrd: number
  readonly docId: number
}

/** The columns of a join in one leaf. */
interface Columns {
  readonly leaf: Leaf
  readonly relations: ReturnType<Leaf['ordinals']>
  /** Ords of the relations looked for. */
  readonly wanted: ReadonlySet<number>
  readonly ids: ReturnType<Leaf['ordinals']>
  readonly idTerms: ReturnType<Leaf['terms']>
}

/** Looks up tied documents. Memory is pinned by the owner of the pins. */
export class TiedDocs {
  readonly #place: TiedPlace
  readonly #pins: Pins
  readonly #tie: Tie
  readonly #columns: (Columns | undefined)[] = []

  constructor(place: TiedPlace, pins: Pins, tie: Tie) {
    this.#place = place
    this.#pins = pins
    this.#tie = tie
  }

  /** The ord in its leaf of the id that ties a document; −1: it has none. */
  idOrd(leafOrd: number, docId: number): number {
    const { ids } = this.#open(leafOrd)
    return ids?.advanceExact(docId) === true ? ids.ord(0) : -1
  }

  /** UTF-8 of an id of a leaf. */
  idOf(leafOrd: number, ord: number): Uint8Array {
    return this.#open(leafOrd).idTerms!.termOfOrd(ord)
  }

  /** How many ids a leaf has. */
  idCount(leafOrd: number): number {
    return this.#open(leafOrd).idTerms?.termCount ?? 0
  }

  /** The live document that has the id as its own; null: none of the relations. */
  parentOf(id: Uint8Array): TiedDoc | null {
    const { leaves } = this.#place.snapshot
    for (let leafOrd = leaves.length - 1; leafOrd >= 0; leafOrd--) {
      const { live } = leaves[leafOrd]!
      const accept = live === null ? undefined : (doc: number): boolean => live.bits.has(doc)
      const docId = this.#open(leafOrd).leaf.ids().lookup(id, accept)
      if (docId >= 0) return this.#hasRelation(leafOrd, docId) ? { leafOrd, docId } : null
    }
    return null
  }

  /** The live documents of a leaf that the id ties, ascending: its children, where such relations are wanted. */
  tiedTo(leafOrd: number, id: Uint8Array): readonly number[] {
    const { idField } = this.#tie
    const snapshotLeaf = this.#leaf(leafOrd)
    const state = this.#open(leafOrd).idTerms?.lookup(id) ?? null
    if (state === null) return NONE
    const docs: number[] = []
    const { searcher, memory } = this.#place
    withScratch({ searcher, memory, pins: this.#pins }, ONE_TERM, snapshotLeaf, leaf => {
      const postings = leaf.postings(idField, state)
      for (let doc = postings.nextDoc(); doc < leaf.maxDoc; doc = postings.nextDoc()) {
        const isLive = snapshotLeaf.live === null || snapshotLeaf.live.bits.has(doc)
        if (isLive && this.#hasRelation(leafOrd, doc)) docs.push(doc)
      }
    })
    return docs
  }

  #hasRelation(leafOrd: number, docId: number): boolean {
    const { relations, wanted } = this.#open(leafOrd)
    return relations?.advanceExact(docId) === true && wanted.has(relations.ord(0))
  }

  #leaf(leafOrd: number): SnapshotLeaf {
    return this.#place.snapshot.leaves[leafOrd]!
  }

  #open(leafOrd: number): Columns {
    return (this.#columns[leafOrd] ??= this.#columnsOf(leafOrd))
  }

  #columnsOf(leafOrd: number): Columns {
    const { relationField, idField, relations } = this.#tie
    const leaf = this.#place.searcher.openLeaf(this.#leaf(leafOrd), this.#pins, null)
    const names = has(leaf, relationField) ? leaf.terms(relationField) : null
    const wanted = new Set(relations.map(name => names?.ordOf(encodeUtf8(name)) ?? -1))
    const hasIds = has(leaf, idField)
    return {
      leaf,
      relations: names === null ? null : leaf.ordinals(relationField),
      wanted,
      ids: hasIds ? leaf.ordinals(idField) : null,
      idTerms: hasIds ? leaf.terms(idField) : null,
    }
  }
}

function has(leaf: Leaf, field: string): boolean {
  return leaf.fieldInfo(field) !== null
}

const NONE: readonly number[] = []
const ONE_TERM = { openPostings: 1 }
