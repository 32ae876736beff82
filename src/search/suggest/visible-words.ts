import type { Leaf } from '../../segment/leaf.ts'
import type { BitSet } from '../../util/bit-set.ts'
import { encodeUtf8 } from '../../util/bytes.ts'
import type { Turn } from '../../util/turns.ts'
import type { CountedTerms } from './similar-terms.ts'

/** Postings that are read before it is looked whether the turn is over, and what they cost in its units. */
const POSTINGS_AT_ONCE = 8192
const POSTINGS_UNITS = 32

/** A shard of which not every document may be seen. */
export interface VisibleShard {
  readonly leaves: readonly Leaf[]
  /** By index of the leaf, the documents that may be seen, no nested ones. */
  readonly visible: readonly BitSet[]
  /** Runs with a leaf whose postings may be iterated until it returns. */
  withPostings<T>(ord: number, run: (leaf: Leaf) => T): T
}

/**
 * The terms of one field of a shard, counted in the documents that may be seen: as if there were no others.
 * A term that only others have is in the dictionaries and counts 0, which no suggestion passes.
 */
export class VisibleWords implements CountedTerms {
  readonly field: string
  readonly leaves: readonly Leaf[]
  readonly maxDoc: number
  readonly #shard: VisibleShard
  readonly #counts = new Map<string, number>()

  constructor(shard: VisibleShard, field: string) {
    this.field = field
    this.#shard = shard
    this.leaves = shard.leaves.filter(leaf => hasTerms(leaf, field))
    this.maxDoc = shard.leaves.reduce(
      (sum, leaf, ord) => sum + slotsOf(leaf, shard.visible[ord]!),
      0,
    )
  }

  get isEmpty(): boolean {
    return this.leaves.length === 0
  }

  *docFreq(term: string, turn: Turn): Generator<void, number, void> {
    const known = this.#counts.get(term)
    if (known !== undefined) return known
    let count = 0
    const bytes = encodeUtf8(term)
    for (const [ord, leaf] of this.#shard.leaves.entries())
      if (hasTerms(leaf, this.field)) count += yield* this.#countIn(ord, bytes, turn)
    this.#counts.set(term, count)
    return count
  }

  docFreqOf(term: string, _whole: number, turn: Turn): Generator<void, number, void> {
    return this.docFreq(term, turn)
  }

  /** Documents of a leaf, in runs: an iterator does not outlive a turn. */
  *#countIn(ord: number, term: Uint8Array, turn: Turn): Generator<void, number, void> {
    let count = 0
    for (let from = 0; from < this.#shard.leaves[ord]!.maxDoc; ) {
      const run = this.#shard.withPostings(ord, leaf => this.#run(leaf, ord, term, from))
      count += run.count
      from = run.next
      if (turn.isOver(POSTINGS_UNITS)) yield
    }
    return count
  }

  /** Counts some documents from one on. @returns where to go on; `maxDoc`: all are counted */
  #run(
    leaf: Leaf,
    ord: number,
    term: Uint8Array,
    from: number,
  ): { readonly count: number; readonly next: number } {
    const { maxDoc } = leaf
    const state = leaf.terms(this.field)?.lookup(term) ?? null
    if (state === null) return { count: 0, next: maxDoc }
    const visible = this.#shard.visible[ord]!
    const parents = leaf.parents()
    const postings = leaf.postings(this.field, state)
    let count = 0
    let read = 0
    let doc = from === 0 ? postings.nextDoc() : postings.advance(from)
    for (; doc < maxDoc && read < POSTINGS_AT_ONCE; read++) {
      const root = parents?.next(doc) ?? doc
      if (visible.has(root)) {
        count++
        doc = postings.nextDoc()
      } else {
        // Those up to the next one that may be seen do not count, nor do nested ones before that.
        const next = visible.next(root + 1)
        if (next >= maxDoc) return { count, next: maxDoc }
        doc = postings.advance((parents?.previous(next - 1) ?? next - 1) + 1)
      }
    }
    return { count, next: Math.min(doc, maxDoc) }
  }
}

/** Whether documents of a leaf have terms of a field. */
export function hasTerms(leaf: Leaf, field: string): boolean {
  const info = leaf.fieldInfo(field)
  return info !== null && info.indexOptions !== 'none' && info.termCount > 0
}

/** Documents of a leaf, with the nested ones that stand in them. */
function slotsOf(leaf: Leaf, documents: BitSet): number {
  const parents = leaf.parents()
  if (parents === null) return documents.count()
  let slots = 0
  for (let doc = documents.next(0); doc < documents.size; doc = documents.next(doc + 1))
    slots += doc - parents.previous(doc - 1)
  return slots
}
