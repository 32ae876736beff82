/**
 * `children` and `parent`: the documents on the other side of a join. Slices list the ids of the documents
 * that they see; once these are merged, a second search finds what the ids tie (`tied.ts`).
 */
import type { Weight } from '../../search/weight/weight.ts'
import type { AggregationPlan, AggregationType } from '../aggregation-type.ts'
import { ShardSingle } from '../single-bucket.ts'
import { IdCollector } from './id-collector.ts'
import { SliceIds } from './slice-ids.ts'

/** The documents that a join ties to others. */
export interface Joined extends AggregationPlan {
  readonly kind: 'joined'
  readonly finds: 'children' | 'parents'
  /** The field with the names of relations. */
  readonly relationField: string
  /** The field with the ids of the parents, in parents and children alike. */
  readonly idField: string
  /** Relation of the documents that are looked at. */
  readonly from: string
  /** That of the documents to be found. */
  readonly to: string
}

/** One bucket of documents that are tied to others. */
export const joined: AggregationType<Joined, Weight> = {
  deferred: ({ children }) => children,
  readsScores: () => false,
  className: ({ finds }) =>
    finds === 'children' ? 'ParentToChildrenAggregator' : 'ChildrenToParentAggregator',
  prepare({ relationField, idField, from }, shard) {
    shard.useTerms(idField, null)
    return shard.weightOf({ kind: 'term', field: relationField, term: from })
  },
  open: ({ idField }, weight, _children, slice) => new IdCollector(idField, weight, slice),
  sliceReducer: ({ idField }, _ready, leaves) => new SliceIds(idField, leaves),
  shardReducer: ([plan], children) =>
    new ShardSingle(plan!.finds === 'children' ? 'children' : 'parent', children),
}
