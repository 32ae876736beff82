/**
 * What a call did, beside the blocks that `cursor.ts` counts: cheap integers, always on, written to
 * the plan when the call is over.
 */

/** Windows of a disjunction, stretches of a conjunction: one block of its rarest term each. */
export let windows: i32 = 0
/** Postings of which the score was computed. */
export let postingsScored: i32 = 0
export let positionsChecked: i32 = 0
/** Documents that some clauses proposed and the others were asked about. */
export let candidateCount: i32 = 0

export function resetCounts(): void {
  windows = 0
  postingsScored = 0
  positionsChecked = 0
  candidateCount = 0
}
@inline export function countWindow(): void {
  windows++
}
@inline export function countScored(postings: i32): void {
  postingsScored += postings
}
@inline export function countPositions(positions: i32): void {
  positionsChecked += positions
}
@inline export function countCandidates(documents: i32): void {
  candidateCount += documents
}
