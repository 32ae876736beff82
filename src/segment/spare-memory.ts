import type { ArenaRange } from '../store/arena-pool.ts'

/** Memory for what can be made again, beside a segment's sections. */
export interface SpareMemory {
  /** In the home arena of a segment that is searched; null where there is no room to spare. */
  allocateSpare(uid: number, bytes: number): ArenaRange | null
  free(range: ArenaRange): void
  bytesOf(arena: number): Uint8Array
}
