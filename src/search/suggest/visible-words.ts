import { type Leaf, SCRATCH_BYTES_PER_POSTINGS } from '../../segment/leaf.ts'
import type { BitSet } from '../../util/bit-set.ts'
import { encodeUtf8 } from '../../util/bytes.ts'
import type { Turn } from '../../util/turns.ts'
import { type FieldTotals, keepTotals, keptTotals } from './kept-totals.ts'
import { hasTerms, NEVER, type PhraseTerms, type WordCount } from './phrase-terms.ts'

/** Postings that are read before it is looked whether the turn is over, and what they cost in its units. */
const POSTINGS_AT_ONCE = 8192
const POSTINGS_UNITS = 32

/** A shard of which not every document may be seen. */
export interface VisibleShard {
  readonly leaves: readonly Leaf[]
  /** By index of the leaf, the documents that may be seen, no nested ones. */
  readonly visible: readonly BitSet[]
  /** By index of the leaf, the segment that it is of: totals are kept as long as it is. */
  readonly segments: readonly object[]
  /** Runs with a leaf whose postings may be iterated until it returns. */
  withPostings<T>(ord: number, run: (leaf: Leaf) => T): T
}

/**
 * The terms of one field of a shard, counted in the documents that may be seen: as if there were no others.
 * A term that only others have is in the dictionaries and counts 0, which no suggestion passes.
 */
export class VisibleWords implements PhraseTerms {
  readonly field: string
  readonly leaves: readonly Leaf[]
  readonly maxDoc: number
  readonly #shard: VisibleShard
  readonly #counts = new Map<string, WordCount>()
  #totals: FieldTotals | null = null

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
    return this.leaves.length === 0 || this.#totals?.occurrences === 0
  }

  get totalTermFreq(): number {
    return this.#addedUp().occurrences
  }

  get termCount(): number {
    return this.#addedUp().terms
  }

  #addedUp(): FieldTotals {
    if (this.#totals === null) throw new Error('the field has not been added up')
    return this.#totals
  }

  *docFreq(term: string, turn: Turn): Generator<void, number, void> {
    return (yield* this.#count(term, turn)).docFreq
  }

  docFreqOf(term: string, _whole: number, turn: Turn): Generator<void, number, void> {
    return this.docFreq(term, turn)
  }

  /** Counted in this turn where nobody asked before: what is asked for so is rare, or was counted in turns. */
  count(term: string): WordCount {
    const steps = this.#count(term, ENDLESS)
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
    }
  }

  counted(term: string): WordCount | null {
    return this.#counts.get(term) ?? null
  }

  *#count(term: string, turn: Pick<Turn, 'isOver'>): Generator<void, WordCount, void> {
    const known = this.#counts.get(term)
    if (known !== undefined) return known
    let docFreq = 0
    let totalTermFreq = 0
    const bytes = encodeUtf8(term)
    for (const [ord, leaf] of this.#shard.leaves.entries())
      if (hasTerms(leaf, this.field)) {
        const found = yield* this.#countIn(ord, bytes, turn)
        docFreq += found.docFreq
        totalTermFreq += found.totalTermFreq
      }
    const count = docFreq === 0 ? NEVER : { docFreq, totalTermFreq }
    this.#counts.set(term, count)
    return count
  }

  /** Documents of a leaf, in runs: an iterator does not outlive a turn. */
  *#countIn(
    ord: number,
    term: Uint8Array,
    turn: Pick<Turn, 'isOver'>,
  ): Generator<void, WordCount, void> {
    const run = new PostingsRun()
    for (;;) {
      const isOver = this.#shard.withPostings(ord, leaf => {
        const state = leaf.terms(this.field)?.lookup(term) ?? null
        if (state === null) return true
        const postings = leaf.postings(this.field, state)
        return run.read(postings, leaf, this.#shard.visible[ord]!, POSTINGS_AT_ONCE)
      })
      if (turn.isOver(POSTINGS_UNITS)) yield
      if (isOver) return { docFreq: run.docFreq, totalTermFreq: run.occurrences }
    }
  }

  *addUp(turn: Turn): Generator<void, void, void> {
    const { leaves, visible, segments } = this.#shard
    let occurrences = 0
    let terms = 0
    let leavesSeen = 0
    for (const [ord, leaf] of leaves.entries()) {
      const documents = visible[ord]!
      if (documents.next(0) >= documents.size) continue
      leavesSeen++
      if (!hasTerms(leaf, this.field)) continue
      const known = keptTotals(segments[ord]!, this.field, documents)
      const found = known ?? (yield* this.#addUpIn(ord, turn))
      if (known === null) keepTotals(segments[ord]!, this.field, documents, found)
      occurrences += found.occurrences
      terms += found.terms
    }
    // In a shard of several leaves its documents, as Lucene takes it.
    this.#totals = { occurrences, terms: leavesSeen === 1 ? terms : this.maxDoc }
  }

  /** Every posting of the field in a leaf, in runs. */
  *#addUpIn(ord: number, turn: Turn): Generator<void, FieldTotals, void> {
    let occurrences = 0
    let terms = 0
    let run = new PostingsRun()
    let at: Uint8Array | null = null
    for (let isOver = false; !isOver; ) {
      isOver = this.#shard.withPostings(ord, leaf => {
        const iterator = leaf.terms(this.field)!.iterator()
        const reader = leaf.postingsReader(this.field)
        const scratch = leaf.scratch.allocate(SCRATCH_BYTES_PER_POSTINGS)
        let hasTerm = at === null ? iterator.next() : iterator.seekCeil(at)
        for (let left = POSTINGS_AT_ONCE; hasTerm; hasTerm = iterator.next()) {
          const postings = reader.iterator(iterator.state(), scratch)
          const before = run.readCount
          if (left <= 0 || !run.read(postings, leaf, this.#shard.visible[ord]!, left)) {
            at = iterator.term().slice()
            return false
          }
          // To come to a term costs as much as some postings.
          left -= run.readCount - before + TERM_POSTINGS
          occurrences += run.occurrences
          if (run.docFreq > 0) terms++
          run = new PostingsRun()
        }
        return true
      })
      if (turn.isOver(POSTINGS_UNITS)) yield
    }
    return { occurrences, terms }
  }
}

