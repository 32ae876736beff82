/**
 * Exact sums of powers and products of the values of documents, so that moments are a function of the
 * documents and not of their order. A value is an integer in units of 2^exponent of its field; units
 * shrink as values ask for it.
 */

/** Sums of documents: plain data. */
export interface PowerSums {
  /** Documents. */
  readonly count: number
  readonly fields: readonly FieldSums[]
  /** Of the values of two fields, at `pairIndex`. */
  readonly products: readonly bigint[]
}

/** Sums of one field. */
export interface FieldSums {
  /** At most 0; the k-th powers are in units of 2^(k · exponent). */
  readonly exponent: number
  /** Whether all values are finite; what is summed is void else. */
  readonly allFinite: boolean
  /** Of the first to the fourth powers. */
  readonly powers: readonly [bigint, bigint, bigint, bigint]
}

const NO_POWERS: FieldSums['powers'] = [0n, 0n, 0n, 0n]

/** The index of the product of two fields, the first one lower. */
export function pairIndex(first: number, second: number): number {
  return (second * (second - 1)) / 2 + first
}

/** Growing sums of documents with a value in each of several fields. */
export class GrowingPowerSums {
  #count = 0
  readonly #fields: { exponent: number; allFinite: boolean; powers: FieldSums['powers'] }[]
  readonly #products: bigint[]
  readonly #integers: bigint[]

  constructor(fieldCount: number) {
    this.#fields = Array.from({ length: fieldCount }, () => ({
      exponent: 0,
      allFinite: true,
      powers: NO_POWERS,
    }))
    this.#products = new Array<bigint>((fieldCount * (fieldCount - 1)) / 2).fill(0n)
    this.#integers = new Array<bigint>(fieldCount).fill(0n)
  }

  /** Adds a document by its value in each field. */
  add(values: Float64Array): void {
    this.#count++
    for (let i = 0; i < values.length; i++) this.#integers[i] = this.#integerOf(i, values[i]!)
    for (let i = 0; i < values.length; i++) {
      const x = this.#integers[i]!
      const field = this.#fields[i]!
      const [first, second, third, fourth] = field.powers
      const square = x * x
      field.powers = [first + x, second + square, third + square * x, fourth + square * square]
      for (let k = 0; k < i; k++) {
        const at = pairIndex(k, i)
        this.#products[at] = this.#products[at]! + this.#integers[k]! * x
      }
    }
  }

  /** Adds sums of the same fields. */
  merge({ count, fields, products }: PowerSums): void {
    this.#count += count
    fields.forEach(({ exponent, allFinite, powers }, i) => {
      this.#lower(i, exponent)
      const field = this.#fields[i]!
      const shift = BigInt(exponent - field.exponent)
      if (!allFinite) field.allFinite = false
      field.powers = added(field.powers, powers, shift)
    })
    for (let second = 1; second < fields.length; second++)
      for (let first = 0; first < second; first++) {
        const at = pairIndex(first, second)
        const shift =
          fields[first]!.exponent -
          this.#fields[first]!.exponent +
          fields[second]!.exponent -
          this.#fields[second]!.exponent
        this.#products[at] = this.#products[at]! + (products[at]! << BigInt(shift))
      }
  }

  sums(): PowerSums {
    return {
      count: this.#count,
      fields: this.#fields.map(field => ({ ...field })),
      products: this.#products.slice(),
    }
  }

  /** A value in units of its field, which are made small enough for it. */
  #integerOf(index: number, value: number): bigint {
    const field = this.#fields[index]!
    if (!Number.isFinite(value)) {
      field.allFinite = false
      return 0n
    }
    if (Number.isInteger(value)) return BigInt(value) << BigInt(-field.exponent)
    const exponent = lowestBit(value)
    this.#lower(index, exponent)
    // In two steps: 2^1074 is no double.
    const half = Math.trunc(-exponent / 2)
    const integer = BigInt(value * 2 ** half * 2 ** (-exponent - half))
    return integer << BigInt(exponent - field.exponent)
  }

  /** Makes the units of a field as small as 2^exponent. */
  #lower(index: number, exponent: number): void {
    const field = this.#fields[index]!
    if (exponent >= field.exponent) return
    const shift = BigInt(field.exponent - exponent)
    field.exponent = exponent
    field.powers = added(NO_POWERS, field.powers, shift)
    for (let other = 0; other < this.#fields.length; other++) {
      if (other === index) continue
      const at = pairIndex(Math.min(index, other), Math.max(index, other))
      this.#products[at] = this.#products[at]! << shift
    }
  }
}

/** Sums of powers plus others whose units are 2^shift as large. */
function added(
  to: FieldSums['powers'],
  from: FieldSums['powers'],
  shift: bigint,
): FieldSums['powers'] {
  return [
    to[0] + (from[0] << shift),
    to[1] + (from[1] << (2n * shift)),
    to[2] + (from[2] << (3n * shift)),
    to[3] + (from[3] << (4n * shift)),
  ]
}

const double = new Float64Array(1)
/** The halves of the double, the lower one first. */
const words = new Uint32Array(double.buffer)

/** The exponent of the lowest set bit of a finite double other than 0. */
function lowestBit(value: number): number {
  double[0] = value
  const biased = (words[1]! >>> 20) & 0x7ff
  const exponent = biased === 0 ? -1074 : biased - 1075
  const low = words[0]!
  if (low !== 0) return exponent + 31 - Math.clz32(low & -low)
  const high = (words[1]! & 0xfffff) | (biased === 0 ? 0 : 0x100000)
  return exponent + 63 - Math.clz32(high & -high)
}
