/**
 * Graphs of neighbouring vectors: hierarchical navigable small worlds (Malkov and Yashunin, 2018). A level is an
 * array of rows of neighbours, ended by a number that no node has. Nodes of a level have ranks, which links name;
 * on the lowest level a node's rank is its vector's ord.
 *
 * This file has the record that a caller fills for a walk or for the making of a graph
 * (`codec/vector-graph/graph-record.ts` writes it), and the reads of it.
 */

// Offsets of the record.
/** 0: bytes in steps; 1: float32; 2: bits. */
export const KIND: usize = 0
/** 0: differences; 1: angles; 2: products. */
export const SPACE: usize = 4
export const ROWS: usize = 8
export const ROW_BYTES: usize = 12
/** f32 for each vector: the sum of its squares; 0: there are none. */
export const SQUARES: usize = 16
/** f32: the value of one step of a vector's bytes. */
export const STEPS: usize = 20
/** Bytes from one vector's step to the next; 0: all have one. */
export const STEP_STRIDE: usize = 24
/** That of vectors whose step is the first of four numbers, and whose square is the last of them. */
export const QUANTA_BYTES: usize = 16
/** Levels from the lowest on, `LEVEL_BYTES` each. */
const LEVELS: usize = 28
/** The number of the highest level, and the rank of the node there at which walks begin. */
export const TOP: usize = 32
export const ENTRY: usize = 36
/** The vector that others are compared with. */
export const QUERY: usize = 40
export const QUERY_STEP: usize = 44
export const QUERY_SQUARE: usize = 48
/** Bits by rank: of nodes that a walk has seen. */
export const SEEN: usize = 52
/** Room for entries: nodes whose neighbours are still to be seen, a heap, the nearest on top. */
export const OPEN: usize = 56
export const OPEN_ROOM: usize = 60
/** Room for `EF` entries: the nearest nodes, or the nearest of each group; a heap, the farthest on top. */
export const FOUND: usize = 64
export const EF: usize = 68
/** Bits by document, of those that may be found; 0: all may be. */
const ACCEPTED: usize = 72
/** u32: the document of each vector; 0: documents are their own ords. */
const DOCS: usize = 76
/** Comparisons that were made, added up. */
export const COMPARED: usize = 80
/** While a graph is made: entries of candidates in order, `EF` and a row, and those chosen of them. */
export const SORTED: usize = 84
export const CHOSEN: usize = 88
/** The most neighbours that a node begins with. */
export const M: usize = 92
/** Room for the ranks of a row, u32 each, and behind them for their distances, f32 each. */
export const FRESH: usize = 96
/** Bits by document, of the whole ones: of each one's vectors only the nearest is found; 0: all may be. */
export const PARENTS: usize = 100
/** Room for the table of groups, and its number of slots less 1; entries of `FOUND` have 16 bytes then. */
export const SLOTS: usize = 104
export const SLOT_MASK: usize = 108
/** Of bytes: the vector that others are compared with, two bytes for each component. */
export const WIDE: usize = 112
/** Bytes from one vector's square to the next one's. */
export const SQUARE_STRIDE: usize = 116
/** The rest of rows of codes, where these lie in two parts. */
export const LAST_ROWS: usize = 120
export const LAST_BYTES: usize = 124

// Offsets of a level.
const LEVEL_BYTES: usize = 32
export const NODES: usize = 0
/** u32: the vector of each node; 0: its rank. */
const ORDS: usize = 4
/** u32: the rank of each node on the level below; not of the lowest. */
export const BELOW: usize = 8
/** Rows of `WIDTH` u32 each. */
const LINKS: usize = 12
export const WIDTH: usize = 16
/** f32 for each link: its length; only while the graph is made. */
export const LENGTHS: usize = 20

export const NONE: u32 = 0xffffffff

/** The record of a level, counted from the lowest. */
@inline export function levelAt(at: usize, level: u32): usize {
  return load<usize>(at, LEVELS) + <usize>level * LEVEL_BYTES
}

/** The vector of a node. */
@inline export function ordOf(level: usize, rank: u32): u32 {
  const ords = load<usize>(level, ORDS)
  return ords ? load<u32>(ords + (<usize>rank << 2)) : rank
}

/** Address of the links of a node. */
@inline export function rowOf(level: usize, rank: u32): usize {
  return load<usize>(level, LINKS) + ((<usize>rank * <usize>load<u32>(level, WIDTH)) << 2)
}

/** The value of one step of a vector's bytes. */
@inline export function stepOf(at: usize, ord: u32): f32 {
  return load<f32>(load<usize>(at, STEPS) + <usize>ord * load<usize>(at, STEP_STRIDE))
}

/** The sum of a vector's squares. */
@inline export function squareOf(at: usize, ord: u32): f32 {
  return load<f32>(load<usize>(at, SQUARES) + <usize>ord * load<usize>(at, SQUARE_STRIDE))
}

/** Address of the rest of a vector's codes. */
@inline export function lastOf(at: usize, ord: u32): usize {
  return load<usize>(at, LAST_ROWS) + <usize>ord * load<usize>(at, LAST_BYTES)
}

/** Address of a vector. */
@inline export function vectorOf(at: usize, ord: u32): usize {
  return load<usize>(at, ROWS) + <usize>ord * load<usize>(at, ROW_BYTES)
}

/** The document of a vector. */
@inline export function docOf(at: usize, ord: u32): u32 {
  const docs = load<usize>(at, DOCS)
  return docs ? load<u32>(docs + (<usize>ord << 2)) : ord
}

/** Whether the document of a vector may be found. */
@inline export function isAccepted(at: usize, ord: u32): bool {
  const bits = load<usize>(at, ACCEPTED)
  if (!bits) return true
  const doc = docOf(at, ord)
  return ((load<u32>(bits + (<usize>(doc >> 5) << 2)) >> (doc & 31)) & 1) != 0
}
