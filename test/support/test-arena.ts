import { crc32 } from 'node:zlib'
import type { Section } from '../../src/codec/section.ts'
import { instantiateKernels, type Kernels } from '../../src/kernels/kernel-module.ts'
import { Scratch } from '../../src/segment/scratch.ts'
import { type ArenaViews, createMemory, viewsOf } from '../../src/store/arena.ts'
import { CheckedMemory } from './checked-memory.ts'

/** A small shared memory with kernels and scratch of its own, for tests on one thread. */
export interface TestArena {
  readonly memory: WebAssembly.Memory
  readonly views: ArenaViews
  readonly kernels: Kernels
  readonly scratch: Scratch
  /** What a leaf gets: in a checked arena they read nothing but its own ranges and scratch. */
  kernelsOf(leaf: number): Kernels
  /** From here on ranges belong to this leaf. */
  beginLeaf(leaf: number): void
  /** Takes a range, its address a multiple of 64. */
  allocate(bytes: number): number
  /** Copies a section's bytes in. */
  section(bytes: Uint8Array, name?: string): Section
  /** Where what was allocated ends. */
  end(): number
  /** Checksum of what was allocated, up to an end that may lie back: no search may change it. */
  checksum(end?: number): number
  /** Gives everything that was allocated back. */
  clear(): void
}

const SCRATCH_BYTES = 4 << 20
/** Between the ranges of a checked arena. */
const GAP_BYTES = 256

/** @param bytes a multiple of 64 KiB */
export function testArena(bytes = 64 << 20): TestArena {
  const memory = createMemory(bytes)
  const kernels = instantiateKernels(memory)
  return arenaOver(memory, viewsOf(memory.buffer), kernels, bytes, null)
}

/**
 * The same over the debug build of the kernels, which throws a `StrayAccess` when a call touches what is
 * not its own: ranges have the length that was asked for, to the byte, and lie apart.
 * @param checksReads false: only writes are held to it
 */
export function checkedArena(bytes: number, checksReads: boolean): TestArena {
  const checked = new CheckedMemory(bytes, checksReads)
  return arenaOver(checked.memory, checked.views, checked.kernelsOf(0), bytes, checked)
}

function arenaOver(
  memory: WebAssembly.Memory,
  views: ArenaViews,
  kernels: Kernels,
  bytes: number,
  checked: CheckedMemory | null,
): TestArena {
  const first = 65536 + SCRATCH_BYTES
  let next = first
  let leaf = 0
  const allocate = (size: number): number => {
    const at = next
    next += Math.ceil(Math.max(size, 1) / 64) * 64
    if (checked !== null) next += GAP_BYTES
    if (next > bytes) throw new RangeError('the test arena is full')
    checked?.give(at, size, leaf)
    return at
  }
  return {
    memory,
    views,
    kernels,
    scratch: checked?.scratch(65536, SCRATCH_BYTES) ?? new Scratch(65536, SCRATCH_BYTES),
    kernelsOf: number => checked?.kernelsOf(number) ?? kernels,
    beginLeaf(number) {
      leaf = number
    },
    allocate,
    section(content, name = 'test') {
      const start = allocate(content.length)
      views.u8.set(content, start)
      return { views, start, length: content.length, name }
    },
    end: () => next,
    checksum(end = next) {
      return crc32(views.u8.subarray(first, end))
    },
    clear() {
      checked?.take(first, next - first)
      next = first
      leaf = 0
    },
  }
}
