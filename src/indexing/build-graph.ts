/**
 * Makes the graph of a segment's vectors. The same vectors, and the same graph to begin with, give the same
 * graph: levels are drawn by the vectors' own checksum, and vectors join in one order, those of high levels
 * first, so that the few on them span all vectors from the start.
 */
import { crc32 } from 'node:zlib'
import type { DenseVectorsReader } from '../codec/dense-vectors/reader.ts'
import { type ComparedParts, NO_NEIGHBOUR } from '../codec/vector-graph/format.ts'
import type { GraphLevel, GraphLevels } from '../codec/vector-graph/graph-levels.ts'
import {
  ENTRY_BYTES,
  freshBytes,
  GRAPH_RECORD_BYTES,
  openRoomOf,
  RECORD_LEVEL_BYTES,
  SORTED_WORD,
  seenBytes,
  WIDE_WORD,
  writeGraphRecord,
} from '../codec/vector-graph/graph-record.ts'
import type { GraphMethod } from '../schema/knn-vector/graph-method.ts'
import { type DraftLevel, draftLevels, type GraphSource, repairedNodes } from './graph-draft.ts'
import { alignedBytes, type GraphMemory, withGraphMemory } from './graph-memory.ts'

/** Vectors that join between two calls of `goOn`. */
const JOINED_AT_ONCE = 32
/** Nodes whose links are measured between two. */
const MEASURED_AT_ONCE = 1024
/** Vectors by which it is judged whether codes tell neighbours apart. */
const JUDGED = 256
/** How much smaller than the distance of neighbours what codes leave out must be, in squares. */
const TOLD_APART = 16

/**
 * Makes the graph of vectors.
 * @param method of these vectors
 * @param source null: it is made anew
 * @param goOn   called every few milliseconds; throws to abandon it
 * @returns null where there is no memory for it: searches compare all vectors then
 */
export function buildGraph(
  vectors: DenseVectorsReader,
  method: GraphMethod,
  source: GraphSource | null,
  goOn: () => void,
): GraphLevels | null {
  const { section, element } = vectors
  const seed = crc32(section.views.u8.subarray(section.start, section.start + section.length))
  if (source?.graph.compared === 'floats')
    return buildBy('floats', vectors, method, seed, source, goOn)
  const byCodes = buildBy('codes', vectors, method, seed, source, goOn)
  // Codes are of float32 alone.
  if (byCodes === null || element !== 'float' || tellApart(vectors, byCodes)) return byCodes
  return buildBy('floats', vectors, method, seed, null, goOn)
}

function buildBy(
  compared: ComparedParts,
  vectors: DenseVectorsReader,
  method: GraphMethod,
  seed: number,
  source: GraphSource | null,
  goOn: () => void,
): GraphLevels | null {
  const { count } = vectors
  const { space, m, efConstruction: ef } = method
  const draft = draftLevels(count, m, seed, source)
  const { levels, entry } = draft
  const isCoded = vectors.element === 'float' && compared === 'codes'
  const rowBytes = isCoded ? vectors.codeBytes : vectors.rowBytes
  const openRoom = openRoomOf(ef, count)
  const sizes = {
    rows: rowBytes * count,
    squares: vectors.squares < 0 ? 0 : 4 * count,
    steps: isCoded ? 4 * count : 4,
    record: GRAPH_RECORD_BYTES + RECORD_LEVEL_BYTES * levels.length,
    seen: seenBytes(count),
    open: ENTRY_BYTES * openRoom,
    found: ENTRY_BYTES * ef,
    sorted: ENTRY_BYTES * (ef + 2 * m + 1),
    chosen: ENTRY_BYTES * 2 * m,
    fresh: freshBytes(2 * m),
    wide: 2 * rowBytes,
  }
  const ofLevels = levels.reduce((sum, { ords, links }) => {
    return sum + 2 * alignedBytes(4 * (ords?.length ?? 0)) + 2 * alignedBytes(links.byteLength)
  }, 0)
  const bytes = Object.values(sizes).reduce((sum, each) => sum + alignedBytes(each), ofLevels)
  return withGraphMemory(bytes, memory => {
    const { views, kernels } = memory
    const { u8 } = vectors.section.views
    const at = Object.fromEntries(
      Object.entries(sizes).map(([name, size]) => [name, memory.allocate(size)]),
    ) as Readonly<Record<keyof typeof sizes, number>>
    if (!isCoded) views.u8.set(u8.subarray(vectors.rows, vectors.rows + sizes.rows), at.rows)
    views.f32[at.steps >> 2] = 1
    for (let ord = 0; ord < count; ord++) {
      if (sizes.squares > 0) views.f32[(at.squares >> 2) + ord] = vectors.square(ord)
      if (!isCoded) continue
      views.f32[(at.steps >> 2) + ord] = vectors.step(ord)
      vectors.copyCodes(ord, views.u8, at.rows + ord * rowBytes)
    }
    const placed = levels.map(level => placeLevel(memory, level, count))
    writeGraphRecord(
      views,
      at.record,
      {
        element: vectors.element,
        compared,
        space,
        rows: at.rows,
        rowBytes,
        lastRows: 0,
        lastBytes: 0,
        squares: sizes.squares > 0 ? at.squares : 0,
        squareStride: 4,
        steps: at.steps,
        stepStride: isCoded ? 4 : 0,
      },
      placed,
      entry,
      { seen: at.seen, open: at.open, openRoom, found: at.found, ef, fresh: at.fresh },
    )
    views.i32.set([at.sorted, at.chosen, m], (at.record >> 2) + SORTED_WORD)
    views.i32[(at.record >> 2) + WIDE_WORD] = at.wide
    if (source !== null) {
      for (const [number, level] of placed.entries())
        measureLinks(memory, at.record, number, level.nodes, goOn)
    }
    let joined = 0
    const join = (number: number, rank: number): void => {
      if (++joined % JOINED_AT_ONCE === 0) goOn()
      kernels.joinGraph(at.record, number, rank)
    }
    for (const { level, rank } of repairedNodes(draft, source)) {
      clearRows(views.u32, placed, level, rank)
      join(level, rank)
    }
    for (let number = levels.length - 1; number >= 0; number--) {
      const { ords, joins } = levels[number]!
      const nodes = ords?.length ?? count
      for (let rank = 0; rank < nodes; rank++) if (joins(rank)) join(number, rank)
    }
    return {
      count,
      compared,
      space,
      m,
      seed,
      entry,
      levels: levels.map(({ ords, below }, i): GraphLevel => {
        const { links, nodes, width } = placed[i]!
        return { ords, below, links: views.u32.slice(links >> 2, (links >> 2) + nodes * width) }
      }),
    }
  })
}

