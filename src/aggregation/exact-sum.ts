/**
 * Exact sums of doubles and 64-bit integers, so that a sum is a function of its values and not of
 * their order. A sum is an integer in units of 2^exponent, kept as limbs of 32 bits in doubles.
 */

/** The unit of sums and the number of limbs that hold them: plain data, equal for all slices of a shard. */
export interface SumScale {
  /** A value is a multiple of 2^exponent. */
  readonly exponent: number
  readonly limbs: number
}

/** Exponents of the values of a sum: each is a multiple of 2^min and below 2^(max + 1). */
export interface Exponents {
  readonly min: number
  readonly max: number
}

/** Exponents of signed and unsigned integers of 64 bits. */
export const LONG_EXPONENTS: Exponents = { min: 0, max: 64 }

/** Exponents of all doubles. */
export const ALL_EXPONENTS: Exponents = { min: -1074, max: 1023 }

const LIMB = 4294967296
/** Additions of values below 2³² after which a limb may not be exact any more. */
const ADDS_PER_CARRY = 1 << 20

/** The scale of sums of up to 2³² values. */
export function sumScale({ min, max }: Exponents): SumScale {
  return { exponent: min, limbs: Math.max(3, 1 + Math.ceil((max + 1 - min + 32) / 32)) }
}

/** The exponents of the rounded products of values. */
export function productExponents(a: Exponents, b: Exponents): Exponents {
  return { min: Math.max(-1074, a.min + b.min), max: Math.min(1023, a.max + b.max + 1) }
}

/** Exponents that cover both. */
export function unionOf(a: Exponents | null, b: Exponents): Exponents {
  return a === null ? b : { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) }
}

/** Exponents of one finite double. */
export function exponentsOf(value: number): Exponents {
  if (value === 0 || !Number.isFinite(value)) return { min: 0, max: 0 }
  double[0] = value
  const biased = (words[1]! >>> 20) & 0x7ff
  const exponent = biased === 0 ? -1074 : biased - 1075
  return { min: exponent, max: exponent + 53 }
}

/** Sums by bucket. */
export interface SumsPartial {
  readonly scale: SumScale
  /** `scale.limbs` doubles for each bucket, lowest first. */
  readonly limbs: Float64Array
  /** Sums of NaN and infinities by bucket; null: there were none. */
  readonly specials: Float64Array | null
}

/** An exact sum: mantissa · 2^exponent, or a special value that none can change. */
export interface ExactSum {
  readonly mantissa: bigint
  readonly exponent: number
  /** 0, NaN or an infinity. */
  readonly special: number
}

/** The sum of no values. */
export const ZERO_SUM: ExactSum = { mantissa: 0n, exponent: 0, special: 0 }

/** Growing exact sums, one for each bucket. */
export class ExactSums {
  readonly scale: SumScale
  #limbs = new Float64Array(0)
  #specials: Float64Array | null = null
  #adds = 0

  constructor(scale: SumScale) {
    this.scale = scale
  }

