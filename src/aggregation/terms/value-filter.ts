/** `include` and `exclude`: which values have buckets. Plain data. */
import { murmur3 } from '../../util/murmur3.ts'
import { mix64, Word64 } from '../../util/word64.ts'

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

const hashed = new Word64()

/** Whether a sortable integer is of a partition. */
export function isNumberOfPartition(
  value: bigint,
  { index, count }: NonNullable<ValueFilter['partition']>,
): boolean {
  const divisor = BigInt(count)
  hashed.set(Number(BigInt.asIntN(32, value >> 32n)), Number(BigInt.asIntN(32, value)))
  mix64(hashed)
  const rest = BigInt.asIntN(64, hashed.toBigInt()) % divisor
  return (rest + divisor) % divisor === BigInt(index)
}
