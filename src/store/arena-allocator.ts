/**
 * Allocator of one arena, on the coordinating thread alone. Best fit with coalescing: the smallest
 * sufficient free range, of equal ones the lowest, so that touched pages are reused first. Sizes
 * are rounded up to 4 KiB below 1 MiB and to 64 KiB above; up to 3 KiB they lie in slabs of
 * 256-byte classes, so that a thousand small segments do not take a page each.
 */

const SMALL_STEP = 256
const SMALL_LIMIT = 3072
const SLAB_BYTES = 65536
const PAGE_STEP = 4096
const LARGE_STEP = 65536
const LARGE_LIMIT = 1 << 20

/** A range of free bytes. */
interface FreeRange {
  start: number
  end: number
}

/** Allocates ranges of one arena. */
export class ArenaAllocator {
  readonly #start: number
  /** Free ranges by start, ascending; no two are adjacent. */
  readonly #free: FreeRange[]
  /** Rounded length of each allocated range, by start. */
  readonly #taken = new Map<number, number>()
  /** Free slots by size class, descending, so that pop takes the lowest. */
  readonly #slots = new Map<number, number[]>()
  #usedBytes = 0
  #highWater: number

  constructor(start: number, end: number) {
    this.#start = start
    this.#free = [{ start, end }]
    this.#highWater = start
  }

  /** Allocated bytes, rounded up. */
  get usedBytes(): number {
    return this.#usedBytes
  }

  /** Highest end of any allocation so far: touched pages are never returned to the system. */
  get highWaterBytes(): number {
    return this.#highWater - this.#start
  }

  /** True when nothing is allocated. */
  get isEmpty(): boolean {
    return this.#usedBytes === 0
  }

  /**
   * Allocates at least `bytes`.
   * @returns the start, a multiple of 256; −1 when no free range is large enough
   */
  allocate(bytes: number): number {
    if (bytes <= SMALL_LIMIT) return this.#allocateSlot(Math.max(bytes, 1))
    return this.#allocateRange(roundUp(bytes))
  }

  /**
   * Frees a range.
   * @param bytes as requested
   */
  free(start: number, bytes: number): void {
    if (bytes <= SMALL_LIMIT) {
      const size = slotSize(bytes)
      this.#usedBytes -= size
      insertDescending(this.#slots.get(size)!, start)
      return
    }
    const length = this.#taken.get(start)
    if (length === undefined) throw new Error(`no allocated range starts at ${start}`)
    this.#taken.delete(start)
    this.#usedBytes -= length
    this.#release(start, start + length)
  }

  #allocateSlot(bytes: number): number {
    const size = slotSize(bytes)
    let slots = this.#slots.get(size)
    if (slots === undefined) {
      slots = []
      this.#slots.set(size, slots)
    }
    if (slots.length === 0) {
      const slab = this.#allocateRange(SLAB_BYTES)
      if (slab < 0) return -1
      this.#usedBytes -= SLAB_BYTES
      for (let at = slab + SLAB_BYTES - (SLAB_BYTES % size) - size; at >= slab; at -= size)
        slots.push(at)
    }
    this.#usedBytes += size
    return slots.pop()!
  }

  #allocateRange(length: number): number {
    const free = this.#free
    let best = -1
    let bestLength = Number.POSITIVE_INFINITY
    for (let i = 0; i < free.length; i++) {
      const range = free[i]!
      const size = range.end - range.start
      if (size >= length && size < bestLength) {
        best = i
        bestLength = size
      }
    }
    if (best < 0) return -1
    const range = free[best]!
    const start = range.start
    if (bestLength === length) free.splice(best, 1)
    else range.start += length
    this.#taken.set(start, length)
    this.#usedBytes += length
    if (start + length > this.#highWater) this.#highWater = start + length
    return start
  }

  #release(start: number, end: number): void {
    const free = this.#free
    let at = 0
    let high = free.length
    while (at < high) {
      const middle = (at + high) >>> 1
      if (free[middle]!.start < start) at = middle + 1
      else high = middle
    }
    const before = at > 0 ? free[at - 1]! : null
    const after = at < free.length ? free[at]! : null
    if (before !== null && before.end === start) {
      before.end = end
      if (after !== null && after.start === end) {
        before.end = after.end
        free.splice(at, 1)
      }
    } else if (after !== null && after.start === end) after.start = start
    else free.splice(at, 0, { start, end })
  }
}

function slotSize(bytes: number): number {
  return Math.ceil(bytes / SMALL_STEP) * SMALL_STEP
}

function roundUp(bytes: number): number {
  const step = bytes < LARGE_LIMIT ? PAGE_STEP : LARGE_STEP
  return Math.ceil(bytes / step) * step
}

function insertDescending(list: number[], value: number): void {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]! > value) low = middle + 1
    else high = middle
  }
  list.splice(low, 0, value)
}
