import { BitSet } from '../../util/bit-set.ts'
import type { ParentDocs } from '../scorer/block-join-scorer.ts'
import { BlockJoinScorer } from '../scorer/block-join-scorer.ts'
import { exactIterator, type ScorerSupplier } from '../scorer/scorer.ts'
import { addPostings } from './add-postings.ts'
import type { ExplainedMatch, Explainer } from './explanation.ts'
import { type Explanation, step } from './explanation.ts'
import { keyText } from './key-text.ts'
import type { ScorerContext } from './scorer-context.ts'
import type { BlockJoinWeight } from './weight-node.ts'
import type { WeightType } from './weight-type.ts'

/** Documents of which a nested document matches, by the scores of those that do. */
export const blockJoinWeight: WeightType<BlockJoinWeight> = {
  supplier(node, context, of): ScorerSupplier | null {
    const parents = parentDocs(node, context)
    if (parents === null) return null
    // Nested documents that do not compete may add up to one that does.
    const child = of.supplier(node.child, { ...context, prunes: false })
    if (child === null) return null
    return {
      cost: () => child.cost(),
      get: lead => {
        const scorer = child.get(lead)
        const iterator = exactIterator(scorer, context.watch)
        return new BlockJoinScorer(scorer, iterator, parents(), node.scoreMode, context.watch)
      },
    }
  },
  explainMiss: () => step(0, 'Not a match'),
  explain: explainBlockJoin,
  count: () => -1,
  steps: (node, states, segment, of) => of.steps(node.child, states, segment),
  setSteps: () => 0,
  isOfAlternatives: () => false,
  matches: () => Number.NaN,
  isDivisible: (node, of) => of.isDivisible(node.child),
  scoreEstimate: () => 0,
  clause: (node, scored) =>
    scored && node.scoreMode !== 'none' ? 'block_join' : { kind: 'set', node, constant: 0 },
  documentSet: node => ({ kind: 'iterators', node }),
  countScratch(_node, counts) {
    counts.sets++
  },
  cacheKey(node, of) {
    const child = of.cacheKey(node.child)
    return child === null ? null : `j${keyText(node.parentPath ?? '')}${child}`
  },
  minUsesToCache: (node, of) => of.minUsesToCache(node.child),
  record: 'serialised',
}

/** Makes the documents that are joined to; null where the leaf has none of them or nothing nested. */
function parentDocs(
  { parentId }: BlockJoinWeight,
  context: ScorerContext,
): (() => ParentDocs) | null {
  const whole = context.leaf.parents()
  if (whole === null) return null
  if (parentId === null) return () => whole
  const state = context.states.terms[parentId] ?? null
  if (state === null) return null
  return () => {
    const docs = new BitSet(context.leaf.maxDoc)
    addPostings(docs, '_nested_path', state, context)
    return { next: doc => docs.next(doc), previous: doc => docs.previous(doc) }
  }
}

const MODE_NAMES = { avg: 'Avg', sum: 'Total', min: 'Min', max: 'Max', none: 'None' } as const

function explainBlockJoin(
  node: BlockJoinWeight,
  { score }: ExplainedMatch,
  at: Explainer,
): Explanation {
  const { leaf, docId } = at
  const parents =
    node.parentId === null ? leaf.parents() : at.documentsWith('_nested_path', node.parentId)
  const first = (parents?.previous(docId - 1) ?? -1) + 1
  let best: Explanation | null = null
  let count = 0
  for (let doc = first; doc < docId; doc++) {
    const child = at.explainAt(node.child, doc)
    if (child === null) continue
    count++
    if (best === null || child.value > best.value) best = child
  }
  const { docBase } = leaf
  return step(
    score,
    `Score based on ${count} child docs in range from ${docBase + first} to ` +
      `${docBase + docId - 1}, using score mode ${MODE_NAMES[node.scoreMode]}`,
    best === null ? [] : [best],
  )
}
