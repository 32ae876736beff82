/**
 * How matches are gathered beside the hits: in batches, the same from kernels and from iterators,
 * so that a gather is written once. `GatherType` is one kind of gather; each has its own file.
 */
import type { ScriptRun } from '../../script/script-run.ts'
import type { DocList } from '../../segment/kept-sets.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { TermFrequencyFilter } from '../../segment/uninvert.ts'
import { listOnes } from '../../util/bits.ts'
import type { Query } from '../query/query.ts'
import type { ScorerSupplier } from '../scorer/scorer.ts'
import type { Watch } from '../scorer/watch.ts'
import type { ScriptPlan } from '../script/script-plan.ts'
import type { Weight } from '../weight/weight.ts'
import type { Gather, GatherDemands } from './gather-plan.ts'
import type { MatchScope } from './match-scope.ts'

/** Max documents of one batch; documents of a window of bits. */
export const BATCH_DOCS = 4096

/** Consecutive windows of a bit set; bits outside the search are 0. */
export interface BitWindows {
  /** Address of the first word, in the leaf's arena. */
  readonly at: number
  /** A multiple of 8. */
  readonly bytes: number
  /** The document of the first bit, a multiple of 64. */
  readonly firstDoc: number
}

/**
 * Matches of one leaf, live and accepted, ascending: the bits of windows or a list. One object is
 * refilled for each batch: a gather keeps no reference to it.
 */
export class MatchBatch {
  leafOrd = 0
  /** Number of documents. */
  count = 0
  /** Null: the batch is a list. */
  windows: BitWindows | null = null
  /** Address of the list in the leaf's arena; 0: it lies elsewhere. */
  docsAt = 0
  /** First of the documents where they are consecutive; −1: they are not. Known once all are there. */
  run = -1
  /** float32 by index in the list; null when no gather reads scores. */
  scores: Float32Array | null = null
  readonly #own = new Int32Array(BATCH_DOCS)
  /** The documents; null: they are not listed yet. */
  #docs: Int32Array | null = null
  #leaf: Leaf | null = null

  /** The documents' leaf. */
  get leaf(): Leaf {
    return this.#leaf!
  }

  /** Begins a list: the caller fills it, and `scores` if they are read. */
  list(leaf: Leaf, leafOrd: number): Int32Array {
    this.#leaf = leaf
    this.leafOrd = leafOrd
    this.windows = null
    this.docsAt = 0
    this.#docs = this.#own
    return this.#own
  }

  /** Begins and ends a list that lies in the leaf's arena, without scores; it is only to be read. */
  listed(leaf: Leaf, leafOrd: number, { at, count }: DocList): void {
    const { i32 } = leaf.views
    const first = at >> 2
    this.#leaf = leaf
    this.leafOrd = leafOrd
    this.windows = null
    this.docsAt = at
    this.scores = null
    this.#docs = null
    this.count = count
    this.run = i32[first + count - 1]! - i32[first]! === count - 1 ? i32[first]! : -1
  }

  /**
   * Begins windows of a bit set.
   * @param count of their documents, at most `BATCH_DOCS`
   * @param run   first of their documents where they are consecutive, else −1
   */
  window(leaf: Leaf, leafOrd: number, windows: BitWindows, count: number, run: number): void {
    this.#leaf = leaf
    this.leafOrd = leafOrd
    this.windows = windows
    this.docsAt = 0
    this.run = run
    this.count = count
    this.scores = null
    this.#docs = null
  }

  /** Ends a list of `count` documents. */
  close(count: number): void {
    this.count = count
    const docs = this.#own
    const first = docs[0]!
    this.run = count > 0 && docs[count - 1]! - first === count - 1 ? first : -1
  }

