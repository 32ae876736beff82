import { DocListIterator } from '../scorer/doc-set-iterators.ts'
import type { ScorerSupplier } from '../scorer/scorer.ts'
import { explainConstant } from './explain-constant.ts'
import { missOfConstant } from './explain-miss.ts'
import { constantScorer, type ScorerContext, supplier } from './scorer-context.ts'
import type { IdsWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Documents by `_id`. */
export const idsWeight: WeightType<IdsWeight> = {
  supplier: idsSupplier,
  explainMiss: missOfConstant,
  explain: explainConstant,
  count: () => -1,
  steps: node => node.ids.length,
  setSteps: () => 0,
  isOfAlternatives: () => true,
  matches: () => Number.NaN,
  // Its list covers the whole leaf.
  isDivisible: () => false,
  scoreEstimate: node => node.score,
  clause: (node, scored) => ({ kind: 'set', node, constant: scored ? node.score : 0 }),
  documentSet: node => ({ kind: 'iterators', node }),
  countScratch(_node, counts) {
    counts.sets++
  },
  // Looking ids up again is as cheap.
  cacheKey: () => null,
  minUsesToCache: () => null,
  record: 'serialised',
}

/** Live documents by `_id`. */
function idsSupplier(node: IdsWeight, context: ScorerContext): ScorerSupplier | null {
  const { leaf } = context
  const reader = leaf.ids()
  const docs: number[] = []
  for (const id of node.ids) {
    const doc = reader.lookup(id, each => leaf.liveDocs === null || leaf.liveDocs.has(each))
    if (doc >= 0) docs.push(doc)
  }
  if (docs.length === 0) return null
  const list = Int32Array.from(docs).sort()
  return supplier(list.length, () => constantScorer(context, node.score, new DocListIterator(list)))
}
