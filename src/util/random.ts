/**
 * A seeded generator (xorshift128, period 2¹²⁸−1): the same seed gives the same numbers on every
 * machine. For tests, corpora and sampling gaps; never for secrets.
 */
export class Random {
  #a: number
  #b: number
  #c: number
  #d: number

  /** @param seed any integer; its low 32 bits count */
  constructor(seed: number) {
    // SplitMix32 spreads a small seed over the whole state, which must not be all zero.
    let state = seed | 0
    const next = (): number => {
      state = (state + 0x9e3779b9) | 0
      let z = state
      z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
      return (z ^ (z >>> 16)) >>> 0
    }
    this.#a = next()
    this.#b = next()
    this.#c = next()
    this.#d = next() | 1
  }

  /** A whole number in 0 … 2³²−1. */
  nextUint32(): number {
    let t = this.#d
    const s = this.#a
    this.#d = this.#c
    this.#c = this.#b
    this.#b = s
    t ^= t << 11
    t ^= t >>> 8
    this.#a = (t ^ s ^ (s >>> 19)) >>> 0
    return this.#a
  }

  /** A number in [0, 1) with 32 random bits. */
  next(): number {
    return this.nextUint32() / 4294967296
  }

  /** An integer in 0 … end−1; `end` max 2³². */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }
}