const TERM_POSTINGS = 8
const ENDLESS: Pick<Turn, 'isOver'> = { isOver: () => false }

/** The postings of one term in documents that may be seen, which may be read in several runs. */
class PostingsRun {
  docFreq = 0
  occurrences = 0
  /** Postings that were looked at. */
  readCount = 0
  #from = 0

  /**
   * Goes on.
   * @param postings of the term, at their beginning
   * @param limit    of postings
   * @returns whether all are read
   */
  read(postings: Postings, leaf: Leaf, visible: BitSet, limit: number): boolean {
    const { maxDoc } = leaf
    const parents = leaf.parents()
    const end = this.readCount + limit
    let doc = this.#from === 0 ? postings.nextDoc() : postings.advance(this.#from)
    for (; doc < maxDoc && this.readCount < end; this.readCount++) {
      const root = parents?.next(doc) ?? doc
      if (visible.has(root)) {
        this.docFreq++
        this.occurrences += postings.freq()
        doc = postings.nextDoc()
      } else {
        // Those up to the next one that may be seen do not count, nor do nested ones before that.
        const next = visible.next(root + 1)
        if (next >= maxDoc) return true
        doc = postings.advance((parents?.previous(next - 1) ?? next - 1) + 1)
      }
    }
    this.#from = doc
    return doc >= maxDoc
  }
}

type Postings = ReturnType<Leaf['postings']>

/** Documents of a leaf, with the nested ones that stand in them. */
function slotsOf(leaf: Leaf, documents: BitSet): number {
  const parents = leaf.parents()
  if (parents === null) return documents.count()
  let slots = 0
  for (let doc = documents.next(0); doc < documents.size; doc = documents.next(doc + 1))
    slots += doc - parents.previous(doc - 1)
  return slots
}
