import { ARENA_RESERVED_BYTES, type Arena, createArena, recycleArena } from './arena.ts'
import { ArenaAllocator } from './arena-allocator.ts'

/** A range of one arena. */
export interface ArenaRange {
  readonly arena: number
  /** Address, a multiple of 256. */
  readonly start: number
  readonly bytes: number
}

/**
 * The arenas of a node and their allocators, used by the coordinating thread alone. A new arena is
 * made when the others are full, and announced to the threads that must see it.
 */
export class ArenaPool {
  readonly #arenas: Arena[] = []
  readonly #allocators: ArenaAllocator[] = []
  readonly #listeners: ((arena: Arena) => void)[] = []

  get arenas(): readonly Arena[] {
    return this.#arenas
  }

  /** Allocated bytes of all arenas. */
  get usedBytes(): number {
    let total = 0
    for (const allocator of this.#allocators) total += allocator.usedBytes
    return total
  }

  /** Bytes of all arenas, most of which nothing has touched. */
  get capacityBytes(): number {
    let total = 0
    for (const { views } of this.#arenas) total += views.u8.length
    return total
  }

  /** Calls the listener for every existing and future arena. */
  onArena(listener: (arena: Arena) => void): void {
    for (const arena of this.#arenas) listener(arena)
    this.#listeners.push(listener)
  }

  /** The first arena with room for `bytes`; a new one if none has. */
  homeFor(bytes: number): number {
    for (let i = 0; i < this.#arenas.length; i++) {
      const capacity = this.#arenas[i]!.views.u8.length
      if (capacity - this.#allocators[i]!.usedBytes > bytes + capacity / 8) return i
    }
    return this.#add()
  }

  /**
   * Allocates in a given arena, the segment's home.
   * @returns null when it has no free range of that size
   */
  allocateIn(arena: number, bytes: number): ArenaRange | null {
    while (this.#arenas.length <= arena) this.#add()
    const start = this.#allocators[arena]!.allocate(bytes)
    return start < 0 ? null : { arena, start, bytes }
  }

  free(range: ArenaRange): void {
    this.#allocators[range.arena]!.free(range.start, range.bytes)
  }

  /** Releases all arenas; none may be used any more. */
  close(): void {
    for (const arena of this.#arenas.splice(0)) recycleArena(arena)
    this.#allocators.length = 0
  }

  #add(): number {
    const index = this.#arenas.length
    const arena = createArena(index)
    this.#arenas.push(arena)
    this.#allocators.push(new ArenaAllocator(ARENA_RESERVED_BYTES, arena.views.u8.length))
    for (const listener of this.#listeners) listener(arena)
    return index
  }
}
