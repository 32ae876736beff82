/**
 * The kernels: code over the bytes of an arena. All addresses are absolute in an instance's one
 * memory.
 *
 * Raw loads and stores only: no strings, arrays or static data, which instances over one shared
 * memory would overwrite for each other. State is in module globals (each instance has its own) and
 * in scratch. Reads may run past a block's end by less than 64 bytes, which every section has as
 * padding.
 */
export {
  cross,
  decodeDocs,
  decodeFreqs,
  decodeTail,
  sumFreqs,
  unpackPositions,
} from './decode'
export { listCandidates } from './batch-candidates'
export { addMoments } from './batch-moments'
export {
  andBits,
  andNotBits,
  countBits,
  fillBits,
  listBits,
  orBits,
  orTail,
  rewindAndOr,
} from './bits'
export { countCells, noteHashes } from './batch-sketches'
export { assignBuckets, countKeys } from './bucket-counts'
export { bitsOfCounts, narrowCounts } from './count-lists'
export { orValues } from './column'
export { readColumn } from './column-batch'
export { keepGroupBests } from './group-bests'
export { clearWindow, countDisjunction, searchDisjunction } from './disjunction'
export { searchConjunction } from './conjunction'
export { findTerm, invertWords, seedHash } from './inverter'
export { plainRun } from './json-string'
export { orPoints } from './points'
export { sortMatches, sortPostings } from './sort'
export { searchTerm } from './term'
export { matchTerms } from './term-automaton'
export { lookUpTerm } from './term-lookup'
export { makeTermSkips } from './term-skips'
export { makeTermSignatures, markNearTerms } from './term-signatures'
export { walkRanges, walkTerms } from './term-range'
export { makeTermBitSet } from './term-bit-set'
export { joinGraph, measureLinks } from './graph-build'
export { walkAround, walkGraph } from './graph-walk'
export { boundVectors } from './code-bounds'
export { compareVectors } from './vectors'
