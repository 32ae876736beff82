import { IllegalArgumentError } from '../../util/errors.ts'
import { floatText } from '../../util/json/float-text.ts'
import { floatOf, nameOf, nonNegativeOf, type SimilarityGroup } from './similarity-group.ts'

/** How a frequency is adjusted to the length of its document, after Amati and van Rijsbergen. */
export type Normalization =
  | { readonly kind: 'no' }
  | {
      /** `h1`: as if terms were spread evenly; `h2`: more densely in short documents. */
      readonly kind: 'h1' | 'h2'
      /** Float32, 0 or more. */
      readonly c: number
    }
  | {
      /** By a Dirichlet prior. */
      readonly kind: 'h3'
      /** Float32, 0 or more. */
      readonly mu: number
    }
  | {
      /** By a Zipfian relation. */
      readonly kind: 'z'
      /** Float32, between 0 and 0.5. */
      readonly z: number
    }

const KINDS = ['no', 'h1', 'h2', 'h3', 'z'] as const

/** Keys of settings that define a normalization. */
export const NORMALIZATION_KEYS: readonly string[] = [
  'normalization',
  'normalization.h1.c',
  'normalization.h2.c',
  'normalization.h3.c',
  'normalization.z.z',
]

/** @throws {IllegalArgumentError} an unknown kind, or a parameter out of its range */
export function normalizationOf(group: SimilarityGroup): Normalization {
  const kind = nameOf(group, 'normalization', KINDS, 'Normalization', false)
  if (kind === 'no') return { kind }
  if (kind === 'z') {
    const z = floatOf(group, 'normalization.z.z', 0.3)
    if (z > 0 && z < 0.5) return { kind, z }
    throw new IllegalArgumentError(
      `illegal z value: ${floatText(z)}, must be in the range (0 .. 0.5)`,
    )
  }
  // The setting of `h3` has the name of the others', its value is called mu all the same.
  if (kind === 'h3') return { kind, mu: nonNegativeOf(group, 'normalization.h3.c', 800, 'mu') }
  return { kind, c: nonNegativeOf(group, `normalization.${kind}.c`, 1, 'c') }
}
