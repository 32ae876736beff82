/** How much scratch a slice takes whose search the kernels run, and how it is divided. */
import type { Scratch } from '../../segment/scratch.ts'
import type { CollectSpec } from '../collector/collect-spec.ts'
import type { Weight, WeightNode } from '../weight/weight.ts'
import {
  BLOCK_BUFFERS_BYTES,
  CURSOR_BUFFER_BYTES,
  CURSOR_BYTES,
  PLAN_BYTES,
  WINDOW_DOCS,
} from './plan-record.ts'

/** Bytes of scratch for one set of a leaf's documents; reads may pass its end by 64 bytes. */
export function bitsBytes(maxDoc: number): number {
  return 16 * ((maxDoc + 127) >>> 7) + 64
}

const WINDOW_BYTES = WINDOW_DOCS * (8 + 1 + 4 + 8) + WINDOW_DOCS / 8
const INVERSE_BYTES = 1024
/** What each range may lose to alignment. */
const ALIGNMENT = 64

/**
 * Bytes that any leaf of the search needs at most.
 * @param maxDoc documents of its largest leaf
 */
export function bulkScratchBytes(weight: Weight, spec: CollectSpec, maxDoc: number): number {
  const shape = { terms: 0, sets: 2 }
  countClauses(weight.root, shape)
  if (spec.postFilter !== null) shape.sets++
  const perTerm = CURSOR_BYTES + CURSOR_BUFFER_BYTES + INVERSE_BYTES + 16 + 4 * ALIGNMENT
  return (
    PLAN_BYTES +
    WINDOW_BYTES +
    BLOCK_BUFFERS_BYTES +
    8 * spec.topCount +
    (shape.terms + 2) * perTerm +
    shape.sets * (bitsBytes(maxDoc) + CURSOR_BYTES + 16 + ALIGNMENT) +
    16 * ALIGNMENT
  )
}

function countClauses(node: WeightNode, shape: { terms: number; sets: number }): void {
  switch (node.kind) {
    case 'term':
      shape.terms++
      return
    case 'phrase':
      shape.terms += node.terms.length
      return
    case 'constant':
      countClauses(node.child, shape)
      return
    case 'boolean':
      for (const { node: inner } of node.clauses) countClauses(inner, shape)
      return
    default:
      shape.sets++
  }
}

/** The ranges of scratch that all leaves of one arena share, and that a slice sets up once. */
export interface SharedScratch {
  /** What scratch is released to when the slice is done. */
  readonly mark: number
  readonly plan: number
  readonly scores: number
  readonly counts: number
  readonly candidates: number
  readonly sums: number
  readonly windowBits: number
  readonly blockBuffers: number
  readonly hitScores: number
  readonly hitDocs: number
  /** Inverse norms by mean length: addresses of 256 float32. */
  readonly inverses: Map<number, number>
  /** Windows have been emptied. */
  isClear: boolean
}

export function sharedScratch(scratch: Scratch, topCount: number): SharedScratch {
  return {
    mark: scratch.mark(),
    plan: scratch.allocate(PLAN_BYTES),
    scores: scratch.allocate(8 * WINDOW_DOCS),
    counts: scratch.allocate(WINDOW_DOCS),
    candidates: scratch.allocate(4 * WINDOW_DOCS),
    sums: scratch.allocate(8 * WINDOW_DOCS),
    windowBits: scratch.allocate(WINDOW_DOCS / 8),
    blockBuffers: scratch.allocate(BLOCK_BUFFERS_BYTES),
    hitScores: scratch.allocate(4 * topCount),
    hitDocs: scratch.allocate(4 * topCount),
    inverses: new Map(),
    isClear: false,
  }
}
