/** Makes graphs of neighbouring vectors: joins nodes to those that are in the graph, one by one. */
import { distance, fromQuery, takeAsQuery } from './graph-distance'
import { entryAt, put, sortFound } from './graph-heaps'
import {
  BELOW,
  CHOSEN,
  KIND,
  LENGTHS,
  M,
  NONE,
  SORTED,
  SQUARES,
  WIDTH,
  levelAt,
  ordOf,
  rowOf,
  squareOf,
  stepOf,
  vectorOf,
} from './graph-record'
import { descend, walkLevel } from './graph-walk'

/**
 * Chooses neighbours of the candidates in order: each that is nearer to the node than to those already chosen.
 * @returns how many
 */
function choose(at: usize, level: usize, count: u32, limit: u32): u32 {
  const sorted = load<usize>(at, SORTED)
  const chosen = load<usize>(at, CHOSEN)
  let kept: u32 = 0
  for (let i: u32 = 0; i < count && kept < limit; i++) {
    const candidate = entryAt(sorted, i)
    const far = load<f32>(candidate)
    const rank = load<u32>(candidate, 4)
    const ord = ordOf(level, rank)
    const row = vectorOf(at, ord)
    const step: f32 = load<u32>(at, KIND) == 0 ? stepOf(at, ord) : 0
    const square: f32 = load<usize>(at, SQUARES) ? squareOf(at, ord) : 0
    let isNearer = true
    for (let j: u32 = 0; j < kept; j++) {
      const other = ordOf(level, load<u32>(entryAt(chosen, j), 4))
      if (distance(at, row, step, square, other) < far) {
        isNearer = false
        break
      }
    }
    if (isNearer) put(entryAt(chosen, kept++), far, rank)
  }
  return kept
}

/** Writes the chosen as the neighbours of a node. */
function writeRow(at: usize, level: usize, rank: u32, count: u32): void {
  const chosen = load<usize>(at, CHOSEN)
  const width = load<u32>(level, WIDTH)
  const row = rowOf(level, rank)
  const lengths = load<usize>(level, LENGTHS) + ((<usize>rank * <usize>width) << 2)
  for (let i: u32 = 0; i < width; i++) {
    const place = <usize>i << 2
    if (i < count) {
      store<u32>(row + place, load<u32>(entryAt(chosen, i), 4))
      store<f32>(lengths + place, load<f32>(entryAt(chosen, i)))
    } else store<u32>(row + place, NONE)
  }
}

/** Adds a neighbour to a node, whose neighbours are chosen anew where there are too many. */
function addNeighbour(at: usize, level: usize, rank: u32, neighbour: u32, far: f32): void {
  const width = load<u32>(level, WIDTH)
  const row = rowOf(level, rank)
  const lengths = load<usize>(level, LENGTHS) + ((<usize>rank * <usize>width) << 2)
  let count: u32 = 0
  for (; count < width; count++) {
    const other = load<u32>(row + (<usize>count << 2))
    if (other == neighbour) return
    if (other == NONE) break
  }
  if (count < width) {
    store<u32>(row + (<usize>count << 2), neighbour)
    store<f32>(lengths + (<usize>count << 2), far)
    return
  }
  // A sort by insertion: most of a row is in order already.
  const sorted = load<usize>(at, SORTED)
  put(sorted, far, neighbour)
  for (let i: u32 = 0; i < width; i++) {
    const own = load<f32>(lengths + (<usize>i << 2))
    let place = i + 1
    for (; place > 0 && load<f32>(entryAt(sorted, place - 1)) > own; place--) {
      const moved = entryAt(sorted, place - 1)
      put(entryAt(sorted, place), load<f32>(moved), load<u32>(moved, 4))
    }
    put(entryAt(sorted, place), own, load<u32>(row + (<usize>i << 2)))
  }
  writeRow(at, level, rank, choose(at, level, width + 1, width))
}

/** Measures the links of a node, and puts the nearest first. */
export function measureLinks(at: usize, number: u32, rank: u32): void {
  const level = levelAt(at, number)
  takeAsQuery(at, ordOf(level, rank))
  const width = load<u32>(level, WIDTH)
  const row = rowOf(level, rank)
  const lengths = load<usize>(level, LENGTHS) + ((<usize>rank * <usize>width) << 2)
  for (let i: u32 = 0; i < width; i++) {
    const other = load<u32>(row + (<usize>i << 2))
    if (other == NONE) return
    const far = fromQuery(at, ordOf(level, other))
    let place = i
    for (; place > 0; place--) {
      const before = <usize>(place - 1) << 2
      const length = load<f32>(lengths + before)
      if (length <= far) break
      store<f32>(lengths + (<usize>place << 2), length)
      store<u32>(row + (<usize>place << 2), load<u32>(row + before))
    }
    store<f32>(lengths + (<usize>place << 2), far)
    store<u32>(row + (<usize>place << 2), other)
  }
}

/**
 * Joins a node to those that are in the graph, on its highest level and all below. The graph has a node on its
 * highest level already; there is room for as many open nodes as a level has.
 * @param number of its highest level
 * @param rank   there
 */
export function joinGraph(at: usize, number: u32, rank: u32): void {
  takeAsQuery(at, ordOf(levelAt(at, number), rank))
  let from = descend(at, number)
  for (let own = number, node = rank; ; own--) {
    const level = levelAt(at, own)
    walkLevel(at, own, from, node)
    const count = sortFound(at)
    const sorted = load<usize>(at, SORTED)
    if (count > 0) from = load<u32>(sorted, 4)
    const kept = choose(at, level, count, load<u32>(at, M))
    writeRow(at, level, node, kept)
    const width = load<u32>(level, WIDTH)
    const row = rowOf(level, node)
    const lengths = load<usize>(level, LENGTHS) + ((<usize>node * <usize>width) << 2)
    for (let i: u32 = 0; i < kept; i++)
      addNeighbour(
        at,
        level,
        load<u32>(row + (<usize>i << 2)),
        node,
        load<f32>(lengths + (<usize>i << 2)),
      )
    if (own == 0) return
    from = load<u32>(load<usize>(level, BELOW) + (<usize>from << 2))
    node = load<u32>(load<usize>(level, BELOW) + (<usize>node << 2))
  }
}
