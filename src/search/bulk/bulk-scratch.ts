/** Layout and size of the scratch of a slice that the kernels run. */
import { type Bm25Parameters, DEFAULT_BM25, inverseNorms } from '../../codec/norms/inverse.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { Scratch } from '../../segment/scratch.ts'
import { termBitSetBytes } from '../../segment/term-bit-sets.ts'
import type { CollectSpec } from '../collector/collect-spec.ts'
import { BATCH_DOCS } from '../collector/gather.ts'
import type { Weight } from '../weight/weight.ts'
import { WEIGHT_OPS } from '../weight/weight-ops.ts'
import type { ClauseCounts } from '../weight/weight-type.ts'
import { collectsBatches, functionsOf } from './batch-collector.ts'
import {
  BLOCK_BUFFERS_BYTES,
  CURSOR_BUFFER_BYTES,
  CURSOR_BYTES,
  PLAN,
  PLAN_BYTES,
  POSITIONS_BUFFER_BYTES,
  SORT_BYTES,
  WINDOW_DOCS,
} from './plan-record.ts'

/**
 * Bytes of scratch for one bit set over a leaf's documents; reads may run past its end by 64 bytes.
 */
export function bitsBytes(maxDoc: number): number {
  return 16 * ((maxDoc + 127) >>> 7) + 64
}

/** A search for the end of a run of candidates may read this many bytes past the last one. */
const RUN_BYTES = 32
const WINDOW_BYTES = WINDOW_DOCS * (8 + 1 + 4 + 8 + 4 + 4) + WINDOW_DOCS / 8 + RUN_BYTES
const INVERSE_BYTES = 1024
const KEPT_TABLES = 16
/** Max bytes that each range loses to alignment. */
const ALIGNMENT = 64

/**
 * Max bytes of scratch that any leaf of the search needs.
 * @param maxDoc documents of its largest leaf
 */
export function bulkScratchBytes(weight: Weight, spec: CollectSpec, maxDoc: number): number {
  // The set of documents that may match, one to combine it with, the set of matches, and one of several.
  const shape = { terms: 0, positions: 0, sets: 4 }
  WEIGHT_OPS.countScratch(weight.root, shape)
  if (spec.postFilter !== null) shape.sets++
  // What a sort by several levels leaves of the matches.
  if (spec.sort !== null && spec.sort.length > 1) shape.sets++
  const lists = spec.demands.everyScore || collectsBatches(spec, functionsOf(weight.root))
  const listed = lists ? 8 * BATCH_DOCS + ALIGNMENT : 0
  return listed + bytesOf(shape, spec.topCount, maxDoc)
}

/** The same for a search for one term alone (`sole-term.ts`). */
export function soleTermScratchBytes(topCount: number): number {
  return bytesOf({ terms: 1, positions: 0, sets: 0 }, topCount, 0)
}

function bytesOf(shape: ClauseCounts, topCount: number, maxDoc: number): number {
  const perTerm = CURSOR_BYTES + CURSOR_BUFFER_BYTES + INVERSE_BYTES + 16 + 4 * ALIGNMENT
  return (
    2 * PLAN_BYTES +
    WINDOW_BYTES +
    KEPT_TABLES * INVERSE_BYTES +
    BLOCK_BUFFERS_BYTES +
    12 * topCount +
    SORT_BYTES +
    (shape.terms + 2) * perTerm +
    shape.positions * (POSITIONS_BUFFER_BYTES + ALIGNMENT) +
    termBitSetBytes(maxDoc) +
    ALIGNMENT +
    shape.sets * (bitsBytes(maxDoc) + CURSOR_BYTES + 16 + ALIGNMENT) +
    18 * ALIGNMENT
  )
}

/** The ranges of scratch that all searches of one thread share in one arena. */
export interface SharedScratch {
  readonly plan: number
  /** The plan of single-term searches; fields equal for all of them stay filled in. */
  readonly termPlan: number
  readonly scores: number
  readonly counts: number
  readonly candidates: number
  readonly sums: number
  readonly windowBits: number
  /** The max score per slot of a window, and per candidate. */
  readonly maxima: number
  readonly candidateMaxima: number
  readonly blockBuffers: number
  readonly inverses: InverseTables
  /** The windows are zeroed. */
  isClear: boolean
}

const SHARED = Symbol('shared by searches')

