/** Counters of one call: integers, always on, written to the plan at its end. */

/** Decoded blocks of all terms. */
export let blocksDecoded: i32 = 0
/** Single terms' blocks skipped by their bounds. */
export let blocksSkipped: i32 = 0
/** Windows and runs skipped by the bounds of all clauses. */
export let runsSkipped: i32 = 0
/** Windows of a disjunction, blocks of the rarest term of a conjunction. */
export let windows: i32 = 0
/** Postings that were scored. */
export let postingsScored: i32 = 0
/** Positions compared. */
export let positionsChecked: i32 = 0
/** Documents that some clauses proposed and the others were probed with. */
export let candidateCount: i32 = 0

/** Sets all counters to 0, at the start of a call. */
export function resetCounters(): void {
  blocksDecoded = 0
  blocksSkipped = 0
  runsSkipped = 0
  windows = 0
  postingsScored = 0
  positionsChecked = 0
  candidateCount = 0
}
/** Adds a decoded block. */
@inline export function countDecoded(): void {
  blocksDecoded++
}
/** Adds blocks that were skipped by their bounds. */
@inline export function countSkippedBlocks(blocks: i32): void {
  blocksSkipped += blocks
}
/** Adds a run of documents that was skipped. */
@inline export function countSkippedRun(): void {
  runsSkipped++
}
/** Adds a window that was searched. */
@inline export function countWindow(): void {
  windows++
}
/** Adds scored postings. */
@inline export function countScored(postings: i32): void {
  postingsScored += postings
}
/** Adds positions that were compared. */
@inline export function countPositions(positions: i32): void {
  positionsChecked += positions
}
/** Adds proposed documents. */
@inline export function countCandidates(documents: i32): void {
  candidateCount += documents
}
