/**
 * Walks and makes graphs of neighbouring vectors: hierarchical navigable small worlds (Malkov and
 * Yashunin, 2018). A level is an array of rows of neighbours, ended by a number that no node has.
 *
 * Nodes of a level have ranks, which links name; on the lowest level a node's rank is its vector's ord.
 * Distances are float32, the lower the nearer, and in the order of the space's; sums that are no numbers
 * are the farthest. All steps are taken in one order, so that the same bytes give the same walk.
 */
import { dotFour } from './code-bounds'
import { clearGroups, groupOf, pushGroup } from './graph-groups'
import { differingBits, dotBytes, dotFloats, dotWide, squaredFloats } from './vectors'

// Offsets of the record, which `codec/vector-graph/graph-record.ts` writes.
/** 0: bytes in steps; 1: float32; 2: bits. */
const KIND: usize = 0
/** 0: differences; 1: angles; 2: products. */
const SPACE: usize = 4
const ROWS: usize = 8
const ROW_BYTES: usize = 12
/** f32 for each vector: the sum of its squares; 0: there are none. */
const SQUARES: usize = 16
/** f32: the value of one step of a vector's bytes. */
const STEPS: usize = 20
/** Bytes from one vector's step to the next; 0: all have one. */
const STEP_STRIDE: usize = 24
/** Levels from the lowest on, `LEVEL_BYTES` each. */
const LEVELS: usize = 28
/** The number of the highest level, and the rank of the node there at which walks begin. */
const TOP: usize = 32
const ENTRY: usize = 36
/** The vector that others are compared with. */
const QUERY: usize = 40
const QUERY_STEP: usize = 44
const QUERY_SQUARE: usize = 48
/** Bits by rank: of nodes that a walk has seen. */
const SEEN: usize = 52
/** Room for entries: nodes whose neighbours are still to be seen, a heap, the nearest on top. */
const OPEN: usize = 56
const OPEN_ROOM: usize = 60
/** Room for `EF` entries: the nearest nodes, or the nearest of each group; a heap, the farthest on top. */
const FOUND: usize = 64
const EF: usize = 68
/** Bits by document, of those that may be found; 0: all may be. */
const ACCEPTED: usize = 72
/** u32: the document of each vector; 0: documents are their own ords. */
const DOCS: usize = 76
/** Comparisons that were made, added up. */
const COMPARED: usize = 80
/** While a graph is made: entries of candidates in order, `EF` and a row, and those chosen of them. */
const SORTED: usize = 84
const CHOSEN: usize = 88
/** The most neighbours that a node begins with. */
const M: usize = 92
/** Room for the ranks of a row, u32 each, and behind them for their distances, f32 each. */
const FRESH: usize = 96
/** Bits by document, of the whole ones: of each one's vectors only the nearest is found; 0: all may be. */
const PARENTS: usize = 100
/** Room for the table of groups, and its number of slots less 1; entries of `FOUND` have 16 bytes then. */
const SLOTS: usize = 104
const SLOT_MASK: usize = 108
/** Of bytes: the vector that others are compared with, two bytes for each component. */
const WIDE: usize = 112

// Offsets of a level.
const LEVEL_BYTES: usize = 32
const NODES: usize = 0
/** u32: the vector of each node; 0: its rank. */
const ORDS: usize = 4
/** u32: the rank of each node on the level below; not of the lowest. */
const BELOW: usize = 8
/** Rows of `WIDTH` u32 each. */
const LINKS: usize = 12
const WIDTH: usize = 16
/** f32 for each link: its length; only while the graph is made. */
const LENGTHS: usize = 20

const NONE: u32 = 0xffffffff

// The heaps: an entry is f32 distance, u32 rank. Their sizes are those of the walk that is going on.
let openSize: u32 = 0
let foundSize: u32 = 0
/** Keeps the reads of `touch` alive. */
let touched: u32 = 0

@inline function levelAt(at: usize, level: u32): usize {
  return load<usize>(at, LEVELS) + <usize>level * LEVEL_BYTES
}

