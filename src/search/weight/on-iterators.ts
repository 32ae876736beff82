import type { LeafStates } from './weight.ts'
import type { WeightNode } from './weight-node.ts'
import type { ClauseCounts, DocumentSetPlan, WeightType } from './weight-type.ts'

/** The members of `WeightType` that are the same for every kind which only iterators serve. */
type SharedMembers = Pick<
  WeightType<WeightNode>,
  | 'count'
  | 'setSteps'
  | 'isOfAlternatives'
  | 'matches'
  | 'isDivisible'
  | 'scoreEstimate'
  | 'documentSet'
  | 'countScratch'
  | 'cacheKey'
  | 'minUsesToCache'
> & { readonly record: 'serialised' }

/**
 * A kind of node that kernels do not take: no statistics tell its matches, its documents are listed
 * by its iterators, and no key describes them, so they are not cached.
 */
export const ON_ITERATORS: SharedMembers = {
  count: () => -1,
  setSteps: () => 0,
  isOfAlternatives: () => true,
  matches: () => Number.NaN,
  isDivisible: () => true,
  scoreEstimate: () => 0,
  documentSet: (node: WeightNode, _states: LeafStates): DocumentSetPlan => ({
    kind: 'iterators',
    node,
  }),
  countScratch(_node: WeightNode, counts: ClauseCounts): void {
    counts.sets++
  },
  cacheKey: () => null,
  minUsesToCache: () => null,
  record: 'serialised',
}
