import { decodeUtf8 } from '../../util/bytes.ts'
import { floatText } from '../../util/json/float-text.ts'
import { type Explainer, type Explanation, step } from './explanation.ts'
import { foundSupplier, stepsOfFound } from './found-docs.ts'
import { ON_ITERATORS } from './on-iterators.ts'
import type { JoinWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Documents that a join has found in the shard, with the scores that it gave them. */
export const joinWeight: WeightType<JoinWeight> = {
  ...ON_ITERATORS,
  supplier(node, context) {
    const { found, boost, scored } = node
    return foundSupplier(found[context.leaf.ord]!, boost, scored, context)
  },
  explainMiss(node, at) {
    const id = idAt(node, at)
    return step(0, id === null ? 'Not a match' : `Not a match, join value ${id}`)
  },
  explain(node, { score }, at): Explanation {
    const power = node.explainsBoost && node.boost !== 1 ? `^${floatText(node.boost)}` : ''
    return step(score, `A match, join value ${idAt(node, at)}${power}`)
  },
  steps: (node, _states, segment) => stepsOfFound(node.found, segment.maxDoc),
  clause(node, scored) {
    if (scored && node.found.some(({ scores }) => scores !== null)) return 'join'
    return { kind: 'set', node, constant: scored ? node.boost : 0 }
  },
}

/** The id that ties the document; null for none. */
function idAt({ idField }: JoinWeight, { leaf, docId }: Explainer): string | null {
  if (leaf.fieldInfo(idField) === null) return null
  const ordinals = leaf.ordinals(idField)
  const terms = leaf.terms(idField)
  if (ordinals === null || terms === null || !ordinals.advanceExact(docId)) return null
  return decodeUtf8(terms.termOfOrd(ordinals.ord(0)))
}
