/**
 * Walks graphs of neighbouring vectors from the highest level down. All steps are taken in one order, so that the
 * same bytes give the same walk.
 */
import { compareFresh, fromQuery } from './graph-distance'
import {
  clearHeaps,
  foundSize,
  isBefore,
  isBeforeEntry,
  openSize,
  popOpen,
  pushFound,
  pushOpen,
} from './graph-heaps'
import {
  BELOW,
  COMPARED,
  EF,
  ENTRY,
  FOUND,
  FRESH,
  KIND,
  LAST_BYTES,
  NODES,
  NONE,
  OPEN,
  ROW_BYTES,
  SEEN,
  QUANTA_BYTES,
  SQUARES,
  SQUARE_STRIDE,
  STEP_STRIDE,
  STEPS,
  TOP,
  WIDTH,
  isAccepted,
  levelAt,
  ordOf,
  rowOf,
  lastOf,
  vectorOf,
} from './graph-record'

/** Keeps the reads of `touch` alive. */
let touched: u32 = 0

@inline function touch(at: usize, ord: u32): void {
  const vector = vectorOf(at, ord)
  const end = vector + load<usize>(at, ROW_BYTES)
  for (let line = vector; line < end; line += 64) touched += load<u32>(line)
  if (load<u32>(at, KIND) != 0) return
  const last = lastOf(at, ord)
  const lastEnd = last + load<usize>(at, LAST_BYTES)
  for (let line = last; line < lastEnd; line += 64) touched += load<u32>(line)
  touched += load<u32>(load<usize>(at, STEPS) + <usize>ord * load<usize>(at, STEP_STRIDE))
  if (load<usize>(at, STEP_STRIDE) != QUANTA_BYTES)
    touched += load<u32>(load<usize>(at, SQUARES) + <usize>ord * load<usize>(at, SQUARE_STRIDE))
}

/** Adds to the neighbours that are to be compared. @returns how many they are */
@inline function addFresh(at: usize, level: usize, fresh: usize, count: u32, rank: u32): u32 {
  store<u32>(fresh + (<usize>count << 2), rank)
  touch(at, ordOf(level, rank))
  return count + 1
}

/** Reads a little of the row of links that is likely to be read next. */
@inline function touchNext(level: usize, open: usize): void {
  if (openSize > 0) touched += load<u32>(rowOf(level, load<u32>(open, 4)))
}

/** Marks a node as seen. @returns whether it was not before */
@inline function isNew(seen: usize, rank: u32): bool {
  const word = seen + (<usize>(rank >> 5) << 2)
  const bit: u32 = 1 << (rank & 31)
  const before = load<u32>(word)
  store<u32>(word, before | bit)
  return (before & bit) == 0
}

/** The nearest node of a level, by single steps from the highest one down; its rank there. */
export function descend(at: usize, to: u32): u32 {
  let rank = load<u32>(at, ENTRY)
  let level = load<u32>(at, TOP)
  if (level == to) return rank
  let compared: u32 = 1
  const fresh = load<usize>(at, FRESH)
  let nearest = fromQuery(at, ordOf(levelAt(at, level), rank))
  for (; level > to; level--) {
    const own = levelAt(at, level)
    const width = load<u32>(own, WIDTH)
    const nodes = load<u32>(own, NODES)
    let moved = true
    while (moved) {
      moved = false
      const row = rowOf(own, rank)
      let news: u32 = 0
      for (; news < width; news++) {
        const next = load<u32>(row + (<usize>news << 2))
        if (next >= nodes) break
        addFresh(at, own, fresh, news, next)
      }
      const fars = compareFresh(at, own, fresh, news)
      compared += news
      for (let i: u32 = 0; i < news; i++) {
        const next = load<u32>(fresh + (<usize>i << 2))
        const far = load<f32>(fars + (<usize>i << 2))
        if (far < nearest) {
          nearest = far
          rank = next
          moved = true
        }
      }
    }
    rank = load<u32>(load<usize>(own, BELOW) + (<usize>rank << 2))
  }
  store<u32>(at, load<u32>(at, COMPARED) + compared, COMPARED)
  return rank
}

/** Opens the node of a level at which a walk begins. @param skipped a node that counts as seen; NONE: none */
function beginWalk(at: usize, level: usize, from: u32, skipped: u32): void {
  const seen = load<usize>(at, SEEN)
  memory.fill(seen, 0, <usize>((load<u32>(level, NODES) + 31) >> 5) << 2)
  clearHeaps(at)
  if (skipped != NONE) isNew(seen, skipped)
  if (!isNew(seen, from)) return
  const ord = ordOf(level, from)
  const far = fromQuery(at, ord)
  pushOpen(at, far, from)
  if (isAccepted(at, ord)) pushFound(at, far, from)
}

/**
 * Finds the nearest nodes of a level from one on.
 * @param skipped a node that is neither found nor walked through; NONE: none
 * @returns false: there were more open nodes than room
 */