@inline function ordOf(level: usize, rank: u32): u32 {
  const ords = load<usize>(level, ORDS)
  return ords ? load<u32>(ords + (<usize>rank << 2)) : rank
}

@inline function rowOf(level: usize, rank: u32): usize {
  return load<usize>(level, LINKS) + ((<usize>rank * <usize>load<u32>(level, WIDTH)) << 2)
}

@inline function stepOf(at: usize, ord: u32): f32 {
  return load<f32>(load<usize>(at, STEPS) + <usize>ord * load<usize>(at, STEP_STRIDE))
}

@inline function squareOf(at: usize, ord: u32): f32 {
  return load<f32>(load<usize>(at, SQUARES) + (<usize>ord << 2))
}

@inline function vectorOf(at: usize, ord: u32): usize {
  return load<usize>(at, ROWS) + <usize>ord * load<usize>(at, ROW_BYTES)
}

/** How far a vector of a product with another one is from it. */
@inline function byProduct(at: usize, dot: f32, square: f32, ord: u32): f32 {
  return load<u32>(at, SPACE) == 0 ? square + squareOf(at, ord) - 2 * dot : -dot
}

/** The distance of a sum: of its angle where the space measures angles; always a number. */
@inline function finished(at: usize, sum: f32, square: f32, ord: u32): f32 {
  let found = sum
  if (load<u32>(at, SPACE) == 1) {
    const product = square * squareOf(at, ord)
    found = product > 0 ? found / sqrt<f32>(product) : 0
  }
  return found == found ? found : f32.MAX_VALUE
}

/** How far a vector is from a row that has a step and a square. */
function distance(at: usize, row: usize, step: f32, square: f32, ord: u32): f32 {
  const kind = load<u32>(at, KIND)
  const bytes = load<usize>(at, ROW_BYTES)
  const other = vectorOf(at, ord)
  if (kind == 2) return <f32>differingBits(row, other, bytes)
  let found: f32
  if (kind == 1) {
    if (load<u32>(at, SPACE) == 0) found = squaredFloats(row, other, bytes)
    else found = -dotFloats(row, other, bytes)
  } else {
    const dot = <f32>dotBytes(row, other, bytes) * step * stepOf(at, ord)
    found = byProduct(at, dot, square, ord)
  }
  return finished(at, found, square, ord)
}

function fromQuery(at: usize, ord: u32): f32 {
  const square = load<f32>(at, QUERY_SQUARE)
  if (load<u32>(at, KIND) != 0) return distance(at, load<usize>(at, QUERY), 0, square, ord)
  const sum = dotWide(load<usize>(at, WIDE), vectorOf(at, ord), load<usize>(at, ROW_BYTES))
  const dot = <f32>sum * load<f32>(at, QUERY_STEP) * stepOf(at, ord)
  return finished(at, byProduct(at, dot, square, ord), square, ord)
}

@inline function four(at: usize, a: usize, b: usize, c: usize, d: usize): v128 {
  let lanes = f32x4.splat(load<f32>(at + a))
  lanes = f32x4.replace_lane(lanes, 1, load<f32>(at + b))
  lanes = f32x4.replace_lane(lanes, 2, load<f32>(at + c))
  return f32x4.replace_lane(lanes, 3, load<f32>(at + d))
}

/** The distances of four vectors of bytes from the query, each as `distance` has it. */
function fourFromQuery(at: usize, a: u32, b: u32, c: u32, d: u32): v128 {
  const dots = dotFour(
    load<usize>(at, WIDE),
    vectorOf(at, a),
    vectorOf(at, b),
    vectorOf(at, c),
    vectorOf(at, d),
    load<usize>(at, ROW_BYTES),
  )
  const space = load<u32>(at, SPACE)
  const stride = load<usize>(at, STEP_STRIDE)
  const steps = four(
    load<usize>(at, STEPS),
    <usize>a * stride,
    <usize>b * stride,
    <usize>c * stride,
    <usize>d * stride,
  )
  const products = f32x4.mul(
    f32x4.mul(f32x4.convert_i32x4_s(dots), f32x4.splat(load<f32>(at, QUERY_STEP))),
    steps,
  )
  const at4 = load<usize>(at, SQUARES)
  const squares = four(at4, <usize>a << 2, <usize>b << 2, <usize>c << 2, <usize>d << 2)
  const square = f32x4.splat(load<f32>(at, QUERY_SQUARE))
  let found: v128
  if (space == 0)
    found = f32x4.sub(f32x4.add(square, squares), f32x4.mul(f32x4.splat(2), products))
  else found = f32x4.neg(products)
  if (space == 1) {
    const product = f32x4.mul(square, squares)
    found = v128.and(
      f32x4.div(found, f32x4.sqrt(product)),
      f32x4.gt(product, f32x4.splat(0)),
    )
  }
  return v128.bitselect(found, f32x4.splat(f32.MAX_VALUE), f32x4.eq(found, found))
}

