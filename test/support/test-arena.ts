import { crc32 } from 'node:zlib'
import type { Section } from '../../src/codec/section.ts'
import { instantiateKernels, type Kernels } from '../../src/kernels/kernel-module.ts'
import { Scratch } from '../../src/segment/scratch.ts'
import { type ArenaViews, createMemory, viewsOf } from '../../src/store/arena.ts'

/** A small shared memory with kernels and scratch of its own, for tests on one thread. */
export interface TestArena {
  readonly memory: WebAssembly.Memory
  readonly views: ArenaViews
  readonly kernels: Kernels
  readonly scratch: Scratch
  /** Takes a range, its address a multiple of 64. */
  allocate(bytes: number): number
  /** Copies a section's bytes in. */
  section(bytes: Uint8Array, name?: string): Section
  /** Checksum of all that was allocated: no search may change it. */
  checksum(): number
  /** Gives everything that was allocated back. */
  clear(): void
}

const SCRATCH_BYTES = 4 << 20

/** @param bytes a multiple of 64 KiB */
export function testArena(bytes = 64 << 20): TestArena {
  const memory = createMemory(bytes)
  const views = viewsOf(memory.buffer)
  const first = 65536 + SCRATCH_BYTES
  let next = first
  const allocate = (size: number): number => {
    const at = next
    next += Math.ceil(Math.max(size, 1) / 64) * 64
    if (next > bytes) throw new RangeError('the test arena is full')
    return at
  }
  return {
    memory,
    views,
    kernels: instantiateKernels(memory),
    scratch: new Scratch(65536, SCRATCH_BYTES),
    allocate,
    section(content, name = 'test') {
      const start = allocate(content.length)
      views.u8.set(content, start)
      return { views, start, length: content.length, name }
    },
    checksum() {
      return crc32(views.u8.subarray(first, next))
    },
    clear() {
      next = first
    },
  }
}
