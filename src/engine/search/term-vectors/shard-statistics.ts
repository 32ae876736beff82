import type { Leaf } from '../../../segment/leaf.ts'
import type { VectorFieldStatistics, VectorTerm } from '../../api/term-vectors.ts'

/** Statistics of one field over the leaves of a shard; deleted documents count until they are merged away. */
export interface FieldStatistics extends VectorFieldStatistics {
  /** False: no leaf has terms of the field. */
  readonly exists: boolean
  /** Statistics of a term; null: no leaf has it. */
  term(term: string): NonNullable<VectorTerm['statistics']> | null
}

/** The statistics of a field. */
export function fieldStatistics(leaves: readonly Leaf[], name: string): FieldStatistics {
  const indexed = leaves.filter(
    leaf => (leaf.fieldInfo(name)?.indexOptions ?? 'none') !== 'none' && leaf.terms(name) !== null,
  )
  let sumDocFreq = 0
  let docCount = 0
  let sumTotalTermFreq = 0
  for (const leaf of indexed) {
    const info = leaf.fieldInfo(name)!
    sumDocFreq += info.sumDocFreq
    docCount += info.docCount
    // Without frequencies each term counts once in a document.
    sumTotalTermFreq += info.indexOptions === 'docs' ? info.sumDocFreq : info.sumTotalTermFreq
  }
  return {
    exists: indexed.length > 0,
    sumDocFreq,
    docCount,
    sumTotalTermFreq,
    term(term) {
      let docFreq = 0
      let totalTermFreq = 0
      for (const leaf of indexed) {
        const state = leaf.terms(name)!.lookupText(term)
        if (state === null) continue
        docFreq += state.docFreq
        totalTermFreq +=
          leaf.fieldInfo(name)!.indexOptions === 'docs' ? state.docFreq : state.totalTermFreq
      }
      return docFreq === 0 ? null : { docFreq, totalTermFreq }
    },
  }
}
