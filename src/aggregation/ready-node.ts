import type { Aggregation } from './aggregation.ts'

/** A plan and what slices read beside it. */
export interface ReadyNode {
  readonly plan: Aggregation
  readonly ready: unknown
  readonly children: readonly ReadyNode[]
}
