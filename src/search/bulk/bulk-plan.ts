/**
 * The plan of a part: the record in scratch from which a kernel reads the clauses and the shape of the
 * search, and in which its counts come back. `plan-record.ts` has the offsets.
 */
import type { Kernels } from '../../kernels/kernel-module.ts'
import type { DocList } from '../../segment/kept-sets.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { CollectSpec, LeafPart, SliceCounters } from '../collector/collect-spec.ts'
import type { BulkShape } from './bulk-shape.ts'
import type { LeafTerm } from './leaf-clauses.ts'
import { CURSOR_BYTES, PLAN } from './plan-record.ts'

/** A part's clauses as the plan holds them. */
export interface FilledClauses {
  /** Address of their cursors, required ones first. */
  readonly records: number
  readonly required: number
  /** Optional clauses. */
  readonly count: number
  /** Whether all optional clauses are terms. */
  readonly isTerms: boolean
  /** Address of the bits of documents that may match; 0: all may. */
  readonly accept: number
  /** The same documents as a list, where there is one. */
  readonly list: DocList | null
}

/**
 * Writes a part's clauses; their lists are allocated from the leaf's scratch.
 * @param at    address of the plan
 * @param terms the required clauses, in order of their cursors
 */
export function fillClauses(
  leaf: Leaf,
  at: number,
  part: LeafPart,
  clauses: FilledClauses,
  shape: BulkShape,
  terms: readonly LeafTerm[],
): void {
  const { scratch, views } = leaf
  const { i32 } = views
  const plan = at >> 2
  i32[plan + PLAN.cursors / 4] = clauses.records
  i32[plan + PLAN.required / 4] = clauses.required
  i32[plan + PLAN.optional / 4] = clauses.count
  i32[plan + PLAN.minDoc / 4] = part.minDoc
  i32[plan + PLAN.maxDoc / 4] = part.maxDoc
  i32[plan + PLAN.accept / 4] = clauses.accept
  i32[plan + PLAN.phraseOrder / 4] = phraseOrder(leaf, clauses.records, shape, terms)
  i32[plan + PLAN.order / 4] = scratch.allocate(4 * clauses.count)
  i32[plan + PLAN.prefix / 4] = scratch.allocate(8 * clauses.count)
}

/** Writes the fields that do not depend on the leaf's clauses. */
export function fillShape(leaf: Leaf, at: number, shape: BulkShape, spec: CollectSpec): void {
  const { phrase, minimum, constant, hasRequired, tieBreaker } = shape
  const { i32, f32, f64 } = leaf.views
  const plan = at >> 2
  i32[plan + PLAN.minimum / 4] = minimum
  i32[plan + PLAN.docBase / 4] = leaf.docBase
  i32[plan + PLAN.matches / 4] = 0
  i32[plan + PLAN.lists / 4] = 0
  i32[plan + PLAN.merges / 4] = 0
  f32[plan + PLAN.minScore / 4] = Math.max(0, spec.minScore ?? 0)
  i32[plan + PLAN.counted / 4] = 0
  f64[(at + PLAN.constant) >> 3] = constant
  i32[plan + PLAN.hasRequired / 4] = hasRequired ? 1 : 0
  i32[plan + PLAN.exhaustive / 4] = 0
  f32[plan + PLAN.phraseWeight / 4] = phrase?.weight ?? 0
  i32[plan + PLAN.isPhrase / 4] = phrase === null ? 0 : 1
  i32[plan + PLAN.slop / 4] = Math.min(phrase?.slop ?? 0, 0x7fffffff)
  i32[plan + PLAN.isDisMax / 4] = tieBreaker === null ? 0 : 1
  f64[(at + PLAN.tie) >> 3] = tieBreaker ?? 0
}

/** Adds the counts of a kernel's call to those of the slice. */
export function addCounts(counters: SliceCounters, i32: Int32Array, at: number): void {
  const plan = at >> 2
  counters.blocksDecoded += i32[plan + PLAN.blocksDecoded / 4]!
  counters.blocksSkipped += i32[plan + PLAN.blocksSkipped / 4]!
  counters.runsSkipped += i32[plan + PLAN.runsSkipped / 4]!
  counters.windows += i32[plan + PLAN.windows / 4]!
  counters.postingsScored += i32[plan + PLAN.postingsScored / 4]!
  counters.positionsChecked += i32[plan + PLAN.positionsChecked / 4]!
  counters.candidates += i32[plan + PLAN.candidateCount / 4]!
}

/** Whether the matches are the union of all clauses. */
export function isUnion(
  { required, count }: FilledClauses,
  { phrase, minimum }: BulkShape,
  { minScore }: CollectSpec,
): boolean {
  if (phrase !== null || minScore !== null) return false
  return required === 1 ? count === 0 : required === 0 && minimum === 1
}

/**
 * The kernel that runs a part's clauses.
 * @param countsOnly  neither hits nor matches are wanted
 * @param takesScores no bits of matches are wanted
 */
export function kernelFor(
  kernels: Kernels,
  { required, count: optional, isTerms }: FilledClauses,
  { phrase, minimum, constant }: BulkShape,
  countsOnly: boolean,
  takesScores: boolean,
): (plan: number) => void {
  const isOneTerm = constant === 0 && phrase === null && isTerms && required + optional === 1
  if (isOneTerm && takesScores && !countsOnly && (required === 1 || minimum === 1))
    return kernels.searchTerm
  if (required > 0) return kernels.searchConjunction
  return countsOnly && (optional === 0 || minimum === 1)
    ? kernels.countDisjunction
    : kernels.searchDisjunction
}

/** The cursors of a sloppy phrase's terms in order of position; 0 for an exact one. */
function phraseOrder(
  leaf: Leaf,
  records: number,
  { phrase }: BulkShape,
  terms: readonly LeafTerm[],
): number {
  if (phrase === null || phrase.slop === 0) return 0
  const at = leaf.scratch.allocate(4 * terms.length)
  const order = terms.map((_, i) => i)
  order.sort((a, b) => inPhrase(terms[a]!, terms[b]!))
  for (let i = 0; i < order.length; i++)
    leaf.views.i32[(at >> 2) + i] = records + order[i]! * CURSOR_BYTES
  return at
}

function inPhrase(a: LeafTerm, b: LeafTerm): number {
  return a.offset - b.offset || a.ord - b.ord
}
