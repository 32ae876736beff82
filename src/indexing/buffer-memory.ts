import { randomFillSync } from 'node:crypto'
import { WORD_ENDS } from '../analysis/tokenizer/byte-tokenizer.ts'
import { instantiateKernels, type Kernels } from '../kernels/kernel-module.ts'
import { ARENA_RESERVED_BYTES, type ArenaViews, createArena } from '../store/arena.ts'
import { EngineError } from '../util/errors.ts'

/** Sizes are powers of two from this one on. */
const LEAST_BITS = 6
/** Room for the longest term, and what the kernels read behind it. */
const SCRATCH_BYTES = 65536
const CLASSES_BYTES = 256
const FIRST_BLOCK = ARENA_RESERVED_BYTES + SCRATCH_BYTES + CLASSES_BYTES

/** Gives a field's record a table of twice the size, or room for a term of `bytes` more bytes. */
export type MakeRoom = (
  memory: BufferMemory,
  record: number,
  isTable: boolean,
  bytes: number,
) => void

/**
 * The memory of a write thread's buffers, which the kernels see: blocks of a power of two, given
 * back to lists by size. What the buffers of before took is taken again, so that a thread in full
 * swing touches no fresh page: one costs more than analysing a word.
 */
export class BufferMemory {
  readonly views: ArenaViews
  readonly kernels: Kernels
  /** 64 KiB for what lasts no longer than a call. */
  readonly scratch: number = ARENA_RESERVED_BYTES
  /** What each byte does to words of ASCII letters and digits. */
  readonly classes: number = ARENA_RESERVED_BYTES + SCRATCH_BYTES
  readonly #free: number[][] = Array.from({ length: 32 }, () => [])
  #next = FIRST_BLOCK
  #taken = 0

  /** @param makeRoom what a kernel calls when a field's record needs more room */
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

  /** Bytes that were ever taken: what the thread keeps for later buffers. */
  get allocated(): number {
    return this.#next
  }

  /**
   * Takes a block; what it holds is anything.
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

  /** Gives a block of `bytes` back; with the last one all is as at the start. */
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

  /** The first part of a larger block; its other parts go to their lists. */
  #takeHalf(bits: number): number | null {
    let larger = bits + 1
    while (larger < this.#free.length && this.#free[larger]!.length === 0) larger++
    const at = this.#free[larger]?.pop()
    if (at === undefined) return null
    while (larger-- > bits) this.#free[larger]!.push(at + 2 ** larger)
    return at
  }

  /** A block of at least `bytes` that begins like `used` bytes of the one at `at`, which goes. */
  enlarge(at: number, used: number, oldBytes: number, bytes: number): number {
    const larger = this.allocate(bytes)
    this.views.u8.copyWithin(larger, at, at + used)
    this.release(at, oldBytes)
    return larger
  }

  /** What a block of so many bytes really holds. */
  roomOf(bytes: number): number {
    return 2 ** bitsOf(bytes)
  }

  /**
   * Has `use` fill integers, all 0 to begin with, and takes them back behind it: what a seal sorts
   * postings in is larger than the segment.
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
  return Math.max(LEAST_BITS, 32 - Math.clz32(Math.max(bytes, 1) - 1))
}
