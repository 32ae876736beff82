/** The search of a leaf by the graph of its vectors: most of the nearest are found, few others compared. */
import type { DenseVectorsReader } from '../../codec/dense-vectors/reader.ts'
import type { ParentsReader } from '../../codec/parents/reader.ts'
import {
  ACCEPTED_WORD,
  COMPARED_WORD,
  ENTRY_BYTES,
  freshBytes,
  GRAPH_RECORD_BYTES,
  GROUP_ENTRY_BYTES,
  GROUPS_WORD,
  openRoomOf,
  QUERY_WORD,
  RECORD_LEVEL_BYTES,
  seenBytes,
  slotBytes,
  slotsOf,
  WIDE_WORD,
  writeGraphRecord,
} from '../../codec/vector-graph/graph-record.ts'
import type { VectorGraphReader } from '../../codec/vector-graph/reader.ts'
import { MAX_GRAPH_M } from '../../schema/knn-vector/graph-method.ts'
import type { VectorElement } from '../../schema/knn-vector/vector-space.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { BitSet } from '../../util/bit-set.ts'
import { DocListIterator } from '../scorer/doc-set-iterators.ts'
import type { Watch } from '../scorer/watch.ts'
import { BestVectors, type ScoredDocs } from './best-vectors.ts'
import { type QueryVector, squareOf } from './comparison.ts'
import { BYTES_OF_POSTINGS, ROWS_AT_ONCE } from './row-comparison.ts'
import { scanVectors, stepsOfVector } from './scan-vectors.ts'
import { type QueryCodes, queryCodes, scoreBounds } from './score-bounds.ts'
import type { VectorScores } from './vector-scores.ts'

/** Levels of a graph for which scratch has room: as many as are ever made. */
const MAX_LEVELS = 16
/**
 * Comparisons of a walk with 100 candidates for each of these and of a node's neighbours, and the power with which
 * they grow with candidates, as measured (`bench/macro/vectors.ts`): the more of a region is seen, the fewer are new.
 */
const COMPARED_PER_LINK = 1.27
const MEASURED_CANDIDATES = 100
const GROWTH = 0.7
/** Nanoseconds of a comparison of a scan, whose rows lie one behind the other, and of each of its components. */
const SCAN_NANOS = 3
const SCAN_NANOS_OF_COMPONENT = 1 / 22
/** The same of a walk; and how long memory takes to answer it where caches do not hold the codes, by their bytes. */
const WALK_NANOS = 15
const WALK_NANOS_OF_COMPONENT = 1 / 10
const MEMORY_NANOS = 55
const CACHED_BYTES = 8 << 20
/** What a comparison of a scan costs where a filter leaves some vectors alone. */
const COST_OF_LISTED = 2
/**
 * Vectors that may be found are walked to around the others where they are at most such a part of all, which takes
 * so many times the time of a walk without a filter. Walks through the others find more of those that are a
 * larger part, and need fewer candidates for it.
 */
const AROUND_SHARE = 0.25
const COST_OF_AROUND = 2.2
/** Open vectors of each whole document that is a candidate, for which there is room. */
const VECTORS_OF_GROUP = 8
/** Neighbours of most graphs: of a leaf that is not open they are not known. */
const USUAL_M = 16

/** A walk of a leaf. */
export interface VectorWalk {
  readonly leaf: Leaf
  readonly vectors: DenseVectorsReader
  readonly graph: VectorGraphReader
  readonly query: QueryVector
  /** Candidates, at least as many as are wanted. */
  readonly ef: number
  readonly scores: VectorScores
  /** The documents that may be found; `live`: those that are not deleted. */
  readonly accepted: BitSet | 'live'
  readonly size: WalkSize
  /** Of nested documents only the best of each whole one is found, and candidates are whole ones; null: all may be. */
  readonly parents: ParentsReader | null
  readonly limit: number
  readonly watch: Watch
}

/** How much may be found. */
export interface WalkSize {
  /** Vectors. */
  readonly accepted: number
  /** Of these candidates: whole documents, or the vectors themselves. */
  readonly groups: number
}

