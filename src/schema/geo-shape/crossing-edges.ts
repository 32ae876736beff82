/** Edges of rings that cross one another, found by boxes around runs of neighbouring edges. */
import { turn } from './orientation.ts'

/** Edges of a run that is not cut any more. */
const RUN = 8

/** Corners of rings, one ring behind the other; edge `i` goes from corner `i` to corner `next[i]`. */
export interface EdgeList {
  readonly xs: Int32Array
  readonly ys: Int32Array
  readonly next: Int32Array
}

/**
 * Finds two edges that cross. Edges that only touch do not.
 * @param spend is told of steps, and may throw
 * @returns the first edge of such a pair; −1: there is none
 */
export function crossingEdge(edges: EdgeList, spend: (steps: number) => void): number {
  const boxes = boxesOf(edges)
  const meet = (a: Run, b: Run): number => {
    spend(1)
    if (!boxes.overlap(a.node, b.node)) return -1
    if (a.end - a.start <= RUN && b.end - b.start <= RUN) return crossingIn(edges, a, b, spend)
    if (a === b) {
      const [left, right] = halves(a)
      const found = meet(left, left)
      if (found >= 0) return found
      const other = meet(right, right)
      return other >= 0 ? other : meet(left, right)
    }
    const cutsFirst = a.end - a.start >= b.end - b.start
    const [left, right] = halves(cutsFirst ? a : b)
    const rest = cutsFirst ? b : a
    const found = meet(left, rest)
    return found >= 0 ? found : meet(right, rest)
  }
  const all = { node: 1, start: 0, end: edges.xs.length }
  return meet(all, all)
}

/** Edges `[start, end)`; its halves are the nodes `2 · node` and `2 · node + 1`. */
interface Run {
  readonly node: number
  readonly start: number
  readonly end: number
}

function halves({ node, start, end }: Run): [Run, Run] {
  const middle = (start + end) >> 1
  return [
    { node: 2 * node, start, end: middle },
    { node: 2 * node + 1, start: middle, end },
  ]
}

function boxesOf({ xs, ys, next }: EdgeList): { overlap(a: number, b: number): boolean } {
  const count = xs.length
  const size = 4 << (32 - Math.clz32(Math.max(1, Math.ceil(count / RUN))))
  const west = new Int32Array(size).fill(2147483647)
  const south = new Int32Array(size).fill(2147483647)
  const east = new Int32Array(size).fill(-2147483648)
  const north = new Int32Array(size).fill(-2147483648)
  const add = (node: number, x: number, y: number): void => {
    west[node] = Math.min(west[node]!, x)
    east[node] = Math.max(east[node]!, x)
    south[node] = Math.min(south[node]!, y)
    north[node] = Math.max(north[node]!, y)
  }
  const fill = (run: Run): void => {
    const { node, start, end } = run
    if (end - start <= RUN) {
      for (let i = start; i < end; i++) {
        add(node, xs[i]!, ys[i]!)
        add(node, xs[next[i]!]!, ys[next[i]!]!)
      }
      return
    }
    for (const half of halves(run)) {
      fill(half)
      add(node, west[half.node]!, south[half.node]!)
      add(node, east[half.node]!, north[half.node]!)
    }
  }
  fill({ node: 1, start: 0, end: count })
  return {
    overlap: (a, b) =>
      west[a]! <= east[b]! &&
      west[b]! <= east[a]! &&
      south[a]! <= north[b]! &&
      south[b]! <= north[a]!,
  }
}

function crossingIn(edges: EdgeList, a: Run, b: Run, spend: (steps: number) => void): number {
  for (let i = a.start; i < a.end; i++) {
    spend(b.end - b.start)
    for (let j = a === b ? i + 1 : b.start; j < b.end; j++) if (cross(edges, i, j)) return i
  }
  return -1
}

function cross({ xs, ys, next }: EdgeList, i: number, j: number): boolean {
  const ax = xs[i]!
  const ay = ys[i]!
  const bx = xs[next[i]!]!
  const by = ys[next[i]!]!
  const cx = xs[j]!
  const cy = ys[j]!
  const dx = xs[next[j]!]!
  const dy = ys[next[j]!]!
  return (
    Math.sign(turn(ax, ay, bx, by, cx, cy)) * Math.sign(turn(ax, ay, bx, by, dx, dy)) < 0 &&
    Math.sign(turn(cx, cy, dx, dy, ax, ay)) * Math.sign(turn(cx, cy, dx, dy, bx, by)) < 0
  )
}
