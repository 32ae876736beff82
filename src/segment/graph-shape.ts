/** What the graphs of a segment's vectors look like, read from its file. */
import { VectorGraphReader } from '../codec/vector-graph/reader.ts'
import { viewsOf } from '../store/arena.ts'
import { loadSection, segmentFileName } from './open-segment.ts'
import type { Segment } from './segment.ts'

/** One level of a graph. */
export interface LevelShape {
  readonly nodeCount: number
  /** Neighbours of a node. */
  readonly minDegree: number
  readonly meanDegree: number
  readonly maxDegree: number
}

/** The graph of one field. */
export interface GraphShape {
  readonly field: string
  /** Components that walks compare: `codes` for those of a quarter of the size, bytes and bits. */
  readonly compared: 'codes' | 'floats'
  /** Most neighbours of a node above the lowest level, where there are twice as many. */
  readonly m: number
  /** From the lowest on, which has all vectors. */
  readonly levels: readonly LevelShape[]
}

/**
 * Reads the graphs of a segment whole.
 * @throws {CorruptSegmentError} one is damaged
 */
export function graphShapes(segment: Segment): GraphShape[] {
  const names = new Map([...segment.fields.values()].map(({ number, name }) => [number, name]))
  const shapes: GraphShape[] = []
  for (const section of segment.file.directory.sections) {
    if (section.kind !== 'vectorGraph') continue
    const name = segmentFileName(segment.stem)
    // Views want whole words.
    const bytes = new Uint8Array(Math.ceil(section.length / 8) * 8)
    const { length } = section
    loadSection(name, segment.open, section, bytes.subarray(0, length))
    const graph = new VectorGraphReader({ views: viewsOf(bytes.buffer), start: 0, length, name })
    graph.verify()
    const { compared, m, levels } = graph
    shapes.push({
      field: names.get(section.field) ?? '',
      compared,
      m,
      levels: levels.map((_, level) => levelShape(graph, level)),
    })
  }
  return shapes
}

function levelShape(graph: VectorGraphReader, level: number): LevelShape {
  const { nodes } = graph.levels[level]!
  let min = Number.POSITIVE_INFINITY
  let max = 0
  let sum = 0
  for (let rank = 0; rank < nodes; rank++) {
    const { length } = graph.neighbours(level, rank)
    min = Math.min(min, length)
    max = Math.max(max, length)
    sum += length
  }
  return { nodeCount: nodes, minDegree: min, meanDegree: sum / nodes, maxDegree: max }
}