/** Whether a walk is likely to take less time than a scan. @param dimension of the vectors */
export function isWalkCheaper(
  { count, m }: Pick<VectorGraphReader, 'count' | 'm'>,
  dimension: number,
  ef: number,
  { accepted, groups }: WalkSize,
): boolean {
  if (ef >= groups) return false
  const scan = accepted < count ? COST_OF_LISTED * accepted : count
  // Where all vectors of a document lie together as many more are found as it has.
  const found = (ef * accepted) / groups
  if (isAround(count, accepted))
    return COST_OF_AROUND * costOfWalk(found, m, count, dimension) < scan
  // Those that may not be found are walked through: as many more candidates as are passed over.
  return costOfWalk((found * count) / accepted, m, count, dimension) < scan
}

/** Whether a walk goes around vectors that may not be found. @param accepted how many may be, of `count` */
function isAround(count: number, accepted: number): boolean {
  return accepted <= AROUND_SHARE * count
}

/** Whether a walk can be cheaper than a scan, whatever the neighbours of a leaf's graph. */
export function mayBeWalked(maxDoc: number, dimension: number, ef: number): boolean {
  return ef < maxDoc && costOfWalk(ef, 1, maxDoc, dimension) < COST_OF_LISTED * maxDoc
}

/** What a walk of a graph of so many vectors costs, in comparisons of a scan. */
function costOfWalk(candidates: number, m: number, count: number, dimension: number): number {
  const growth = (candidates / MEASURED_CANDIDATES) ** GROWTH
  return costOfHop(count, dimension) * COMPARED_PER_LINK * m * MEASURED_CANDIDATES * growth
}

/** What a comparison of a walk costs in comparisons of a scan. */
function costOfHop(count: number, dimension: number): number {
  const memory = MEMORY_NANOS * Math.min(1, (count * dimension) / CACHED_BYTES)
  const hop = WALK_NANOS + WALK_NANOS_OF_COMPONENT * dimension + memory
  return hop / (SCAN_NANOS + SCAN_NANOS_OF_COMPONENT * dimension)
}

/** How many comparisons of a scan a search of a leaf is likely to cost. @param ef null: it is a scan */
export function comparedOf(maxDoc: number, dimension: number, ef: number | null): number {
  return ef === null ? maxDoc : Math.min(maxDoc, costOfWalk(ef, USUAL_M, maxDoc, dimension))
}

/** Bytes of scratch of a walk. @param rowBytes of a query at most */
function walkScratchBytes(
  maxDoc: number,
  ef: number,
  rowBytes: number,
  isGrouped: boolean,
): number {
  const found = Math.min(ef, maxDoc)
  const sizes = [
    GRAPH_RECORD_BYTES + RECORD_LEVEL_BYTES * MAX_LEVELS,
    rowBytes + 64,
    2 * seenBytes(maxDoc),
    ENTRY_BYTES * openRoomOf(isGrouped ? VECTORS_OF_GROUP * ef : ef, maxDoc),
    isGrouped ? GROUP_ENTRY_BYTES * found + slotBytes(found) : ENTRY_BYTES * found,
    freshBytes(2 * MAX_GRAPH_M),
  ]
  return sizes.reduce((sum, bytes) => sum + bytes + 64, 0)
}

/** Scratch of a walk of a leaf's graph as a number of postings iterators. @param maxDoc of the largest leaf */
export function postingsOfWalk(
  maxDoc: number,
  ef: number,
  element: VectorElement,
  length: number,
  isGrouped: boolean,
): number {
  const rowBytes = (element === 'float' ? 4 : 2) * (length + 16)
  return Math.ceil((2 * walkScratchBytes(maxDoc, ef, rowBytes, isGrouped)) / BYTES_OF_POSTINGS)
}

/**
 * Finds the nearest vectors of a leaf among candidates, whose scores are made as those of a scan.
 * @returns null where the walk found no end within its room, and a scan must find them
 */
