import type { Aggregation } from '../../../aggregation/aggregation.ts'
import type { Deferral } from '../../../aggregation/deferral/deferral.ts'
import { readsScores } from '../../../aggregation/deferral/deferred-children.ts'
import type { CutKeys } from './cut-keys.ts'
import { bucketOrders } from './orders.ts'

/**
 * Breadth-first collection as a request asks for it; null: depth-first. Children that buckets are sorted by
 * are collected with them, since without their values no bucket can be cut.
 */
export function deferralOf(
  { isBreadthFirst, order }: CutKeys,
  children: readonly Aggregation[],
): Deferral | null {
  if (!isBreadthFirst) return null
  const sortedBy = bucketOrders(order).map(each => (each.by === 'path' ? each.path[0] : undefined))
  const deferred = children.filter(({ name }) => !sortedBy.includes(name))
  if (deferred.length === 0) return null
  return { children: deferred.map(({ name }) => name), scores: deferred.some(readsScores) }
}