interface DraftInMemory {
  readonly nodes: number
  readonly ords: number
  readonly below: number
  readonly links: number
  readonly lengths: number
  readonly width: number
}

function placeLevel(
  memory: GraphMemory,
  { ords, below, links, width }: DraftLevel,
  count: number,
): DraftInMemory {
  const { u32 } = memory.views
  const put = (words: Uint32Array | null): number => {
    if (words === null) return 0
    const at = memory.allocate(words.byteLength)
    u32.set(words, at >> 2)
    return at
  }
  return {
    nodes: ords?.length ?? count,
    ords: put(ords),
    below: put(below),
    links: put(links),
    lengths: memory.allocate(links.byteLength),
    width,
  }
}

/** Empties a node's rows on a level and all below. */
function clearRows(
  u32: Uint32Array,
  placed: readonly DraftInMemory[],
  from: number,
  rank: number,
): void {
  for (let level = from, own = rank; level >= 0; level--) {
    const { links, width, below } = placed[level]!
    const row = (links >> 2) + own * width
    u32.fill(NO_NEIGHBOUR, row, row + width)
    if (level > 0) own = u32[(below >> 2) + own]!
  }
}

/** Measures the links of a level that were taken over. */
function measureLinks(
  { kernels }: GraphMemory,
  record: number,
  number: number,
  nodes: number,
  goOn: () => void,
): void {
  for (let rank = 0; rank < nodes; rank++) {
    if (rank % MEASURED_AT_ONCE === 0) goOn()
    kernels.measureLinks(record, number, rank)
  }
}

/**
 * Whether codes tell neighbours apart: what they leave out of vectors is much less than what lies between the
 * nearest. Where all vectors lie far from 0 and near to each other it is not, and walks by codes are blind.
 */
function tellApart(vectors: DenseVectorsReader, { levels, count, space }: GraphLevels): boolean {
  const { links } = levels[0]!
  const width = links.length / count
  const stride = Math.max(1, Math.floor(count / JUDGED))
  let judged = 0
  let blind = 0
  for (let ord = 0; ord < count; ord += stride) {
    const other = links[ord * width]!
    if (other === NO_NEIGHBOUR) continue
    const between = betweenSquared(vectors, ord, other, space === 'cosinesimil')
    // Equal vectors have equal codes.
    if (between.distance === 0) continue
    judged++
    if (between.leftOut * TOLD_APART > between.distance) blind++
  }
  return 2 * blind <= judged
}

/** Squares of the distance of two vectors, and of what their codes leave out. @param asDirections of length 1 */
function betweenSquared(
  vectors: DenseVectorsReader,
  one: number,
  other: number,
  asDirections: boolean,
): { distance: number; leftOut: number } {
  const [a, b] = [vectors.floats(one), vectors.floats(other)]
  const factor = (ord: number): number =>
    asDirections ? 1 / Math.sqrt(vectors.square(ord) || 1) : 1
  const [p, q] = [factor(one), factor(other)]
  let distance = 0
  for (let i = 0; i < a.length; i++) distance += (a[i]! * p - b[i]! * q) ** 2
  return { distance, leftOut: (vectors.rest(one) * p) ** 2 + (vectors.rest(other) * q) ** 2 }
}
