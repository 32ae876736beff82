/** The nodes of a graph before they are linked, and what it takes over from another one. */
import { NO_NEIGHBOUR } from '../codec/vector-graph/format.ts'
import type { VectorGraphReader } from '../codec/vector-graph/reader.ts'

/** A graph from which another one begins. */
export interface GraphSource {
  readonly graph: VectorGraphReader
  /** New ord by old one; −1: its vector is dropped. */
  readonly ords: Int32Array
}

/** Max levels above the lowest. */
const MAX_LEVEL = 15
/** Part of its links that a node may lose before it is joined anew. */
const LOST_LINKS = 0.25
/** Part of its vectors that a graph may lose before another one is made anew. */
export const LOST_NODES = 0.1

/** A level whose rows are in part still empty. */
export interface DraftLevel {
  readonly ords: Uint32Array | null
  readonly below: Uint32Array | null
  readonly links: Uint32Array
  /** Numbers in a row. */
  readonly width: number
  /** Whether a node has this as its highest level and is to join. */
  readonly joins: (rank: number) => boolean
}

/** A graph whose vectors have their levels. */
export interface GraphDraft {
  readonly levels: readonly DraftLevel[]
  /** Rank on the highest level of the node at which walks begin, which is in the graph. */
  readonly entry: number
  /** By ord: its highest level. */
  readonly heights: Uint8Array
  /** By ord, whether it was in the graph that was taken over; null: none was. */
  readonly taken: Uint8Array | null
}

/** Gives each vector its levels, and those that were in another graph their places and links there. */
export function draftLevels(
  count: number,
  m: number,
  seed: number,
  source: GraphSource | null,
): GraphDraft {
  const heights = drawHeights(count, m, seed)
  const taken = source === null ? null : new Uint8Array(count)
  // The levels of a graph that is taken over stay, and vectors that join rise no higher.
  if (source !== null && taken !== null) takeHeights(source, heights, taken)
  let top = 0
  for (const height of heights) top = Math.max(top, height)
  const levels: DraftLevel[] = []
  let ranks: Int32Array | null = null
  const entryOrd = source === null ? -1 : entryOf(source)
  let entry = 0
  for (let number = 0; number <= top; number++) {
    const nodes = ordsFrom(heights, number)
    const width = number === 0 ? 2 * m : m
    const own = new Int32Array(count).fill(-1)
    for (const [rank, ord] of nodes.entries()) own[ord] = rank
    const below = ranks
    const links = new Uint32Array(nodes.length * width).fill(NO_NEIGHBOUR)
    if (source !== null && number < source.graph.levels.length)
      takeLinks(source, number, own, links, width)
    if (number === top) entry = entryOrd < 0 ? 0 : own[entryOrd]!
    const first = number === top && source === null ? 0 : -1
    levels.push({
      ords: number === 0 ? null : nodes,
      below: below === null ? null : nodes.map(ord => below[ord]!),
      links,
      width,
      joins: rank =>
        heights[nodes[rank]!] === number && rank !== first && taken?.[nodes[rank]!] !== 1,
    })
    ranks = own
  }
  return { levels, entry, heights, taken }
}

/** Draws each vector's highest level: of each level's vectors about one in m is on the next. */
function drawHeights(count: number, m: number, seed: number): Uint8Array {
  const heights = new Uint8Array(count)
  const factor = 1 / Math.log(Math.max(2, m))
  for (let ord = 0; ord < count; ord++) {
    let z = (seed + Math.imul(ord + 1, 0x9e3779b9)) | 0
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
    const drawn = (((z ^ (z >>> 16)) >>> 0) + 0.5) / 2 ** 32
    heights[ord] = Math.min(MAX_LEVEL, Math.floor(-Math.log(drawn) * factor))
  }
  return heights
}

function takeHeights({ graph, ords }: GraphSource, heights: Uint8Array, taken: Uint8Array): void {
  const top = topOf({ graph, ords })
  for (const [ord, height] of heights.entries()) heights[ord] = Math.min(height, top)
  for (let number = 0; number <= top; number++)
    for (let rank = 0; rank < graph.levels[number]!.nodes; rank++) {
      const ord = ords[graph.ordOf(number, rank)]!
      if (ord < 0) continue
      heights[ord] = number
      taken[ord] = 1
    }
}

/** The highest level of a graph that has a vector left. */
function topOf({ graph, ords }: GraphSource): number {
  for (let number = graph.levels.length - 1; number > 0; number--)
    for (let rank = 0; rank < graph.levels[number]!.nodes; rank++)
      if (ords[graph.ordOf(number, rank)]! >= 0) return number
  return 0
}

/** The vector at which walks begin: the graph's own, or the first that is left of its highest level. */
function entryOf(source: GraphSource): number {
  const { graph, ords } = source
  const top = topOf(source)
  if (top === graph.levels.length - 1) {
    const own = ords[graph.ordOf(top, graph.entry)]!
    if (own >= 0) return own
  }
  for (let rank = 0; ; rank++) {
    const ord = ords[graph.ordOf(top, rank)]!
    if (ord >= 0) return ord
  }
}

function ordsFrom(heights: Uint8Array, number: number): Uint32Array {
  let count = 0
  for (const height of heights) if (height >= number) count++
  const ords = new Uint32Array(count)
  let next = 0
  for (let ord = 0; ord < heights.length; ord++) if (heights[ord]! >= number) ords[next++] = ord
  return ords
}

/** Copies the links of a level between vectors that are left. */
function takeLinks(
  { graph, ords }: GraphSource,
  number: number,
  ranks: Int32Array,
  links: Uint32Array,
  width: number,
): void {
  for (let rank = 0; rank < graph.levels[number]!.nodes; rank++) {
    const ord = ords[graph.ordOf(number, rank)]!
    if (ord < 0) continue
    let at = ranks[ord]! * width
    for (const neighbour of graph.neighbours(number, rank)) {
      const other = ords[graph.ordOf(number, neighbour)]!
      if (other >= 0) links[at++] = ranks[other]!
    }
  }
}

/** A node by its highest level. */
interface DraftNode {
  readonly level: number
  readonly rank: number
}

/** The nodes that lost too many neighbours with the vectors that are dropped; not the one where walks begin. */
export function repairedNodes(
  { levels, entry, heights }: GraphDraft,
  source: GraphSource | null,
): readonly DraftNode[] {
  if (source === null || source.ords.every(ord => ord >= 0)) return []
  const { graph, ords } = source
  const poor = new Set<number>()
  for (const [number, { nodes }] of graph.levels.entries())
    for (let rank = 0; rank < nodes; rank++) {
      const ord = ords[graph.ordOf(number, rank)]!
      if (ord < 0) continue
      const neighbours = graph.neighbours(number, rank)
      let lost = 0
      for (const each of neighbours) if (ords[graph.ordOf(number, each)]! < 0) lost++
      if (lost > 0 && lost >= LOST_LINKS * neighbours.length) poor.add(ord)
    }
  const top = levels.length - 1
  const ordsOfTop = levels[top]!.ords
  poor.delete(ordsOfTop === null ? entry : ordsOfTop[entry]!)
  // The ranks of the poor on their highest levels.
  const found: DraftNode[] = []
  for (const [level, { ords: own }] of levels.entries())
    for (let rank = 0; rank < (own?.length ?? heights.length); rank++) {
      const ord = own === null ? rank : own[rank]!
      if (heights[ord] === level && poor.has(ord)) found.push({ level, rank })
    }
  return found
}