/**
 * Compares the query with nodes of a level: writes the distance of each behind the list.
 * @param fresh the list of their ranks
 * @returns where the distances start
 */
function compareFresh(at: usize, level: usize, fresh: usize, count: u32): usize {
  const fars = fresh + (<usize>load<u32>(level, WIDTH) << 2)
  let i: u32 = 0
  if (load<u32>(at, KIND) == 0)
    for (; i < count; i += 4) {
      const place = <usize>i << 2
      // The first one stands in for those that are missing of four.
      const a = ordOf(level, load<u32>(fresh + place))
      const b = i + 1 < count ? ordOf(level, load<u32>(fresh + place, 4)) : a
      const c = i + 2 < count ? ordOf(level, load<u32>(fresh + place, 8)) : a
      const d = i + 3 < count ? ordOf(level, load<u32>(fresh + place, 12)) : a
      v128.store(fars + place, fourFromQuery(at, a, b, c, d))
    }
  else
    for (; i < count; i++)
      store<f32>(
        fars + (<usize>i << 2),
        fromQuery(at, ordOf(level, load<u32>(fresh + (<usize>i << 2)))),
      )
  return fars
}

/** Makes a vector the one that others are compared with. */
@inline function takeAsQuery(at: usize, ord: u32): void {
  const row = vectorOf(at, ord)
  store<usize>(at, row, QUERY)
  if (load<u32>(at, KIND) == 0) {
    store<f32>(at, stepOf(at, ord), QUERY_STEP)
    const wide = load<usize>(at, WIDE)
    const bytes = load<usize>(at, ROW_BYTES)
    for (let from: usize = 0; from < bytes; from += 8)
      v128.store(wide + (from << 1), v128.load_ext<i8>(row + from))
  }
  if (load<usize>(at, SQUARES)) store<f32>(at, squareOf(at, ord), QUERY_SQUARE)
}

@inline function entryAt(list: usize, index: u32): usize {
  return list + (<usize>index << 3)
}

@inline function put(entry: usize, far: f32, rank: u32): void {
  store<f32>(entry, far)
  store<u32>(entry, rank, 4)
}

/** Whether an entry comes before a node in the order of distances and, of equal ones, of ranks. */
@inline function isBefore(entry: usize, far: f32, rank: u32): bool {
  const own = load<f32>(entry)
  return own < far || (own == far && load<u32>(entry, 4) < rank)
}

@inline function isBeforeEntry(entry: usize, other: usize): bool {
  return isBefore(entry, load<f32>(other), load<u32>(other, 4))
}

/** Adds to the heap of open nodes. @returns whether there was room */
function pushOpen(at: usize, far: f32, rank: u32): bool {
  if (openSize == load<u32>(at, OPEN_ROOM)) return false
  const heap = load<usize>(at, OPEN)
  let index: u32 = openSize++
  while (index > 0) {
    const up = (index - 1) >> 1
    const above = entryAt(heap, up)
    if (isBefore(above, far, rank)) break
    put(entryAt(heap, index), load<f32>(above), load<u32>(above, 4))
    index = up
  }
  put(entryAt(heap, index), far, rank)
  return true
}