export function walkLevel(at: usize, number: u32, from: u32, skipped: u32): bool {
  const level = levelAt(at, number)
  const nodes = load<u32>(level, NODES)
  const width = load<u32>(level, WIDTH)
  const seen = load<usize>(at, SEEN)
  const open = load<usize>(at, OPEN)
  const found = load<usize>(at, FOUND)
  const ef = load<u32>(at, EF)
  const fresh = load<usize>(at, FRESH)
  beginWalk(at, level, from, skipped)
  let compared: u32 = 1
  let isWhole = true
  while (openSize > 0 && isWhole) {
    if (foundSize == ef && isBeforeEntry(found, open)) break
    const row = rowOf(level, load<u32>(open, 4))
    popOpen(open)
    touchNext(level, open)
    let news: u32 = 0
    for (let i: u32 = 0; i < width; i++) {
      const rank = load<u32>(row + (<usize>i << 2))
      if (rank >= nodes) break
      // Without a branch: which ones are new cannot be foretold.
      store<u32>(fresh + (<usize>news << 2), rank)
      news += <u32>isNew(seen, rank)
    }
    for (let i: u32 = 0; i < news; i++)
      touch(at, ordOf(level, load<u32>(fresh + (<usize>i << 2))))
    compared += news
    const fars = compareFresh(at, level, fresh, news)
    for (let i: u32 = 0; i < news; i++) {
      const rank = load<u32>(fresh + (<usize>i << 2))
      const ord = ordOf(level, rank)
      const far = load<f32>(fars + (<usize>i << 2))
      if (foundSize == ef && isBefore(found, far, rank)) continue
      if (!pushOpen(at, far, rank)) {
        isWhole = false
        break
      }
      if (isAccepted(at, ord)) pushFound(at, far, rank)
    }
  }
  store<u32>(at, load<u32>(at, COMPARED) + compared, COMPARED)
  return isWhole
}

/**
 * Finds the vectors nearest to the query that are accepted, in no order; where there are groups, the nearest
 * vector of each of the nearest groups.
 * @returns their number; −1: there were more open nodes than room
 */
export function walkGraph(at: usize): i32 {
  return walkLevel(at, 0, descend(at, 0), NONE) ? foundSize : -1
}

/**
 * Finds the accepted vectors nearest to the query, in no order, around those that are not: in place of such a
 * neighbour its own neighbours are looked at, up to half as many in all as a node has room for. Where none of them
 * is accepted either, the walk goes through the neighbours themselves (after ACORN-1: Patel et al., 2024).
 * @returns their number; −1: there were more open nodes than room
 */
export function walkAround(at: usize): i32 {
  const from = descend(at, 0)
  const level = levelAt(at, 0)
  const nodes = load<u32>(level, NODES)
  const width = load<u32>(level, WIDTH)
  const most = width >> 1
  const seen = load<usize>(at, SEEN)
  const open = load<usize>(at, OPEN)
  const found = load<usize>(at, FOUND)
  const ef = load<u32>(at, EF)
  const fresh = load<usize>(at, FRESH)
  beginWalk(at, level, from, NONE)
  // Rows that are read in place of a neighbour cost about what a comparison does.
  let compared: u32 = 1
  let isWhole = true
  while (openSize > 0 && isWhole) {
    if (foundSize == ef && isBeforeEntry(found, open)) break
    const row = rowOf(level, load<u32>(open, 4))
    popOpen(open)
    touchNext(level, open)
    let news: u32 = 0
    for (let i: u32 = 0; i < width; i++) {
      const rank = load<u32>(row + (<usize>i << 2))
      if (rank >= nodes) break
      if (isAccepted(at, rank) && isNew(seen, rank)) news = addFresh(at, level, fresh, news, rank)
    }
    // Neighbours that are not accepted stand in the list for as long as no accepted one takes their place.
    let passed: u32 = 0
    for (let i: u32 = 0; i < width && news < most; i++) {
      const rank = load<u32>(row + (<usize>i << 2))
      if (rank >= nodes) break
      if (isAccepted(at, rank) || !isNew(seen, rank)) continue
      if (news == 0) passed = addFresh(at, level, fresh, passed, rank)
      compared++
      const beyond = rowOf(level, rank)
      for (let j: u32 = 0; j < width && news < most; j++) {
        const next = load<u32>(beyond + (<usize>j << 2))
        if (next >= nodes) break
        if (isAccepted(at, next) && isNew(seen, next)) news = addFresh(at, level, fresh, news, next)
      }
    }
    const isFinding = news > 0
    const count = isFinding ? news : passed
    compared += count
    const fars = compareFresh(at, level, fresh, count)
    for (let i: u32 = 0; i < count; i++) {
      const rank = load<u32>(fresh + (<usize>i << 2))
      const far = load<f32>(fars + (<usize>i << 2))
      if (foundSize == ef && isBefore(found, far, rank)) continue
      if (!pushOpen(at, far, rank)) {
        isWhole = false
        break
      }
      if (isFinding) pushFound(at, far, rank)
    }
  }
  store<u32>(at, load<u32>(at, COMPARED) + compared, COMPARED)
  return isWhole ? foundSize : -1
}
