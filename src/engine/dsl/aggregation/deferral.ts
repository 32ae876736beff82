import type { Aggregation } from '../../../aggregation/aggregation.ts'
import type { Deferral } from '../../../aggregation/deferral/deferral.ts'
import { readsScores } from '../../../aggregation/deferral/deferred-children.ts'
import type { CutKeys } from './cut-keys.ts'
import { bucketOrders } from './orders.ts'

/** Breadth-first collection as a request asks for it; null: depth-first, or it leaves that open. */
export function deferralOf(keys: CutKeys, children: readonly Aggregation[]): Deferral | null {
  return keys.isBreadthFirst === true ? deferrable(keys, children) : null
}

/** The same where a request leaves open how it is collected; null: it does not. */
export function openDeferral(keys: CutKeys, children: readonly Aggregation[]): Deferral | null {
  return keys.isBreadthFirst === null ? deferrable(keys, children) : null
}

/**
 * Children that buckets are sorted by are collected with them, since without their values no bucket can be
 * cut; null: all are.
 */
function deferrable({ order }: CutKeys, children: readonly Aggregation[]): Deferral | null {
  if (children.length === 0) return null
  const sortedBy = bucketOrders(order).map(each => (each.by === 'path' ? each.path[0] : undefined))
  const deferred = children.filter(({ name }) => !sortedBy.includes(name))
  if (deferred.length === 0) return null
  return { children: deferred.map(({ name }) => name), scores: deferred.some(readsScores) }
}
