/**
 * The heaps of the walk that is going on: nodes whose neighbours are still to be seen, the nearest on top, and the
 * nearest that were found, the farthest on top. An entry is f32 distance, u32 rank.
 */
import { clearGroups, groupOf, pushGroup } from './graph-groups'
import {
  EF,
  FOUND,
  OPEN,
  OPEN_ROOM,
  PARENTS,
  SLOT_MASK,
  SLOTS,
  SORTED,
  docOf,
} from './graph-record'

/** Entries of each heap. */
export let openSize: u32 = 0
export let foundSize: u32 = 0

/** Empties both heaps. */
@inline export function clearHeaps(at: usize): void {
  openSize = 0
  foundSize = 0
  if (load<usize>(at, PARENTS)) clearGroups(load<usize>(at, SLOTS), load<u32>(at, SLOT_MASK))
}

/** Address of an entry. */
@inline export function entryAt(list: usize, index: u32): usize {
  return list + (<usize>index << 3)
}

/** Writes an entry. */
@inline export function put(entry: usize, far: f32, rank: u32): void {
  store<f32>(entry, far)
  store<u32>(entry, rank, 4)
}

/** Whether an entry comes before a node in the order of distances and, of equal ones, of ranks. */
@inline export function isBefore(entry: usize, far: f32, rank: u32): bool {
  const own = load<f32>(entry)
  return own < far || (own == far && load<u32>(entry, 4) < rank)
}

/** The same of two entries. */
@inline export function isBeforeEntry(entry: usize, other: usize): bool {
  return isBefore(entry, load<f32>(other), load<u32>(other, 4))
}

/** Adds to the heap of open nodes. @returns whether there was room */
export function pushOpen(at: usize, far: f32, rank: u32): bool {
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
export function popOpen(heap: usize): void {
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
export function pushFound(at: usize, far: f32, rank: u32): void {
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

/** Moves what was found into the list of candidates, the nearest first. */
export function sortFound(at: usize): u32 {
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
