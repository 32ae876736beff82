import { tokensOf } from '../../codec/directory/format.ts'
import type { Leaf } from '../../segment/leaf.ts'
import type { AskedTerms } from '../script/asked-terms.ts'

/** Terms with their frequencies in a shard. @param leaves its whole snapshot */
export function countedTerms(asked: AskedTerms, leaves: readonly Leaf[]): AskedTerms {
  const sum = (of: (leaf: Leaf) => number): number =>
    leaves.reduce((total, leaf) => total + of(leaf), 0)
  return {
    ...asked,
    occurrences: asked.fields.map(({ field }) =>
      asked.texts.map(text => sum(leaf => leaf.terms(field)?.lookupText(text)?.totalTermFreq ?? 0)),
    ),
    tokens: asked.fields.map(({ field }) =>
      sum(leaf => {
        const info = leaf.fieldInfo(field)
        return info === null ? 0 : tokensOf(info)
      }),
    ),
  }
}
