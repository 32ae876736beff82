/** moving_avg: an average of the values before each bucket, by one of several models, and forecasts. */
import type { ValueFormat } from '../value-source.ts'
import { type AverageModel, forecast, leastValues } from './average-model.ts'
import { type BucketsPath, valueAt } from './buckets-path.ts'
import { fitModel } from './fit-model.ts'
import type { ParentType, PipelineBase } from './pipeline-type.ts'
import { simpleValue } from './simple-value.ts'

/** An average of the values in a window before each bucket. */
export interface MovingAverage extends PipelineBase {
  readonly kind: 'movingAverage'
  readonly path: BucketsPath
  readonly format: ValueFormat
  /** Values in the window, at least 1. */
  readonly window: number
  /** Buckets behind the last that get a forecast. */
  readonly predict: number
  readonly model: AverageModel
  /** Whether weights are fitted to the values first. */
  readonly minimizes: boolean
}

/** Averages of windows; forecasts stand in the buckets that there are, or in new ones behind them. */
export const movingAverage: ParentType<MovingAverage> = {
  place: 'parent',
  parent: 'histogram',
  paths: ({ path }) => [path],
  apply(plan, parent) {
    const { name, path, format, gapPolicy, window, predict } = plan
    const { buckets } = parent
    const all = buckets.map(bucket => valueAt(bucket, path, gapPolicy, name) ?? Number.NaN)
    const known = all.filter(value => !Number.isNaN(value))
    const model = plan.minimizes ? fitModel(plan.model, known, window) : plan.model
    const before: number[] = []
    let last = -1
    for (const [i, bucket] of buckets.entries()) {
      const value = all[i]!
      if (Number.isNaN(value)) continue
      if (before.length >= leastValues(model))
        bucket.children.set(name, simpleValue(forecast(model, before, 1)[0]!, format))
      before.push(value)
      if (before.length > window) before.shift()
      last = i
    }
    if (predict === 0 || last < 0) return
    let key = buckets[last]!.key
    for (const [i, value] of forecast(model, before, predict).entries()) {
      const at = last + 1 + i
      const next = buckets[at] ?? parent.after?.(key)
      if (next === undefined) return
      next.children.set(name, simpleValue(value, format))
      buckets[at] = next
      key = next.key
    }
  },
}
