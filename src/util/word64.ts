/** An integer of 64 bits in halves, for hashes: BigInt costs an allocation for each step. */
export class Word64 {
  /** Signed. */
  high = 0
  /** Signed. */
  low = 0

  set(high: number, low: number): void {
    this.high = high | 0
    this.low = low | 0
  }

  xor(high: number, low: number): void {
    this.high ^= high
    this.low ^= low
  }

  /** Adds modulo 2⁶⁴. */
  add(high: number, low: number): void {
    const sum = (this.low >>> 0) + (low >>> 0)
    this.high = (this.high + high + (sum > 0xffffffff ? 1 : 0)) | 0
    this.low = sum | 0
  }

  /** Multiplies modulo 2⁶⁴. */
  multiply(high: number, low: number): void {
    const a0 = this.low & 0xffff
    const a1 = this.low >>> 16
    const b0 = low & 0xffff
    const b1 = low >>> 16
    const low1 = a1 * b0 + ((a0 * b0) >>> 16)
    const low2 = a0 * b1 + (low1 & 0xffff)
    const carried = a1 * b1 + (low1 >>> 16) + (low2 >>> 16)
    this.high = (carried + Math.imul(this.high, low) + Math.imul(this.low, high)) | 0
    this.low = Math.imul(this.low, low)
  }

  /** Rotates to the left. @param by 1…31 or 33…63 */
  rotate(by: number): void {
    const { high, low } = this
    const bits = by & 31
    const a = (high << bits) | (low >>> (32 - bits))
    const b = (low << bits) | (high >>> (32 - bits))
    this.high = by < 32 ? a : b
    this.low = by < 32 ? b : a
  }

  /** Xors itself with its upper bits. @param by 1…63 */
  xorShift(by: number): void {
    const { high, low } = this
    if (by >= 32) {
      this.low = low ^ (high >>> (by - 32))
      return
    }
    this.low = low ^ ((low >>> by) | (high << (32 - by)))
    this.high = high ^ (high >>> by)
  }

  /** The integer, unsigned. */
  toBigInt(): bigint {
    return (BigInt(this.high >>> 0) << 32n) | BigInt(this.low >>> 0)
  }
}

/** The finalising mix of 64 bits of the real server's hashes of numbers. */
export function mix64(word: Word64): void {
  word.xorShift(32)
  word.multiply(0x4cd6944c, 0x5cc20b6d)
  word.xorShift(29)
  word.multiply(0xfc12c5b1, 0x9d3259e9)
  word.xorShift(32)
}