/** The shared ranges in a scratch, allocated and zeroed on first use. */
export function sharedScratch(scratch: Scratch, views: Leaf['views']): SharedScratch {
  return keptScratch(scratch) ?? scratch.keep(SHARED, () => makeShared(scratch, views))
}

/** The same where a search in the kernels has made them. */
export function keptScratch(scratch: Scratch): SharedScratch | undefined {
  return scratch.kept<SharedScratch>(SHARED)
}

function makeShared(scratch: Scratch, views: Leaf['views']): SharedScratch {
  const shared = {
    plan: scratch.allocate(PLAN_BYTES),
    termPlan: scratch.allocate(PLAN_BYTES),
    scores: scratch.allocate(8 * WINDOW_DOCS),
    counts: scratch.allocate(WINDOW_DOCS),
    candidates: scratch.allocate(4 * WINDOW_DOCS + RUN_BYTES),
    sums: scratch.allocate(8 * WINDOW_DOCS),
    windowBits: scratch.allocate(WINDOW_DOCS / 8),
    maxima: scratch.allocate(4 * WINDOW_DOCS),
    candidateMaxima: scratch.allocate(4 * WINDOW_DOCS),
    blockBuffers: scratch.allocate(BLOCK_BUFFERS_BYTES),
    inverses: new InverseTables(scratch.allocate(KEPT_TABLES * INVERSE_BYTES), views),
    isClear: false,
  }
  const { i32 } = views
  const termPlan = shared.termPlan >> 2
  i32.fill(0, termPlan, termPlan + PLAN_BYTES / 4)
  i32[termPlan + PLAN.required / 4] = 1
  i32[termPlan + PLAN.hasRequired / 4] = 1
  i32[termPlan + PLAN.blockBuffers / 4] = shared.blockBuffers
  // A plan's buffers lie at the same offsets for every search.
  const plan = shared.plan >> 2
  i32[plan + PLAN.scores / 4] = shared.scores
  i32[plan + PLAN.counts / 4] = shared.counts
  i32[plan + PLAN.candidates / 4] = shared.candidates
  i32[plan + PLAN.sums / 4] = shared.sums
  i32[plan + PLAN.blockBuffers / 4] = shared.blockBuffers
  i32[plan + PLAN.windowBits / 4] = shared.windowBits
  i32[plan + PLAN.maxima / 4] = shared.maxima
  i32[plan + PLAN.candidateMaxima / 4] = shared.candidateMaxima
  return shared
}

function areSame(a: Bm25Parameters | null, b: Bm25Parameters | null): boolean {
  return a === b || (a !== null && b !== null && a.k1 === b.k1 && a.b === b.b)
}

/**
 * Cache of inverse norm tables by mean length, least recently used evicted. A table that the
 * current part of a leaf uses is not overwritten: a search over more fields puts the rest in its
 * own scratch.
 */
export class InverseTables {
  readonly #start: number
  readonly #views: Leaf['views']
  readonly #averages = new Float64Array(KEPT_TABLES).fill(Number.NaN)
  readonly #parameters: (Bm25Parameters | null)[] = Array(KEPT_TABLES).fill(null)
  readonly #usedBy = new Float64Array(KEPT_TABLES)
  #part = 1

  constructor(start: number, views: Leaf['views']) {
    this.#start = start
    this.#views = views
  }

  /** From here on, tables of earlier parts may be overwritten. */
  beginPart(): void {
    this.#part++
  }

  /**
   * Address of 256 float32.
   * @param parameters null: the default
   */
  at(average: number, parameters: Bm25Parameters | null, scratch: Scratch): number {
    let oldest = 0
    for (let i = 0; i < KEPT_TABLES; i++) {
      if (this.#averages[i] === average && areSame(this.#parameters[i]!, parameters)) {
        this.#usedBy[i] = this.#part
        return this.#start + i * INVERSE_BYTES
      }
      if (this.#usedBy[i]! < this.#usedBy[oldest]!) oldest = i
    }
    let at = this.#start + oldest * INVERSE_BYTES
    if (this.#usedBy[oldest] === this.#part) at = scratch.allocate(INVERSE_BYTES)
    else {
      this.#averages[oldest] = average
      this.#parameters[oldest] = parameters
      this.#usedBy[oldest] = this.#part
    }
    this.#views.f32.set(inverseNorms(average, parameters ?? DEFAULT_BM25), at >> 2)
    return at
  }
}
