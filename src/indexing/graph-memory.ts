import { instantiateKernels, type Kernels } from '../kernels/kernel-module.ts'
import { type ArenaViews, viewsOf } from '../store/arena.ts'

const PAGE_BYTES = 65536
const MAX_PAGES = 32768
const ALIGNMENT = 64
/** A memory that grew beyond this is not kept for the next graph. */
const KEPT_BYTES = 256 << 20

/** A thread's own memory, in which it makes one graph after the other. */
export class GraphMemory {
  views: ArenaViews
  readonly kernels: Kernels
  readonly #memory: WebAssembly.Memory
  #next = PAGE_BYTES

  constructor() {
    this.#memory = new WebAssembly.Memory({ initial: 1, maximum: MAX_PAGES, shared: true })
    this.kernels = instantiateKernels(this.#memory)
    this.views = viewsOf(this.#memory.buffer)
  }

  get bytes(): number {
    return this.views.u8.length
  }

  /** Makes room for so many bytes and frees all that was allocated. @returns false: there is none */
  reset(bytes: number): boolean {
    const missing = Math.ceil((PAGE_BYTES + bytes - this.bytes) / PAGE_BYTES)
    this.#next = PAGE_BYTES
    if (missing <= 0) return true
    if (this.bytes / PAGE_BYTES + missing > MAX_PAGES) return false
    try {
      this.#memory.grow(missing)
    } catch (error) {
      // The machine has no more.
      if (error instanceof RangeError) return false
      throw error
    }
    this.views = viewsOf(this.#memory.buffer)
    return true
  }

  /** The address of so many bytes, a multiple of 64, within what `reset` made room for. */
  allocate(bytes: number): number {
    const at = this.#next
    this.#next += alignedBytes(bytes)
    return at
  }
}

/** Bytes that an allocation takes. */
export function alignedBytes(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT
}

let kept: GraphMemory | null = null

/**
 * Runs a step with the thread's memory.
 * @returns null without room
 */
export function withGraphMemory<T>(bytes: number, step: (memory: GraphMemory) => T): T | null {
  kept ??= newMemory()
  const memory = kept
  if (memory === null) return null
  if (!memory.reset(bytes)) {
    kept = null
    return null
  }
  try {
    return step(memory)
  } finally {
    if (memory.bytes > KEPT_BYTES) kept = null
  }
}

/** Null where the machine has no addresses left for it. */
function newMemory(): GraphMemory | null {
  try {
    return new GraphMemory()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
