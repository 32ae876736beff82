/** What a call did: cheap integers, always on, written to the plan when the call is over. */

export let blocksDecoded: i32 = 0
/** Blocks that bounds let pass over, one term's. */
export let blocksSkipped: i32 = 0
/** Windows and stretches that bounds let pass over, of all terms together. */
export let runsSkipped: i32 = 0
/** Windows of a disjunction, stretches of a conjunction: one block of its rarest term each. */
export let windows: i32 = 0
/** Postings of which the score was computed. */
export let postingsScored: i32 = 0
export let positionsChecked: i32 = 0
/** Documents that some clauses proposed and the others were asked about. */
export let candidateCount: i32 = 0

export function resetCounters(): void {
  blocksDecoded = 0
  blocksSkipped = 0
  runsSkipped = 0
  windows = 0
  postingsScored = 0
  positionsChecked = 0
  candidateCount = 0
}
@inline export function countDecoded(): void {
  blocksDecoded++
}
@inline export function countSkippedBlocks(blocks: i32): void {
  blocksSkipped += blocks
}
@inline export function countSkippedRun(): void {
  runsSkipped++
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
