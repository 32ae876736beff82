/** moving_fn: a function of the values around each bucket. */
import type { ScriptRequest } from '../../script/script-request.ts'
import type { ValueFormat } from '../value-source.ts'
import { type BucketsPath, valueAt } from './buckets-path.ts'
import type { MovingCall } from './moving-functions.ts'
import { movingValue } from './moving-functions.ts'
import type { ParentType, PipelineBase } from './pipeline-type.ts'
import { simpleValue } from './simple-value.ts'

/** A function of the values in a window before each bucket. */
export interface MovingFunction extends PipelineBase {
  readonly kind: 'movingFunction'
  readonly path: BucketsPath
  readonly format: ValueFormat
  /** Values in the window, at least 1. */
  readonly window: number
  /** Buckets that the window is moved to the right; 0 ends it before the bucket. */
  readonly shift: number
  /** A call of one function, or any script. */
  readonly compute: { readonly call: MovingCall } | { readonly script: ScriptRequest }
}

/** A function of a window over the values that are there. */
export const movingFunction: ParentType<MovingFunction> = {
  place: 'parent',
  parent: 'histogram',
  paths: ({ path }) => [path],
  apply({ name, path, format, gapPolicy, window, shift, compute }, { buckets }, scripts) {
    const computed =
      'call' in compute
        ? (part: readonly number[]) => movingValue(compute.call, part)
        : scripts.window(compute.script)
    const all = buckets.map(bucket => valueAt(bucket, path, gapPolicy, name) ?? Number.NaN)
    const values = all.filter(value => !Number.isNaN(value))
    let index = 0
    for (const [i, bucket] of buckets.entries()) {
      if (Number.isNaN(all[i]!)) continue
      const clamp = (at: number): number => Math.min(Math.max(at, 0), values.length)
      const part = values.slice(clamp(index - window + shift), clamp(index + shift))
      bucket.children.set(name, simpleValue(computed(part), format))
      index++
    }
  },
}
