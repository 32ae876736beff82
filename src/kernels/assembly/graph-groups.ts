/**
 * The nearest groups of nodes, while a graph is walked: of the vectors of one whole document only the nearest
 * counts, so that as many documents are found as are asked for, however many vectors each has (as Lucene's
 * collector of diverse children does). A heap, the farthest on top, and a table by group in which each entry's
 * place in the heap is found.
 *
 *   entry := f32 distance, u32 rank, u32 slot of the group, u32 0
 *   slot  := u32 group, u32 index of its entry; a group of 2³²−1: the slot is empty
 */

const NONE: u32 = 0xffffffff

@inline function entryAt(heap: usize, index: u32): usize {
  return heap + (<usize>index << 4)
}

@inline function slotAt(slots: usize, slot: u32): usize {
  return slots + (<usize>slot << 3)
}

/** The slot at which the search for a group begins. @param mask the number of slots, a power of 2, less 1 */
@inline function homeOf(group: u32, mask: u32): u32 {
  const mixed = group * 0x9e3779b1
  return (mixed ^ (mixed >> 15)) & mask
}

/** Whether a distance and a rank come before others. */
@inline function isBefore(far: f32, rank: u32, otherFar: f32, otherRank: u32): bool {
  return far < otherFar || (far == otherFar && rank < otherRank)
}

/** Empties the table. */
export function clearGroups(slots: usize, mask: u32): void {
  memory.fill(slots, 0xff, (<usize>mask + 1) << 3)
}

/**
 * The group of a document: the first whole one from it on.
 * @param parents bits by document, of those that are whole; the last one is
 */
@inline export function groupOf(parents: usize, doc: u32): u32 {
  let at = parents + (<usize>(doc >> 5) << 2)
  let word = load<u32>(at) >> (doc & 31)
  if (word) return doc + ctz<u32>(word)
  do {
    at += 4
    word = load<u32>(at)
  } while (!word)
  return (<u32>((at - parents) >> 2) << 5) + ctz<u32>(word)
}

/** Writes an entry, and its place into its slot. */
@inline function put(heap: usize, slots: usize, index: u32, far: f32, rank: u32, slot: u32): void {
  const entry = entryAt(heap, index)
  store<f32>(entry, far)
  store<u32>(entry, rank, 4)
  store<u32>(entry, slot, 8)
  store<u32>(slotAt(slots, slot), index, 4)
}

/** Puts an entry at a place or below it. */
function sink(
  heap: usize,
  size: u32,
  slots: usize,
  from: u32,
  far: f32,
  rank: u32,
  slot: u32,
): void {
  let index = from
  for (;;) {
    let child: u32 = 2 * index + 1
    if (child >= size) break
    let below = entryAt(heap, child)
    if (child + 1 < size) {
      const other = entryAt(heap, child + 1)
      if (isBefore(load<f32>(below), load<u32>(below, 4), load<f32>(other), load<u32>(other, 4))) {
        child++
        below = other
      }
    }
    const childFar = load<f32>(below)
    const childRank = load<u32>(below, 4)
    if (isBefore(childFar, childRank, far, rank)) break
    put(heap, slots, index, childFar, childRank, load<u32>(below, 8))
    index = child
  }
  put(heap, slots, index, far, rank, slot)
}

/** Puts an entry at a place or above it. */
function rise(heap: usize, slots: usize, from: u32, far: f32, rank: u32, slot: u32): void {
  let index = from
  while (index > 0) {
    const up = (index - 1) >> 1
    const above = entryAt(heap, up)
    const upFar = load<f32>(above)
    const upRank = load<u32>(above, 4)
    if (!isBefore(upFar, upRank, far, rank)) break
    put(heap, slots, index, upFar, upRank, load<u32>(above, 8))
    index = up
  }
  put(heap, slots, index, far, rank, slot)
}

/** Empties a slot; those behind it that were searched for past it move up, so that no search ends too early. */
function emptySlot(heap: usize, slots: usize, mask: u32, slot: u32): void {
  let hole = slot
  let next = (slot + 1) & mask
  for (;;) {
    const at = slotAt(slots, next)
    const group = load<u32>(at)
    if (group == NONE) break
    const passed = (next - homeOf(group, mask)) & mask
    if (passed >= ((next - hole) & mask)) {
      const index = load<u32>(at, 4)
      store<u32>(slotAt(slots, hole), group)
      store<u32>(slotAt(slots, hole), index, 4)
      store<u32>(entryAt(heap, index), hole, 8)
      hole = next
    }
    next = (next + 1) & mask
  }
  store<u32>(slotAt(slots, hole), NONE)
}

/** The slot of a group, or the empty one in which it would stand. There is always an empty one. */
@inline function findSlot(slots: usize, mask: u32, group: u32): u32 {
  let slot = homeOf(group, mask)
  let own = load<u32>(slotAt(slots, slot))
  while (own != group && own != NONE) {
    slot = (slot + 1) & mask
    own = load<u32>(slotAt(slots, slot))
  }
  return slot
}

/**
 * Adds a node of a group, in place of the group's own where it is nearer than that. Where there are enough groups,
 * a new one takes the place of the farthest.
 * @param far  not behind the farthest where there are enough
 * @param size of the heap
 * @param most groups, fewer than there are slots
 * @returns the heap's new size
 */
export function pushGroup(
  heap: usize,
  size: u32,
  most: u32,
  slots: usize,
  mask: u32,
  far: f32,
  rank: u32,
  group: u32,
): u32 {
  let slot = findSlot(slots, mask, group)
  if (load<u32>(slotAt(slots, slot)) == group) {
    const index = load<u32>(slotAt(slots, slot), 4)
    const own = entryAt(heap, index)
    if (isBefore(far, rank, load<f32>(own), load<u32>(own, 4)))
      sink(heap, size, slots, index, far, rank, slot)
    return size
  }
  if (size == most) {
    emptySlot(heap, slots, mask, load<u32>(heap, 8))
    slot = findSlot(slots, mask, group)
    store<u32>(slotAt(slots, slot), group)
    sink(heap, size, slots, 0, far, rank, slot)
    return size
  }
  store<u32>(slotAt(slots, slot), group)
  rise(heap, slots, size, far, rank, slot)
  return size + 1
}
