/**
 * A growing column of signed 64-bit integers, kept as two 32-bit halves so that no value becomes a
 * BigInt: the value is hi · 2³² + lo.
 */
export class LongColumn {
  /** Signed upper halves; valid up to `length`. */
  hi: Int32Array
  /** Unsigned lower halves. */
  lo: Uint32Array
  length = 0

  constructor(capacity = 64) {
    this.hi = new Int32Array(capacity)
    this.lo = new Uint32Array(capacity)
  }

  push(hi: number, lo: number): void {
    const at = this.length
    if (at === this.hi.length) this.#grow()
    this.hi[at] = hi
    this.lo[at] = lo
    this.length = at + 1
  }

  /** Appends an integer of magnitude up to 2⁵³. */
  pushNumber(value: number): void {
    this.push(Math.floor(value / 4294967296), value >>> 0)
  }

  /** The value at an index as a number: exact up to 2⁵³. */
  number(index: number): number {
    return this.hi[index]! * 4294967296 + this.lo[index]!
  }

  clear(): void {
    this.length = 0
  }

  #grow(): void {
    const hi = new Int32Array(this.hi.length * 2)
    hi.set(this.hi)
    this.hi = hi
    const lo = new Uint32Array(this.lo.length * 2)
    lo.set(this.lo)
    this.lo = lo
  }
}

/** Compares two 64-bit integers in halves: below 0, 0 or above 0. */
export function compareLongs(aHi: number, aLo: number, bHi: number, bLo: number): number {
  return aHi !== bHi ? aHi - bHi : aLo - bLo
}