export function walkVectors(walk: VectorWalk): ScoredDocs | null {
  const { leaf, vectors, query, parents, watch } = walk
  const mark = leaf.scratch.mark()
  const coded = query instanceof Float32Array ? queryCodes(query, vectors) : null
  const candidates = candidatesOf(walk, coded)
  leaf.scratch.release(mark)
  if (candidates === null) return null
  const { ords, near, compared } = candidates
  const { dimension } = vectors
  watch.spend(Math.ceil(costOfHop(vectors.count, dimension) * compared * stepsOfVector(dimension)))
  // As a scan has them: in order of the documents.
  ords.sort()
  return parents === null
    ? bestOf(ords, near, walk, coded)
    : bestOfWholes(ords, parents, walk, coded)
}

/** Of the candidates that are scored together those that their bounds leave. */
const kept = new Int32Array(ROWS_AT_ONCE)

/**
 * Scores candidates: where codes bound scores, those alone that may be as good as the ones that seem the best.
 * @param near those that seem the best, `limit` of them; fewer: all are scored
 */
function bestOf(
  ords: Int32Array,
  near: Int32Array,
  { leaf, graph, query, vectors, scores, limit }: VectorWalk,
  coded: QueryCodes | null,
): ScoredDocs {
  const best = new BestVectors(limit, Number.NEGATIVE_INFINITY)
  const isBounded = near.length === limit && limit <= ROWS_AT_ONCE
  const bounds = isBounded ? scoreBounds(graph.space, query, vectors, leaf, coded) : null
  let needed = Number.POSITIVE_INFINITY
  if (bounds !== null) {
    scores.take(near, 0, limit)
    for (let i = 0; i < limit; i++) needed = Math.min(needed, scores.scores[i]!)
  }
  for (let from = 0; from < ords.length; from += ROWS_AT_ONCE) {
    const batch = ords.length <= ROWS_AT_ONCE ? ords : ords.subarray(from, from + ROWS_AT_ONCE)
    const count = bounds?.list(batch, 0, batch.length, needed, kept) ?? batch.length
    const scored = bounds === null ? batch : kept
    if (count > 0) scores.take(scored, 0, count)
    for (let i = 0; i < count; i++) best.add(vectors.docOf(scored[i]!), scores.scores[i]!)
  }
  return best.finish()
}

/**
 * Scans all vectors of the whole documents that were found, as codes need not tell which one is the best of each.
 * @param ords one vector of each
 */
function bestOfWholes(
  ords: Int32Array,
  parents: ParentsReader,
  walk: VectorWalk,
  coded: QueryCodes | null,
): ScoredDocs {
  const { leaf, vectors, scores, query, graph, accepted, limit, watch } = walk
  const docs: number[] = []
  let ord = 0
  for (const found of ords) {
    const parent = parents.next(vectors.docOf(found))
    // Two of one document do not occur, so that these rise.
    ord = vectors.lowerBound(parents.previous(parent - 1) + 1, ord)
    for (; ord < vectors.count && vectors.docOf(ord) < parent; ord++) docs.push(vectors.docOf(ord))
  }
  return scanVectors({
    vectors,
    scores,
    bounds: scoreBounds(graph.space, query, vectors, leaf, coded),
    docs: new DocListIterator(Int32Array.from(docs)),
    isLive: accepted === 'live' ? null : doc => accepted.has(doc),
    around: parents,
    limit,
    minScore: Number.NEGATIVE_INFINITY,
    watch,
  })
}

/** What a walk found. */
interface Candidates {
  /** Of the vectors. */
  readonly ords: Int32Array
  /** Of the nearest, as the walk compared them, as many as are wanted; none where those are half of all. */
  readonly near: Int32Array
  /** Vectors that were compared. */
  readonly compared: number
}

