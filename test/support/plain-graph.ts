/** A model of walks of a graph: the same steps as the kernel's, over arrays that are sorted at each. */
import type { VectorGraphReader } from '../../src/codec/vector-graph/reader.ts'

interface Seen {
  readonly far: number
  readonly rank: number
}

/** In order of distances and, of equal ones, of ranks. */
const inOrder = (a: Seen, b: Seen): number => a.far - b.far || a.rank - b.rank

/**
 * The candidates of a walk, by ord.
 * @param distance of the query and a vector, float32, as the kernel makes it
 * @param accepted the vectors that may be found
 * @param groupOf  the group of a vector: of each the nearest alone is found
 */
export function plainWalk(
  graph: VectorGraphReader,
  ef: number,
  distance: (ord: number) => number,
  accepted: (ord: number) => boolean,
  groupOf: (ord: number) => number = ord => ord,
): readonly number[] {
  const rank = descended(graph, distance)
  const seen = new Set([rank])
  const open: Seen[] = [{ far: distance(rank), rank }]
  let found: readonly Seen[] = accepted(rank) ? [...open] : []
  while (open.length > 0) {
    open.sort(inOrder)
    const next = open.shift()!
    if (found.length === ef && inOrder(next, found.at(-1)!) > 0) break
    for (const other of graph.neighbours(0, next.rank)) {
      if (seen.has(other)) continue
      seen.add(other)
      const own = { far: distance(other), rank: other }
      if (found.length === ef && inOrder(own, found.at(-1)!) > 0) continue
      open.push(own)
      if (accepted(other)) found = withOne(found, own, ef, groupOf)
    }
  }
  return found.map(each => each.rank).sort((a, b) => a - b)
}

/** The nearest of each group, with one more. */
function withOne(
  found: readonly Seen[],
  own: Seen,
  ef: number,
  groupOf: (ord: number) => number,
): readonly Seen[] {
  const rival = found.find(each => groupOf(each.rank) === groupOf(own.rank))
  if (rival === undefined) return [...found.slice(0, ef - 1), own].sort(inOrder)
  if (inOrder(rival, own) < 0) return found
  return [...found.filter(each => each !== rival), own].sort(inOrder)
}

/** The node of the lowest level at which walks begin. */
function descended(graph: VectorGraphReader, distance: (ord: number) => number): number {
  let rank = graph.entry
  for (let level = graph.levels.length - 1; level > 0; level--) {
    let best = distance(graph.ordOf(level, rank))
    for (let moved = true; moved; ) {
      moved = false
      for (const next of graph.neighbours(level, rank)) {
        const far = distance(graph.ordOf(level, next))
        if (far >= best) continue
        best = far
        rank = next
        moved = true
      }
    }
    rank = graph.belowOf(level, rank)
  }
  return rank
}

/**
 * The candidates of a walk around vectors that may not be found, by ord.
 * @param acceptedGroups how many may be found
 * @returns null: fewer than there might be
 */
export function plainWalkAround(
  graph: VectorGraphReader,
  ef: number,
  distance: (ord: number) => number,
  accepted: (ord: number) => boolean,
  acceptedGroups: number,
  groupOf: (ord: number) => number = ord => ord,
): readonly number[] | null {
  const most = graph.levels[0]!.width >> 1
  const from = descended(graph, distance)
  const seen = new Set([from])
  let open: Seen[] = [{ far: distance(from), rank: from }]
  let found: readonly Seen[] = accepted(from) ? [...open] : []
  const isNew = (rank: number): boolean => !seen.has(rank) && seen.add(rank).has(rank)
  while (open.length > 0) {
    const next = open.sort(inOrder).shift()!
    if (found.length === ef && inOrder(next, found.at(-1)!) > 0) break
    const row = [...graph.neighbours(0, next.rank)]
    const near = row.filter(rank => accepted(rank) && isNew(rank))
    const passed: number[] = []
    for (const rank of row) {
      if (near.length >= most) break
      if (accepted(rank) || !isNew(rank)) continue
      passed.push(rank)
      for (const beyond of graph.neighbours(0, rank))
        if (near.length < most && accepted(beyond) && isNew(beyond)) near.push(beyond)
    }
    for (const rank of near.length > 0 ? near : passed) {
      const own = { far: distance(rank), rank }
      if (found.length === ef && inOrder(own, found.at(-1)!) > 0) continue
      open = [...open, own]
      if (near.length > 0) found = withOne(found, own, ef, groupOf)
    }
  }
  if (found.length < Math.min(ef, acceptedGroups)) return null
  return found.map(each => each.rank).sort((a, b) => a - b)
}
