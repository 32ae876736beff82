import { VECTOR_SPACES } from '../../schema/knn-vector/vector-space.ts'
import {
  COMPARED_PARTS,
  GRAPH_LEVEL_BYTES,
  VECTOR_GRAPH_HEADER_BYTES,
  VECTOR_GRAPH_VERSION,
} from './format.ts'
import type { GraphLevels } from './graph-levels.ts'

const PADDING_BYTES = 16
const ROW_ALIGNMENT = 64

/** Writes the section of a graph. */
export function writeVectorGraph(graph: GraphLevels): Uint8Array {
  const { levels } = graph
  let end = VECTOR_GRAPH_HEADER_BYTES + GRAPH_LEVEL_BYTES * levels.length
  const places = levels.map(({ ords, below, links }) => {
    const at = { ords: 0, below: 0, links: 0 }
    if (ords !== null) {
      at.ords = end
      end += 4 * ords.length
    }
    if (below !== null) {
      at.below = end
      end += 4 * below.length
    }
    at.links = Math.ceil(end / ROW_ALIGNMENT) * ROW_ALIGNMENT
    end = at.links + 4 * links.length
    return at
  })
  const out = new Uint8Array(end + PADDING_BYTES)
  const u32 = new Uint32Array(out.buffer)
  u32.set([
    VECTOR_GRAPH_VERSION,
    graph.count,
    COMPARED_PARTS.indexOf(graph.compared),
    VECTOR_SPACES.indexOf(graph.space),
    graph.m,
    levels.length,
    graph.entry,
    graph.seed,
    VECTOR_GRAPH_HEADER_BYTES,
    end,
  ])
  for (const [i, { ords, below, links }] of levels.entries()) {
    const at = places[i]!
    const table = (VECTOR_GRAPH_HEADER_BYTES + i * GRAPH_LEVEL_BYTES) >> 2
    u32.set([ords?.length ?? graph.count, at.ords, at.below, at.links], table)
    if (ords !== null) u32.set(ords, at.ords >> 2)
    if (below !== null) u32.set(below, at.below >> 2)
    u32.set(links, at.links >> 2)
  }
  return out
}
