/** `include` and `exclude`: which values have buckets. Plain data. */
import { murmur3 } from '../../util/murmur3.ts'

/** The values that have buckets. */
export interface ValueFilter {
  /** Null: all that are not excluded. */
  readonly include: ValueSet | null
  readonly exclude: ValueSet | null
  readonly partition: { readonly index: number; readonly count: number } | null
}

/** Values that a request lists, or a pattern of terms. */
export type ValueSet =
  | { readonly kind: 'terms'; readonly terms: readonly Uint8Array[] }
  | { readonly kind: 'numbers'; readonly numbers: readonly bigint[] }
  | { readonly kind: 'pattern'; readonly pattern: string }

/** The seed of the hash that parts terms. */
const SEED = 31

/** Whether a term is of a partition. */
export function isTermOfPartition(
  term: Uint8Array,
  { index, count }: NonNullable<ValueFilter['partition']>,
): boolean {
  const hash = murmur3(term, SEED)
  return ((hash % count) + count) % count === index
}

/** Whether a sortable integer is of a partition. */
export function isNumberOfPartition(
  value: bigint,
  { index, count }: NonNullable<ValueFilter['partition']>,
): boolean {
  const divisor = BigInt(count)
  const rest = BigInt.asIntN(64, mix64(value)) % divisor
  return (rest + divisor) % divisor === BigInt(index)
}

/** The finalising mix of 64 bits of the real server's hashes of numbers. */
export function mix64(value: bigint): bigint {
  let z = BigInt.asUintN(64, value)
  z = BigInt.asUintN(64, (z ^ (z >> 32n)) * 0x4cd6944c5cc20b6dn)
  z = BigInt.asUintN(64, (z ^ (z >> 29n)) * 0xfc12c5b19d3259e9n)
  return z ^ (z >> 32n)
}
