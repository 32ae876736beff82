/** Matches of a search that are known before any is found: all documents, or an interval of a field. */
import type { Weight } from '../weight/weight.ts'
import type { PointInterval } from '../weight/weight-node.ts'
import { type GatherPlan, NO_LIMITS } from './gather-plan.ts'

/** The matches of a search, where they follow from its query alone: plain data. */
export type MatchScope =
  | { readonly kind: 'all' }
  /** Documents with a value of the field; in the interval, unless it is null. */
  | { readonly kind: 'interval'; readonly field: string; readonly interval: PointInterval | null }

const ALL: MatchScope = { kind: 'all' }

/** The scope of a search's gathers; null: matches have to be found. */
export function scopeOf({ limits }: GatherPlan, weight: Weight): MatchScope | null {
  const { minScore, terminateAfter } = limits
  if (limits !== NO_LIMITS && (minScore !== null || terminateAfter > 0)) return null
  const root = weight.root.kind === 'constant' ? weight.root.child : weight.root
  if (root.kind === 'all') return ALL
  if (root.kind === 'exists') return { kind: 'interval', field: root.field, interval: null }
  if (root.kind !== 'point' || root.intervals.length !== 1) return null
  return { kind: 'interval', field: root.field, interval: root.intervals[0]! }
}