function candidatesOf(walk: VectorWalk, coded: QueryCodes | null): Candidates | null {
  const { leaf, vectors, graph, query, ef: wanted, accepted, size, parents, limit } = walk
  const { views, scratch, kernels } = leaf
  const { count, compared, space, levels } = graph
  const { element } = vectors
  const isCoded = coded !== null && compared === 'codes'
  const isWide = isCoded || element === 'byte'
  const rowBytes = isCoded ? vectors.codeBytes : vectors.rowBytes
  const ownBytes = isWide ? 2 * rowBytes : rowBytes
  const ef = Math.min(wanted, count)
  const ofGroup = Math.max(1, Math.min(VECTORS_OF_GROUP, size.accepted / Math.max(1, size.groups)))
  const openRoom = openRoomOf(Math.ceil(ef * ofGroup), count)
  const bits = accepted === 'live' ? null : accepted.words
  const entryBytes = parents === null ? ENTRY_BYTES : GROUP_ENTRY_BYTES
  const record = scratch.tryAllocate(GRAPH_RECORD_BYTES + RECORD_LEVEL_BYTES * levels.length)
  const row = scratch.tryAllocate(ownBytes + 64)
  const seen = scratch.tryAllocate(seenBytes(count))
  const open = scratch.tryAllocate(ENTRY_BYTES * openRoom)
  const found = scratch.tryAllocate(entryBytes * ef)
  const slots = parents === null ? 0 : scratch.tryAllocate(slotBytes(ef))
  const fresh = scratch.tryAllocate(freshBytes(levels[0]!.width))
  const own = bits === null ? 0 : scratch.tryAllocate(bits.byteLength)
  if (Math.min(record, row, seen, open, found, slots, fresh, own) < 0) return null
  const one = row + ownBytes
  writeGraphRecord(
    views,
    record,
    {
      element,
      compared,
      space,
      rows: isCoded ? vectors.codes : vectors.rows,
      rowBytes: isCoded ? vectors.firstBytes : rowBytes,
      lastRows: isCoded ? vectors.lastCodes : 0,
      lastBytes: isCoded ? vectors.lastBytes : 0,
      squares: vectors.squares < 0 ? 0 : vectors.squares << 2,
      squareStride: 4 * vectors.squareStride,
      steps: isCoded ? vectors.quanta << 2 : one,
      stepStride: isCoded ? 4 * vectors.quantaStride : 0,
    },
    levels,
    graph.entry,
    { seen, open, openRoom, found, ef, fresh },
  )
  views.u8.fill(0, row, row + ownBytes)
  views.f32[one >> 2] = 1
  if (isWide) new Int16Array(views.u8.buffer, row, rowBytes).set(coded?.codes ?? query)
  else if (query instanceof Float32Array) views.f32.set(query, row >> 2)
  else views.u8.set(new Uint8Array(query.buffer, query.byteOffset, query.length), row)
  const word = record >> 2
  views.i32[word + QUERY_WORD] = row
  views.i32[word + WIDE_WORD] = row
  views.f32[word + QUERY_WORD + 1] = coded?.step ?? 1
  views.f32[word + QUERY_WORD + 2] = element === 'binary' ? 0 : squareOf(query)
  if (bits !== null) views.i32.set(bits, own >> 2)
  const acceptedBits = bits === null ? Math.max(0, leaf.record.liveDocs) : own
  views.i32[word + ACCEPTED_WORD] = acceptedBits
  views.i32[word + ACCEPTED_WORD + 1] = vectors.docs
  if (parents !== null) views.i32.set([parents.bits, slots, slotsOf(ef) - 1], word + GROUPS_WORD)
  const goesAround = bits !== null && isAround(count, size.accepted)
  const foundCount = goesAround ? kernels.walkAround(record) : kernels.walkGraph(record)
  // A walk around others has no way on where it meets nothing else.
  if (foundCount < (goesAround ? Math.min(ef, size.groups) : 0)) return null
  const ords = new Int32Array(foundCount)
  for (let i = 0; i < foundCount; i++) ords[i] = views.i32[(found + entryBytes * i + 4) >> 2]!
  const near =
    parents === null && 2 * limit <= foundCount
      ? nearest(views, found, foundCount, limit)
      : new Int32Array(0)
  return { ords, near, compared: views.i32[word + COMPARED_WORD]! }
}

/** The ords of the nearest entries. */
function nearest(
  { f32, i32 }: Leaf['views'],
  entries: number,
  count: number,
  limit: number,
): Int32Array {
  const first = entries >> 2
  const fars = new Float32Array(count)
  for (let i = 0; i < count; i++) fars[i] = f32[first + 2 * i]!
  const most = fars.sort()[limit - 1]!
  const near = new Int32Array(limit)
  let taken = 0
  for (let i = 0; i < count && taken < limit; i++)
    if (f32[first + 2 * i]! <= most) near[taken++] = i32[first + 2 * i + 1]!
  return near
}
