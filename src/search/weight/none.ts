import { explainConstant } from './explain-constant.ts'
import { step } from './explanation.ts'
import type { NoneWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** No document. */
export const noneWeight: WeightType<NoneWeight> = {
  supplier: () => null,
  explainMiss: (node, at) =>
    step(
      0,
      // Another query may be found to match nothing as its weight is made.
      /^MatchNoDocsQuery\("(.*)"\)$/s.exec(at.text(node))?.[1] ??
        `${at.text(node)} doesn't match id ${at.docId}`,
    ),
  explain: explainConstant,
  count: () => 0,
  steps: () => 0,
  setSteps: () => 0,
  isOfAlternatives: () => true,
  matches: () => 0,
  isDivisible: () => true,
  scoreEstimate: () => 0,
  clause: node => ({ kind: 'set', node, constant: 0 }),
  documentSet: node => ({ kind: 'iterators', node }),
  countScratch(_node, counts) {
    counts.sets++
  },
  cacheKey: () => 'n',
  minUsesToCache: () => null,
  record: 'serialised',
}
