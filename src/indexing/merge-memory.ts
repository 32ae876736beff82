import { instantiateKernels, type Kernels } from '../kernels/kernel-module.ts'
import type { WholeSegmentMemory } from '../segment/open-segment.ts'
import { Scratch } from '../segment/scratch.ts'
import { ARENA_RESERVED_BYTES, type ArenaViews, createArena } from '../store/arena.ts'

const SCRATCH_BYTES = 1 << 20

/** A merge thread's own arena, in which it opens the segments to merge. */
export class MergeMemory implements WholeSegmentMemory {
  readonly views: ArenaViews
  readonly kernels: Kernels
  readonly scratch: Scratch
  readonly #first = ARENA_RESERVED_BYTES + SCRATCH_BYTES
  #next = this.#first

  constructor() {
    const { memory, views } = createArena(0)
    this.views = views
    this.kernels = instantiateKernels(memory)
    this.scratch = new Scratch(ARENA_RESERVED_BYTES, SCRATCH_BYTES)
  }

  /** Allocates a range at a multiple of 64. */
  allocate(bytes: number): number {
    const at = this.#next
    const next = at + Math.ceil(Math.max(bytes, 1) / 64) * 64
    if (next > this.views.u8.length)
      throw new RangeError('the segments to merge do not fit an arena together')
    this.#next = next
    return at
  }

  /** Frees everything. */
  clear(): void {
    this.#next = this.#first
    this.scratch.reset()
  }
}
