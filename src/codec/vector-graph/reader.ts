import { VECTOR_SPACES, type VectorSpace } from '../../schema/knn-vector/vector-space.ts'
import { CorruptSegmentError } from '../../util/errors.ts'
import { checkSection, type Section } from '../section.ts'
import {
  COMPARED_PARTS,
  type ComparedParts,
  GRAPH_LEVEL_BYTES,
  NO_NEIGHBOUR,
  VECTOR_GRAPH_HEADER_BYTES,
  VECTOR_GRAPH_VERSION,
} from './format.ts'

/** A level of a graph in place; addresses are bytes from the start of the section's memory. */
export interface PlacedLevel {
  readonly nodes: number
  /** 0: ranks are ords. */
  readonly ords: number
  /** 0: it is the lowest level. */
  readonly below: number
  readonly links: number
  /** Numbers in a row of links. */
  readonly width: number
}

/** The graph of one field's vectors in one leaf. */
export class VectorGraphReader {
  readonly section: Section
  /** Vectors. */
  readonly count: number
  readonly compared: ComparedParts
  readonly space: VectorSpace
  readonly m: number
  /** Rank on the highest level of the node at which walks begin. */
  readonly entry: number
  /** From the lowest on. */
  readonly levels: readonly PlacedLevel[]

  /** @throws {CorruptSegmentError} its header or table contradicts itself or its length */
  constructor(section: Section) {
    checkSection(section, VECTOR_GRAPH_VERSION, VECTOR_GRAPH_HEADER_BYTES)
    const { u32 } = section.views
    const header = section.start >> 2
    const compared = COMPARED_PARTS[u32[header + 2]!]
    const space = VECTOR_SPACES[u32[header + 3]!]
    const levelCount = u32[header + 5]!
    this.section = section
    this.count = u32[header + 1]!
    this.compared = compared ?? 'codes'
    this.space = space ?? 'l2'
    this.m = u32[header + 4]!
    this.entry = u32[header + 6]!
    const table = u32[header + 8]!
    const end = u32[header + 9]!
    const hasTable =
      table === VECTOR_GRAPH_HEADER_BYTES &&
      end <= section.length &&
      table + GRAPH_LEVEL_BYTES * levelCount <= end
    const levels: PlacedLevel[] = []
    for (let i = 0; hasTable && i < levelCount; i++) {
      const at = (section.start + table + GRAPH_LEVEL_BYTES * i) >> 2
      const nodes = u32[at]!
      const width = i === 0 ? 2 * this.m : this.m
      const fits = (offset: number, words: number, alignment: number): boolean =>
        offset % alignment === 0 && offset >= table && offset + 4 * words <= end
      const [ords, below, links] = [u32[at + 1]!, u32[at + 2]!, u32[at + 3]!]
      const isWhole =
        fits(links, nodes * width, 64) &&
        (i === 0
          ? ords === 0 && below === 0 && nodes === this.count
          : nodes > 0 &&
            nodes <= levels[i - 1]!.nodes &&
            fits(ords, nodes, 4) &&
            fits(below, nodes, 4))
      if (!isWhole) break
      const { start } = section
      levels.push({
        nodes,
        ords: ords === 0 ? 0 : start + ords,
        below: below === 0 ? 0 : start + below,
        links: start + links,
        width,
      })
    }
    this.levels = levels
    const isWhole =
      compared !== undefined &&
      space !== undefined &&
      this.count > 0 &&
      this.m > 0 &&
      levelCount > 0 &&
      levels.length === levelCount &&
      this.entry < levels[levelCount - 1]!.nodes
    if (!isWhole)
      throw new CorruptSegmentError(
        section.name,
        4,
        'a header of a graph',
        `[${[...u32.subarray(header + 1, header + 10)].join(', ')}]`,
      )
  }

  /** The vector of a node. */
  ordOf(level: number, rank: number): number {
    const { ords } = this.levels[level]!
    return ords === 0 ? rank : this.section.views.u32[(ords >> 2) + rank]!
  }

  /** The rank of a node on the level below. @param level above the lowest */
  belowOf(level: number, rank: number): number {
    return this.section.views.u32[(this.levels[level]!.below >> 2) + rank]!
  }

  /** The ranks of a node's neighbours. */
  neighbours(level: number, rank: number): Uint32Array {
    const { links, width } = this.levels[level]!
    const start = (links >> 2) + rank * width
    const row = this.section.views.u32.subarray(start, start + width)
    const end = row.indexOf(NO_NEIGHBOUR)
    return end < 0 ? row : row.subarray(0, end)
  }

  /**
   * Reads all of the graph.
   * @throws {CorruptSegmentError} a node or a neighbour that there is not
   */
  verify(): void {
    for (const [i, { nodes }] of this.levels.entries())
      for (let rank = 0; rank < nodes; rank++) {
        const isPlaced =
          i === 0 ||
          (this.ordOf(i, rank) < this.count &&
            this.belowOf(i, rank) < this.levels[i - 1]!.nodes &&
            this.ordOf(i - 1, this.belowOf(i, rank)) === this.ordOf(i, rank))
        const wrong = this.neighbours(i, rank).find(each => each >= nodes || each === rank)
        if (!isPlaced || wrong !== undefined)
          throw new CorruptSegmentError(
            this.section.name,
            VECTOR_GRAPH_HEADER_BYTES,
            `a node of level ${i} below ${nodes}`,
            `${wrong ?? this.ordOf(i, rank)}`,
          )
      }
  }
}
