import type { SpareMemory } from '../../src/segment/spare-memory.ts'
import type { TestArena } from './test-arena.ts'

/** Memory beside the sections of an arena's leaves, which are known by their uid. */
export function spareMemory(arena: TestArena): SpareMemory {
  return {
    allocateSpare(uid, bytes) {
      arena.beginLeaf(uid)
      return { arena: 0, start: arena.allocate(bytes), bytes }
    },
    free({ start, bytes }) {
      // Who still used it would find documents that do not match.
      arena.views.u8.fill(0xa5, start, start + bytes)
    },
    bytesOf: () => arena.views.u8,
  }
}