  /** The documents: the first `count` entries. */
  docs(): Int32Array {
    if (this.#docs !== null) return this.#docs
    const { windows } = this
    const { i32, u32 } = this.leaf.views
    if (windows === null) {
      const first = this.docsAt >> 2
      return (this.#docs = i32.subarray(first, first + this.count))
    }
    listOnes(u32, windows.at >> 2, windows.firstDoc, this.count, this.#own)
    return (this.#docs = this.#own)
  }
}

/** A gather open on one slice, over all of its parts. */
export interface SliceGather<P> {
  /**
   * Called before batches of a leaf, each of whose parts may open it anew; scratch taken here lives
   * until `closeLeaf`.
   * @param isWhole whether the batches until then are all matches of the leaf
   */
  openLeaf(leaf: Leaf, leafOrd: number, isWhole: boolean): void
  collect(batch: MatchBatch): void
  /** Called after the batches of a leaf, before another one is opened. */
  closeLeaf(): void
  /** Plain data that may cross threads. */
  finish(): P
}

/** Profile `debug` entries of one part of a gather: plain data, in print order. */
export interface GatherNotes {
  readonly [key: string]: number | string | boolean | readonly string[]
}

/** Times the calls of one part of a gather; the profile implements it. */
export interface GatherTimer {
  /** @param call ord of the method; the part's kind numbers its methods */
  start(call: number): void
  /** @param count calls that have ended: documents of a batch, or 1 */
  stop(call: number, count: number): void
  note(notes: GatherNotes): void
}

/** The part of its slice that a gather may use. */
export interface SliceContext {
  /** Makes the timer of a part; parts are numbered in the order of their timers. Null without a profile. */
  readonly timer: (() => GatherTimer) | null
  readonly watch: Watch
  /** Limits of the executions of scripts. */
  readonly scripts: ScriptRun
  /** The scorers of a weight of `prepare` in a leaf; null: no document matches. */
  supplier(weight: Weight, leaf: Leaf, leafOrd: number): ScorerSupplier | null
  /** How many documents may be looked up in such a weight for the cost of `note`; Infinity: it is never worth it. */
  lookUpsOfNoting(weight: Weight, leaf: Leaf, leafOrd: number): number
  /**
   * Notes the documents of such a weight, live or not.
   * @param bits address of `bitsBytes` in the leaf's scratch
   * @returns false where there is no room to do it
   */
  note(weight: Weight, leaf: Leaf, leafOrd: number, bits: number): boolean
}

/** The part of its shard that a gather may read before slices run. */
export interface GatherShard {
  readonly leaves: readonly Leaf[]
  /** The matches, where they are known; null: they have to be found. */
  readonly scope: MatchScope | null
  /** Notes that slices will read a section of a field, as bits of `sectionBit`. */
  use(field: string, kinds: number): void
  /** Notes that slices will read the terms of a field by document. @param fieldData of analysed text */
  useTerms(field: string, fieldData: TermFrequencyFilter | null): void
  /** Reserves scratch of a leaf. */
  reserve(bytes: number): void
  /** Makes the weight of a filter; its sections are noted. */
  weightOf(query: Query): Weight
  /** Notes that slices will run a script, whose sections are noted too. */
  useScript(script: ScriptPlan): void
}

/** Statistics of a whole leaf that stand in for its documents. */
export interface LeafCounting {
  /** Whether they surely do: else the leaf must be read to tell. */
  readonly isSure: boolean
  /** Estimated entries that are read. */
  readonly entries: number
}

/**
 * A kind of gather.
 * @typeParam G its plan  @typeParam R what slices read, plain data  @typeParam P what a slice found,
 * plain data  @typeParam S what a shard found
 */
export interface GatherType<G extends Gather, R, P, S> {
  demands(gather: G): GatherDemands
  prepare(gather: G, shard: GatherShard): R
  open(ready: R, context: SliceContext): SliceGather<P>
  /** How a slice that is open on all of a leaf tells its part of the result; null, or absent: it sees documents. */
  counting?(ready: R, leaf: Leaf): LeafCounting | null
  /**
   * Slices to shard: the result depends neither on their number nor on their order.
   * @param leaves the shard's, on the coordinating thread
   */
  closeShard(ready: R, partials: readonly P[], leaves: readonly Leaf[]): S
}