/** Takes the nearest open node away, which the caller has read. */
function popOpen(heap: usize): void {
  const last = entryAt(heap, --openSize)
  const far = load<f32>(last)
  const rank = load<u32>(last, 4)
  let index: u32 = 0
  for (;;) {
    let child: u32 = 2 * index + 1
    if (child >= openSize) break
    if (child + 1 < openSize && isBeforeEntry(entryAt(heap, child + 1), entryAt(heap, child)))
      child++
    const below = entryAt(heap, child)
    if (!isBefore(below, far, rank)) break
    put(entryAt(heap, index), load<f32>(below), load<u32>(below, 4))
    index = child
  }
  put(entryAt(heap, index), far, rank)
}

/** Adds to the nearest, in place of the farthest where there are enough. */
function pushFound(at: usize, far: f32, rank: u32): void {
  const heap = load<usize>(at, FOUND)
  const parents = load<usize>(at, PARENTS)
  if (parents) {
    // Only the lowest level is walked for groups, whose ranks are ords.
    const group = groupOf(parents, docOf(at, rank))
    const most = load<u32>(at, EF)
    const slots = load<usize>(at, SLOTS)
    const mask = load<u32>(at, SLOT_MASK)
    foundSize = pushGroup(heap, foundSize, most, slots, mask, far, rank, group)
    return
  }
  if (foundSize < load<u32>(at, EF)) {
    let index: u32 = foundSize++
    while (index > 0) {
      const up = (index - 1) >> 1
      const above = entryAt(heap, up)
      if (!isBefore(above, far, rank)) break
      put(entryAt(heap, index), load<f32>(above), load<u32>(above, 4))
      index = up
    }
    put(entryAt(heap, index), far, rank)
  } else sinkFound(heap, far, rank)
}

/** Puts an entry in the place of the farthest. */
function sinkFound(heap: usize, far: f32, rank: u32): void {
  let index: u32 = 0
  for (;;) {
    let child: u32 = 2 * index + 1
    if (child >= foundSize) break
    if (child + 1 < foundSize && isBeforeEntry(entryAt(heap, child), entryAt(heap, child + 1)))
      child++
    const below = entryAt(heap, child)
    if (isBefore(below, far, rank)) break
    put(entryAt(heap, index), load<f32>(below), load<u32>(below, 4))
    index = child
  }
  put(entryAt(heap, index), far, rank)
}

@inline function touch(at: usize, ord: u32): void {
  const vector = vectorOf(at, ord)
  const end = vector + load<usize>(at, ROW_BYTES)
  for (let line = vector; line < end; line += 64) touched += load<u32>(line)
  if (load<u32>(at, KIND) != 0) return
  touched += load<u32>(load<usize>(at, STEPS) + <usize>ord * load<usize>(at, STEP_STRIDE))
  touched += load<u32>(load<usize>(at, SQUARES) + (<usize>ord << 2))
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

@inline function docOf(at: usize, ord: u32): u32 {
  const docs = load<usize>(at, DOCS)
  return docs ? load<u32>(docs + (<usize>ord << 2)) : ord
}

@inline function isAccepted(at: usize, ord: u32): bool {
  const bits = load<usize>(at, ACCEPTED)
  if (!bits) return true
  const doc = docOf(at, ord)
  return ((load<u32>(bits + (<usize>(doc >> 5) << 2)) >> (doc & 31)) & 1) != 0
}

/** The nearest node of a level, by single steps from the highest one down; its rank there. */
function descend(at: usize, to: u32): u32 {
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
  openSize = 0
  foundSize = 0
  if (load<usize>(at, PARENTS)) clearGroups(load<usize>(at, SLOTS), load<u32>(at, SLOT_MASK))
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
function walkLevel(at: usize, number: u32, from: u32, skipped: u32): bool {
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

/** Moves what was found into the list of candidates, the nearest first. */
function sortFound(at: usize): u32 {
  const heap = load<usize>(at, FOUND)
  const sorted = load<usize>(at, SORTED)
  const count = foundSize
  for (let i = count; i > 0; i--) {
    put(entryAt(sorted, i - 1), load<f32>(heap), load<u32>(heap, 4))
    const last = entryAt(heap, --foundSize)
    sinkFound(heap, load<f32>(last), load<u32>(last, 4))
  }
  return count
}

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
