import { randomFillSync } from 'node:crypto'
import { WORD_ENDS } from '../analysis/tokenizer/byte-tokenizer.ts'
import { instantiateKernels, type Kernels } from '../kernels/kernel-module.ts'
import { ARENA_RESERVED_BYTES, type ArenaViews, createArena } from '../store/arena.ts'
import { EngineError } from '../util/errors.ts'

/** log2 of the smallest block. */
const MIN_BITS = 6
/** The longest term, and the bytes that kernels read behind it. */
const SCRATCH_BYTES = 65536
const CLASSES_BYTES = 256
const FIRST_BLOCK = ARENA_RESERVED_BYTES + SCRATCH_BYTES + CLASSES_BYTES

/** Doubles the table of a field's record, or makes room for a term of `bytes` more bytes. */
export type MakeRoom = (
  memory: BufferMemory,
  record: number,
  isTable: boolean,
  bytes: number,
) => void

/**
 * Memory of a write thread's buffers, shared with the kernels: power-of-two blocks with free lists
 * by size. Blocks of earlier buffers are reused, so that a busy thread touches no fresh pages: a
 * page fault costs more than analysing a word.
 */
export class BufferMemory {
  readonly views: ArenaViews
  readonly kernels: Kernels
  /** 64 KiB for use within one call. */
  readonly scratch: number = ARENA_RESERVED_BYTES
  /** Class of each byte in words of ASCII letters and digits. */
  readonly classes: number = ARENA_RESERVED_BYTES + SCRATCH_BYTES
  readonly #free: number[][] = Array.from({ length: 32 }, () => [])
  #next = FIRST_BLOCK
  #taken = 0

  /** @param makeRoom called by a kernel when a field's record needs more room */
  constructor(makeRoom: MakeRoom) {
    const { memory, views } = createArena(0)
    this.views = views
    this.kernels = instantiateKernels(memory)
    this.kernels.hooks.makeRoom = (record, isTable, bytes) =>
      makeRoom(this, record, isTable !== 0, bytes)
    const seeds = randomFillSync(new Uint32Array(3))
    this.kernels.seedHash(seeds[0]!, seeds[1]!, seeds[2]!)
    views.u8.set(WORD_ENDS, this.classes)
  }

  /** Bytes ever allocated: the thread keeps them for later buffers. */
  get allocated(): number {
    return this.#next
  }

  /**
   * Allocates a block with undefined contents.
   * @throws {EngineError} `circuit_breaking_exception`: the memory is full
   */
  allocate(bytes: number): number {
    const bits = bitsOf(bytes)
    const at = this.#free[bits]!.pop() ?? this.#takeFresh(2 ** bits) ?? this.#takeHalf(bits)
    if (at === null)
      throw new EngineError({
        type: 'circuit_breaking_exception',
        reason:
          `the write buffers of this thread hold ${this.#next} bytes and have no room for ` +
          `${2 ** bits} more: refresh or flush the index, or send smaller documents`,
      })
    this.#taken++
    return at
  }

  /** Frees a block of `bytes`; freeing the last one resets the memory. */
  release(at: number, bytes: number): void {
    this.#free[bitsOf(bytes)]!.push(at)
    if (--this.#taken > 0) return
    for (const list of this.#free) list.length = 0
    this.#next = FIRST_BLOCK
  }

  #takeFresh(size: number): number | null {
    const at = this.#next
    if (at + size > this.views.u8.length) return null
    this.#next = at + size
    return at
  }

  /** Splits a larger block; the remaining halves go to their free lists. */
  #takeHalf(bits: number): number | null {
    let larger = bits + 1
    while (larger < this.#free.length && this.#free[larger]!.length === 0) larger++
    const at = this.#free[larger]?.pop()
    if (at === undefined) return null
    while (larger-- > bits) this.#free[larger]!.push(at + 2 ** larger)
    return at
  }

  /** Reallocates the block at `at` to at least `bytes`, copying its first `used` bytes. */
  enlarge(at: number, used: number, oldBytes: number, bytes: number): number {
    const larger = this.allocate(bytes)
    this.views.u8.copyWithin(larger, at, at + used)
    this.release(at, oldBytes)
    return larger
  }

  /** Size of the block that holds this many bytes. */
  roomOf(bytes: number): number {
    return 2 ** bitsOf(bytes)
  }

  /**
   * Calls `use` with a temporary array of zeros: a seal sorts postings in it, and it is larger than
   * the segment.
   */
  withInts<Result>(count: number, use: (ints: Int32Array) => Result): Result {
    const at = this.allocate(4 * count)
    try {
      const ints = this.views.i32.subarray(at >> 2, (at >> 2) + count)
      return use(ints.fill(0))
    } finally {
      this.release(at, 4 * count)
    }
  }
}

function bitsOf(bytes: number): number {
  return Math.max(MIN_BITS, 32 - Math.clz32(Math.max(bytes, 1) - 1))
}
