import type { IntervalRelation } from '../scorer/interval/related-intervals.ts'
import type { ScriptPlan } from '../script/script-plan.ts'

/** A source of intervals with its terms looked up; the least width is known. */
export type IntervalPlan =
  | { readonly kind: 'term'; readonly field: string; readonly termId: number }
  | {
      readonly kind: 'or' | 'block' | 'ordered' | 'unordered'
      readonly sources: readonly IntervalPlan[]
    }
  | { readonly kind: 'repeated'; readonly source: IntervalPlan; readonly count: number }
  | { readonly kind: 'maxGaps'; readonly source: IntervalPlan; readonly gaps: number }
  | {
      readonly kind: 'extend'
      readonly source: IntervalPlan
      readonly before: number
      readonly after: number
    }
  | { readonly kind: 'beside'; readonly source: IntervalPlan; readonly side: 'before' | 'after' }
  | { readonly kind: 'script'; readonly source: IntervalPlan; readonly script: ScriptPlan }
  | {
      readonly kind: 'related'
      readonly relation: IntervalRelation
      readonly source: IntervalPlan
      readonly other: IntervalPlan
    }
