/**
 * Reads Roaring bitmaps of 32-bit integers in their portable form (RoaringFormatSpec) as runs:
 *
 *   bitmap     := cookie (runs flags)? descriptor* offsets? container*
 *   cookie     := u32 12346, u32 count; or u16 12347, u16 count − 1 with a bit set of run containers
 *   descriptor := u16 key, u16 cardinality − 1, keys ascending: the upper halves of the values
 *   offsets    := u32 of each container; absent with cookie 12347 and below four containers
 *   container  := run: u16 count, then u16 start, u16 length − 1 of each; array, up to 4096 values:
 *                 u16 each; bits: 8192 bytes
 *
 * One of 64-bit integers (`Roaring64NavigableMap`) is a u64 count, and as often a u32 of upper halves
 * with such a bitmap of lower ones.
 */
import { IllegalArgumentError } from '../../util/errors.ts'

/** A closed run of signed integers. */
export interface IntegerRun {
  readonly lower: bigint
  readonly upper: bigint
}

/** A run of unsigned 32-bit integers. */
interface PlainRun {
  readonly lower: number
  readonly upper: number
}

const NO_RUNS_COOKIE = 12346
const RUNS_COOKIE = 12347
const MIN_CONTAINERS_WITH_OFFSETS = 4
const MAX_ARRAY = 4096
const BITS_BYTES = 8192
/** A query holds each run in memory. */
const MAX_RUNS = 1 << 20

/**
 * The runs of a bitmap's values, ascending as signed integers, neighbours joined.
 * @param bits of the integers
 * @throws {IllegalArgumentError} the bytes are no such bitmap, or have too many runs
 */
export function bitmapRuns(bytes: Uint8Array, bits: 32 | 64): IntegerRun[] {
  const reader = new Reader(bytes)
  const signed = (high: number, low: number): bigint =>
    bits === 32 ? BigInt(low | 0) : BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low))
  const runs: IntegerRun[] = []
  const halves = bits === 32 ? [{ high: 0, runs: reader.read() }] : reader.readHalves()
  for (const { high, runs: lows } of halves)
    for (const { lower, upper } of lows)
      runs.push({ lower: signed(high, lower), upper: signed(high, upper) })
  return joined(runs.sort((a, b) => (a.lower < b.lower ? -1 : 1)))
}

function joined(runs: readonly IntegerRun[]): IntegerRun[] {
  const result: IntegerRun[] = []
  for (const run of runs) {
    const last = result.at(-1)
    if (last !== undefined && run.lower <= last.upper)
      throw malformed('has values that do not ascend')
    if (last !== undefined && last.upper + 1n === run.lower)
      result[result.length - 1] = { lower: last.lower, upper: run.upper }
    else result.push(run)
  }
  return result
}

class Reader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0
  #runs: PlainRun[] = []
  #runCount = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** The runs of lower halves by upper half. */
  readHalves(): { readonly high: number; readonly runs: readonly PlainRun[] }[] {
    const count = this.#u32()
    if (this.#u32() !== 0) throw malformed('has too many parts')
    const halves: { readonly high: number; readonly runs: readonly PlainRun[] }[] = []
    for (let i = 0; i < count; i++) halves.push({ high: this.#u32(), runs: this.read() })
    return halves
  }

  /** Unsigned runs; none crosses a multiple of 2¹⁶. */
  read(): readonly PlainRun[] {
    this.#runs = []
    const cookie = this.#u32()
    let count: number
    let runFlags: Uint8Array | null = null
    if ((cookie & 0xffff) === RUNS_COOKIE) {
      count = (cookie >>> 16) + 1
      runFlags = this.#take((count + 7) >> 3)
    } else if (cookie === NO_RUNS_COOKIE) count = this.#u32()
    else throw malformed(`starts with ${cookie}`)
    if (count > 65536) throw malformed(`has ${count} containers`)
    const descriptors = this.#take(4 * count)
    if (runFlags === null || count >= MIN_CONTAINERS_WITH_OFFSETS) this.#take(4 * count)
    let before = -1
    for (let i = 0; i < count; i++) {
      const key = descriptors[4 * i]! | (descriptors[4 * i + 1]! << 8)
      const cardinality = 1 + (descriptors[4 * i + 2]! | (descriptors[4 * i + 3]! << 8))
      if (key <= before) throw malformed('has containers that do not ascend')
      before = key
      const isRun = runFlags !== null && ((runFlags[i >> 3]! >> (i & 7)) & 1) === 1
      if (isRun) this.#readRuns(key)
      else if (cardinality <= MAX_ARRAY) this.#readArray(key, cardinality)
      else this.#readBits(key)
    }
    return this.#runs
  }

  #readRuns(key: number): void {
    const count = this.#u16()
    let before = -1
    for (let i = 0; i < count; i++) {
      const start = this.#u16()
      const end = start + this.#u16()
      if (start <= before || end > 0xffff) throw malformed('has runs that do not ascend')
      before = end
      this.#add(key, start, end)
    }
  }

  #readArray(key: number, count: number): void {
    let start = -1
    let before = -1
    for (let i = 0; i < count; i++) {
      const value = this.#u16()
      if (value <= before) throw malformed('has values that do not ascend')
      if (start >= 0 && value !== before + 1) {
        this.#add(key, start, before)
        start = value
      } else if (start < 0) start = value
      before = value
    }
    this.#add(key, start, before)
  }

  #readBits(key: number): void {
    const bits = this.#take(BITS_BYTES)
    let start = -1
    for (let value = 0; value <= 0x10000; value++) {
      const isSet = value < 0x10000 && ((bits[value >> 3]! >> (value & 7)) & 1) === 1
      if (isSet && start < 0) start = value
      if (!isSet && start >= 0) {
        this.#add(key, start, value - 1)
        start = -1
      }
    }
  }

  #add(key: number, start: number, end: number): void {
    if (this.#runCount++ === MAX_RUNS)
      throw new IllegalArgumentError(`the bitmap has more than ${MAX_RUNS} runs of values`)
    this.#runs.push({ lower: key * 65536 + start, upper: key * 65536 + end })
  }

  #u16(): number {
    this.#check(2)
    const value = this.#view.getUint16(this.#at, true)
    this.#at += 2
    return value
  }

  #u32(): number {
    this.#check(4)
    const value = this.#view.getUint32(this.#at, true)
    this.#at += 4
    return value
  }

  #take(count: number): Uint8Array {
    this.#check(count)
    const taken = this.#bytes.subarray(this.#at, this.#at + count)
    this.#at += count
    return taken
  }

  #check(count: number): void {
    if (this.#at + count > this.#bytes.length) throw malformed('ends early')
  }
}

function malformed(problem: string): IllegalArgumentError {
  return new IllegalArgumentError(`the value is no serialized bitmap: it ${problem}`)
}
