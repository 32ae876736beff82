import { type FieldSums, type PowerSums, pairIndex } from './power-sums.ts'
import { ratio } from './ratio.ts'

/** Moments of one field; NaN where they are undefined. */
export interface FieldMoments {
  readonly mean: number
  /** Of a sample. */
  readonly variance: number
  readonly skewness: number
  readonly kurtosis: number
  /** With each field, itself included. */
  readonly covariances: readonly number[]
  readonly correlations: readonly number[]
}

/** Sums of powers of the deviations from the mean, as integers: of squares times n, and so on. */
interface Deviations {
  readonly field: FieldSums
  readonly second: bigint
  readonly third: bigint
  readonly fourth: bigint
}

/** The moments of all fields, each rounded once or twice from exact fractions. */
export function matrixMoments({ count, fields, products }: PowerSums): FieldMoments[] {
  const n = BigInt(count)
  const all = fields.map(field => deviationsOf(field, n))
  return all.map((own, i) => {
    const { field, second, third, fourth } = own
    const variance = finite(field, ratio(second, n * (n - 1n), 2 * field.exponent))
    const squared = ratio(third * third, second ** 3n)
    return {
      mean: finite(field, ratio(field.powers[0], n, field.exponent)),
      variance,
      skewness: finite(field, third < 0n ? -Math.sqrt(squared) : Math.sqrt(squared)),
      kurtosis: finite(field, ratio(fourth, second * second)),
      covariances: all.map((other, k) => {
        if (i === k) return variance
        const exponent = field.exponent + other.field.exponent
        const joint = jointOf(own, other, productOf(products, i, k), n)
        return finite(field, finite(other.field, ratio(joint, n * (n - 1n), exponent)))
      }),
      correlations: all.map((other, k) => {
        if (i === k) return 1
        const joint = jointOf(own, other, productOf(products, i, k), n)
        const size = Math.sqrt(ratio(joint * joint, second * other.second))
        return finite(field, finite(other.field, joint < 0n ? -size : size))
      }),
    }
  })
}

function finite({ allFinite }: FieldSums, value: number): number {
  return allFinite ? value : Number.NaN
}

function deviationsOf(field: FieldSums, n: bigint): Deviations {
  const [s1, s2, s3, s4] = field.powers
  return {
    field,
    second: n * s2 - s1 * s1,
    third: n * n * s3 - 3n * n * s1 * s2 + 2n * s1 ** 3n,
    fourth: n ** 3n * s4 - 4n * n * n * s1 * s3 + 6n * n * s1 * s1 * s2 - 3n * s1 ** 4n,
  }
}

function productOf(products: readonly bigint[], a: number, b: number): bigint {
  return products[pairIndex(Math.min(a, b), Math.max(a, b))]!
}

/** The sum of products of two fields' deviations, times n. */
function jointOf(a: Deviations, b: Deviations, product: bigint, n: bigint): bigint {
  return n * product - a.field.powers[0] * b.field.powers[0]
}
