import { type BucketKeys, BucketTable } from '../bucket-table.ts'
import { Doubles } from '../columns.ts'
import { estimate, exactLimit, noteHash } from './hyper-log-log.ts'

/** Sketches by owning bucket: plain data. */
export interface HashPartial {
  /** Hashes with their owning buckets, of those that have no registers. */
  readonly exact: BucketKeys
  /** The owning buckets that have registers. */
  readonly owners: Int32Array
  /** The registers of these, one behind the other. */
  readonly registers: Uint8Array
}

/** Bytes that a kept hash takes. */
const HASH_BYTES = 32
/** Hashes that are charged together. */
const CHARGED = 1024

/**
 * Distinct hashes of each owning bucket: all of them up to a limit, registers beyond. What is kept
 * depends on the set of hashes alone, in whatever order and parts it came.
 */
export class HashSketches {
  /** Bits of a register's index. */
  readonly precision: number
  readonly #limit: number
  readonly #charge: (bytes: number) => void
  readonly #table = new BucketTable()
  /** Hashes in the table by owning bucket. */
  readonly #counts = new Doubles()
  readonly #registers = new Map<number, Uint8Array>()
  /** Hashes of the table that are in the registers of their owning bucket, if it has any. */
  #noted = 0

  /** @param charge memory is charged to it before it is taken */
  constructor(precision: number, charge: (bytes: number) => void) {
    this.precision = precision
    this.#limit = exactLimit(precision)
    this.#charge = charge
  }

  /** Adds a hash given in halves, signed or not. */
  add(owner: number, high: number, low: number): void {
    const registers = this.#registers.get(owner)
    if (registers !== undefined) {
      noteHash(registers, this.precision, high, low)
      return
    }
    const { size } = this.#table
    this.#table.bucketOf(owner, high, low)
    if (this.#table.size === size) return
    if (size % CHARGED === 0) this.#charge(CHARGED * HASH_BYTES)
    const counts = this.#counts.ensure(owner + 1)
    const count = counts[owner]! + 1
    counts[owner] = count
    if (count > this.#limit) this.#register(owner)
  }

  /** Whether an owning bucket has too many hashes for them to be kept. */
  hasRegisters(owner: number): boolean {
    return this.#registers.has(owner)
  }

  /** Whether so many distinct hashes are too many to be kept, those of equal hashes left aside. */
  isAbove(count: number): boolean {
    return count > 2 * this.#limit
  }

  /** Adds registers to an owning bucket, which has or gets some. */
  addRegisters(owner: number, from: Uint8Array): void {
    const own = this.#registers.get(owner)
    if (own === undefined) this.#register(owner).set(from)
    else for (let at = 0; at < own.length; at++) if (from[at]! > own[at]!) own[at] = from[at]!
  }

  /** Adds the hashes of bits, given in halves by their number, as `add` one by one. */
  addBits(owner: number, hashes: Int32Array, words: Uint32Array): void {
    const { precision } = this
    let registers = this.#registers.get(owner)
    for (let i = 0; i < words.length; i++)
      for (let rest = words[i]!; rest !== 0; rest &= rest - 1) {
        const at = 2 * (32 * i + 31 - Math.clz32(rest & -rest))
        if (registers !== undefined) noteHash(registers, precision, hashes[at]!, hashes[at + 1]!)
        else {
          this.add(owner, hashes[at]!, hashes[at + 1]!)
          registers = this.#registers.get(owner)
        }
      }
  }

  /** Adds sketches of the same precision. @param owners the owning bucket here by owning bucket there */
  merge({ exact, owners: from, registers }: HashPartial, owners: Int32Array): void {
    const size = 2 ** this.precision
    from.forEach((there, i) => {
      this.addRegisters(owners[there]!, registers.subarray(i * size, (i + 1) * size))
    })
    for (let i = 0; i < exact.owners.length; i++)
      this.add(owners[exact.owners[i]!]!, exact.highs[i]!, exact.lows[i]!)
  }

  /** The number of distinct hashes of an owning bucket. */
  count(owner: number): number {
    const registers = this.#registers.get(owner)
    if (registers === undefined) return this.#counts.at(owner)
    this.#noteAll()
    return Math.round(estimate(registers, this.precision))
  }

  /** Everything as plain data. */
  partial(): HashPartial {
    return this.#packed(owner => owner)
  }

  /** Some owning buckets in a new order. */
  pick(owners: Int32Array): HashPartial {
    const order = new Map(Array.from(owners, (owner, i) => [owner, i]))
    return this.#packed(owner => order.get(owner) ?? -1)
  }

  /** @param place the new number of an owning bucket; −1: it is left out */
  #packed(place: (owner: number) => number): HashPartial {
    this.#noteAll()
    const kept = [...this.#registers].filter(([owner]) => place(owner) >= 0)
    const registers = new Uint8Array(kept.length * 2 ** this.precision)
    kept.forEach(([, from], i) => {
      registers.set(from, i * from.length)
    })
    return {
      exact: this.#exact(place),
      owners: Int32Array.from(kept, ([owner]) => place(owner)),
      registers,
    }
  }

  #exact(place: (owner: number) => number): BucketKeys {
    const { owners, highs, lows } = this.#table.packed()
    let count = 0
    for (let i = 0; i < owners.length; i++) {
      const owner = owners[i]!
      const at = this.#registers.has(owner) ? -1 : place(owner)
      if (at < 0) continue
      owners[count] = at
      highs[count] = highs[i]!
      lows[count++] = lows[i]!
    }
    return {
      owners: owners.slice(0, count),
      highs: highs.slice(0, count),
      lows: lows.slice(0, count),
    }
  }

  /** Gives registers to an owning bucket, whose hashes are noted there when they are read. */
  #register(owner: number): Uint8Array {
    const size = 2 ** this.precision
    this.#charge(size)
    const registers = new Uint8Array(size)
    this.#registers.set(owner, registers)
    this.#noted = 0
    return registers
  }

  #noteAll(): void {
    const table = this.#table
    if (this.#registers.size > 0)
      for (let i = this.#noted; i < table.size; i++) {
        const registers = this.#registers.get(table.owner(i))
        if (registers !== undefined)
          noteHash(registers, this.precision, table.high(i), table.low(i))
      }
    this.#noted = table.size
  }
}
