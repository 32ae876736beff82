/** What a call did: cheap integers, always on, written to the plan when the call is over. */

/** Blocks decoded, of all terms. */
export let blocksDecoded: i32 = 0
/** Blocks that bounds let pass over, one term's. */
export let blocksSkipped: i32 = 0
/** Windows and stretches that bounds let pass over, of all terms together. */
export let runsSkipped: i32 = 0
/** Windows of a disjunction, stretches of a conjunction: one block of its rarest term each. */
export let windows: i32 = 0
/** Postings of which the score was computed. */
export let postingsScored: i32 = 0
/** Positions that were compared. */
export let positionsChecked: i32 = 0
/** Documents that some clauses proposed and the others were asked about. */
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
/** Adds documents that some clauses proposed. */
@inline export function countCandidates(documents: i32): void {
  candidateCount += documents
}
