/** The compiled kernels: their typed exports, loading, and binding to an arena. */
import { readFileSync } from 'node:fs'
import { builtFile } from '../util/built-file.ts'

/** Callbacks of the kernels. */
export interface KernelHooks {
  /** Called at intervals by long-running kernels. */
  ticker: Ticker
  /** Called by the inverter when a field needs more room. */
  makeRoom: (record: number, isTable: number, bytes: number) => void
}

/** Callback of long-running kernels. */
export interface Ticker {
  /** Not 0: stop. */
  tick(): number
}

/** Never stops. */
export const NO_TICKER: Ticker = { tick: () => 0 }

/** Decoding of postings; all addresses are bytes from the start of the memory. */
export interface Decoders {
  decodeDocs(at: number, bits: number, before: number, last: number, out: number): number
  decodeFreqs(at: number, bits: number, out: number): number
  decodeTail(
    at: number,
    count: number,
    hasFreqs: number,
    before: number,
    docs: number,
    freqs: number,
  ): number
  sumFreqs(freqs: number, out: number): void
  unpackPositions(at: number, width: number, start: number, count: number, out: number): void
  cross(value: number): number
}

/** The kernels of one instance, bound to one memory. */
export interface Kernels extends Decoders {
  readonly hooks: KernelHooks
  /** Bit sets of documents; addresses and lengths are multiples of 16. */
  fillBits(bits: number, byteLength: number, value: number): void
  andBits(bits: number, other: number, byteLength: number): void
  orBits(bits: number, other: number, byteLength: number): void
  andNotBits(bits: number, other: number, byteLength: number): void
  countBits(bits: number, byteLength: number): number
  /** Sets the bits of a cursor's documents in [from, to). */
  rewindAndOr(cursor: number, bits: number, from: number, to: number): void
  /** Sets the bits of a term of 2–127 documents. */
  orTail(at: number, count: number, hasFreqs: number, bits: number, maxDoc: number): void
  /** Sets the bits of the documents that have a point of two words in a closed range. */
  orPoints(
    index: number,
    data: number,
    count: number,
    lowerHi: number,
    lowerLo: number,
    upperHi: number,
    upperLo: number,
    bits: number,
    maxDoc: number,
  ): void
  /** Sets the bits of documents by a column's values: the address of a record (`VALUE_RANGE`). */
  orValues(record: number): void
  /** Lists the numbers of the bits set, plus `first`; writes one integer past them. */
  listBits(bits: number, byteLength: number, first: number, out: number): number
  /** Values of a batch of documents: the address of a record (`aggregation/kernel/batch-record.ts`). */
  readColumn(record: number): number
  countKeys(record: number): void
  /** Narrows counts of four bytes where they stand; returns the bytes of each: 1, 2 or 4. */
  narrowCounts(counts: number, size: number): number
  /** Turns counts into bits where they stand. */
  bitsOfCounts(counts: number, size: number): void
  assignBuckets(record: number): number
  addMoments(record: number): void
  noteHashes(record: number): void
  countCells(record: number): number
  listCandidates(record: number): number
  /** Counts the postings of a range of terms and sets their documents' bits; −1: corrupt. */
  walkTerms(
    index: number,
    start: number,
    end: number,
    flags: number,
    from: number,
    to: number,
    target: number,
  ): number
  /** The same for `count` ranges of ords, pairs of i32 at `ranges`, ascending and disjoint. */
  walkRanges(
    index: number,
    start: number,
    end: number,
    flags: number,
    ranges: number,
    count: number,
    target: number,
  ): number
  /** Makes a dictionary's skips, 104 bytes for each group of terms, at `skips`; −1: corrupt. */
  makeTermSkips(
    index: number,
    start: number,
    end: number,
    flags: number,
    termCount: number,
    skips: number,
  ): number
  /** Makes a dictionary's signatures at `into` (`term-signatures.ts`), with 272 bytes of room at `term`; −1: corrupt. */
  makeTermSignatures(
    index: number,
    start: number,
    end: number,
    flags: number,
    termCount: number,
    term: number,
    into: number,
  ): number
  /** Marks the terms that may be within some edits of a word, as `term-signatures.ts` lays them out. */
  markNearTerms(
    signatures: number,
    termCount: number,
    word: number,
    bytes: number,
    maxEdits: number,
    marks: number,
  ): void
  /** Walks a dictionary with an automaton: the address of a record (`search/query/kernel-matching.ts`). */
  matchTerms(record: number): number
  /** Finds a term in a dictionary: the address of a record (`codec/terms/term-lookup.ts`). */
  lookUpTerm(record: number): number
  /** Initializes fresh scratch for windows. */
  clearWindow(scores: number, counts: number, bits: number, maxima: number, patterns: number): void
  /** Makes a term's bit set with its ranks and supers (`segment/term-bit-sets.ts`). */
  makeTermBitSet(
    cursor: number,
    bits: number,
    words: number,
    ranks: number,
    supers: number,
    maxDoc: number,
  ): void
  /** Whole searches of a leaf: the address of a plan (`search/bulk/plan-record.ts`). */
  searchTerm(plan: number): void
  searchDisjunction(plan: number): void
  countDisjunction(plan: number): void
  searchConjunction(plan: number): void
  /** Terms and words of a write buffer's field (`indexing/term-log.ts`). */
  seedHash(a: number, b: number, c: number): void
  findTerm(record: number, at: number, length: number): number
  invertWords(
    record: number,
    from: number,
    end: number,
    classes: number,
    scratch: number,
    position: number,
  ): number
  /** Skips the unescaped bytes of a JSON string. */
  plainRun(at: number, limit: number): number
  /** Keeps the first of a set of documents by a column: the address of a sort's record. */
  sortMatches(record: number): void
  sortPostings(record: number): void
  /** Leaves of listed matches the best of each group: the address of a record (`search/bulk/group-bests.ts`). */
  keepGroupBests(record: number): number
  /** Compares a vector with rows of others: the address of a record (`search/vector/row-comparison.ts`). */
  compareVectors(record: number): void
  /** Lists the vectors whose bounds are above a limit: the address of a record (`search/vector/score-bounds.ts`). */
  boundVectors(record: number): number
  /** Walks and makes graphs of vectors: the address of a record (`codec/vector-graph/graph-record.ts`). */
  walkGraph(record: number): number
  /** A walk around vectors that may not be found. */
  walkAround(record: number): number
  measureLinks(record: number, level: number, rank: number): void
  joinGraph(record: number, level: number, rank: number): void
}

let compiled: WebAssembly.Module | null = null

/** The compiled module, one per thread; a compiled module may also be posted to other threads. */
export function kernelModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readFileSync(builtFile('kernels/kernels.wasm')))
  return compiled
}

/** Binds the kernels to a shared memory: about 20 µs, no static data, state per instance only. */
export function instantiateKernels(memory: WebAssembly.Memory): Kernels {
  const hooks: KernelHooks = {
    ticker: NO_TICKER,
    makeRoom: () => {
      throw new Error('nothing gives the inverter room here')
    },
  }
  const env = {
    memory,
    tick: () => hooks.ticker.tick(),
    makeRoom: (record: number, isTable: number, bytes: number) =>
      hooks.makeRoom(record, isTable, bytes),
  }
  const { exports } = new WebAssembly.Instance(kernelModule(), { env })
  return { ...exports, hooks } as unknown as Kernels
}