  /** Makes room for buckets below `count`. */
  ensure(count: number): void {
    const wanted = count * this.scale.limbs
    if (wanted <= this.#limbs.length) return
    const next = new Float64Array(Math.max(wanted, 2 * this.#limbs.length))
    next.set(this.#limbs)
    this.#limbs = next
  }

  /** Adds a double; the bucket has room. */
  add(bucket: number, value: number): void {
    if (!Number.isFinite(value)) {
      this.#addSpecial(bucket, value)
      return
    }
    if (value === 0) return
    double[0] = value
    const high = words[1]!
    const biased = (high >>> 20) & 0x7ff
    let mantissa = (high & 0xfffff) * LIMB + words[0]!
    if (biased > 0) mantissa += 4503599627370496
    let shift = (biased === 0 ? 1 : biased) - 1075 - this.scale.exponent
    if (shift < 0) {
      // The bits below the scale's unit are 0.
      mantissa *= 2 ** shift
      shift = 0
    }
    const sign = high >= 0x80000000 ? -1 : 1
    const bit = shift & 31
    const unit = POWERS[32 - bit]!
    const above = Math.floor(mantissa / unit)
    const top = Math.floor(above / LIMB)
    const at = bucket * this.scale.limbs + (shift >>> 5)
    const limbs = this.#limbs
    limbs[at] = limbs[at]! + sign * (mantissa - above * unit) * POWERS[bit]!
    if (above !== 0) limbs[at + 1] = limbs[at + 1]! + sign * (above - top * LIMB)
    if (top !== 0) limbs[at + 2] = limbs[at + 2]! + sign * top
    if (++this.#adds === ADDS_PER_CARRY) this.#carryAll()
  }

  /** Adds a 64-bit integer given in halves; the exponent is 0. */
  addLong(bucket: number, high: number, low: number): void {
    const at = bucket * this.scale.limbs
    const limbs = this.#limbs
    limbs[at] = limbs[at]! + low
    limbs[at + 1] = limbs[at + 1]! + high
    if (++this.#adds === ADDS_PER_CARRY) this.#carryAll()
  }

  /** Adds sums of the same scale. @param buckets by bucket of the partial, this one's */
  merge({ limbs, specials }: SumsPartial, buckets: Int32Array): void {
    const count = this.scale.limbs
    const own = this.#limbs
    for (let bucket = 0; bucket * count < limbs.length && bucket < buckets.length; bucket++) {
      const from = bucket * count
      const to = buckets[bucket]! * count
      for (let i = 0; i < count; i++) own[to + i] = own[to + i]! + limbs[from + i]!
    }
    if (specials !== null)
      specials.forEach((special, bucket) => {
        if (special !== 0) this.#addSpecial(buckets[bucket]!, special)
      })
    this.#carryAll()
  }

  partial(): SumsPartial {
    this.#carryAll()
    return { scale: this.scale, limbs: this.#limbs, specials: this.#specials }
  }

  /** The sum of a bucket. */
  sum(bucket: number): ExactSum {
    const { limbs: count, exponent } = this.scale
    let mantissa = 0n
    for (let i = count - 1; i >= 0; i--)
      mantissa = (mantissa << 32n) + BigInt(this.#limbs[bucket * count + i] ?? 0)
    return { mantissa, exponent, special: this.#specials?.[bucket] ?? 0 }
  }

  #addSpecial(bucket: number, value: number): void {
    const count = this.#limbs.length / this.scale.limbs
    let specials = this.#specials
    if (specials === null || specials.length < count) {
      const next = new Float64Array(count)
      if (specials !== null) next.set(specials)
      specials = this.#specials = next
    }
    specials[bucket] = specials[bucket]! + value
  }

  #carryAll(): void {
    this.#adds = 0
    const limbs = this.#limbs
    const { limbs: count } = this.scale
    for (let at = 0; at < limbs.length; at += count)
      for (let i = 0; i < count - 1; i++) {
        const limb = limbs[at + i]!
        if (limb < LIMB && limb > -LIMB) continue
        const carry = Math.trunc(limb / LIMB)
        limbs[at + i] = limb - carry * LIMB
        limbs[at + i + 1] = limbs[at + i + 1]! + carry
      }
  }
}

/** 2^i. */
const POWERS: readonly number[] = Array.from({ length: 33 }, (_, i) => 2 ** i)

const double = new Float64Array(1)
/** The halves of the double, the lower one first. */
const words = new Uint32Array(double.buffer)

/** The sum of two. */
export function addSums(a: ExactSum, b: ExactSum): ExactSum {
  const exponent = Math.min(a.exponent, b.exponent)
  const left = a.mantissa << BigInt(a.exponent - exponent)
  const right = b.mantissa << BigInt(b.exponent - exponent)
  return { mantissa: left + right, exponent, special: a.special + b.special }
}

/** A sum as the nearest double, ties to even. @param divisor of integers that stand for fractions */
export function roundedSum({ mantissa, exponent, special }: ExactSum, divisor = 1): number {
  if (special !== 0) return special
  const size = mantissa < 0n ? -mantissa : mantissa
  const length = size.toString(16).length * 4
  // Beyond 2¹⁰⁰⁰ the lowest bits only tell whether something was there.
  const drop = Math.max(0, length - 960)
  const whole = size >> BigInt(drop)
  const kept = whole << BigInt(drop) === size ? whole : whole | 1n
  const power = exponent + drop
  const half = Math.trunc(power / 2)
  const rounded = Number(kept) * 2 ** half * 2 ** (power - half)
  return (mantissa < 0n ? -rounded : rounded) / divisor
}
