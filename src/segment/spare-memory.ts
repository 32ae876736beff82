import type { ArenaRange } from '../store/arena-pool.ts'

/** Allocator of memory for caches, beside a segment's sections. */
export interface SpareMemory {
  /** Allocates in a segment's home arena; null without room. */
  allocateSpare(uid: number, bytes: number): ArenaRange | null
  free(range: ArenaRange): void
  bytesOf(arena: number): Uint8Array
}
