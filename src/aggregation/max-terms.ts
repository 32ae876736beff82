import type { Leaf } from '../segment/leaf.ts'
import type { TermSource } from './value-source.ts'

/** Max number of terms that a leaf has. */
export function maxTerms({ field }: TermSource, leaves: readonly Leaf[]): number {
  return leaves.reduce((max, leaf) => {
    const terms = leaf.fieldInfo(field) === null ? null : leaf.terms(field)
    return Math.max(max, terms?.termCount ?? 0)
  }, 0)
}
