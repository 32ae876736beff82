/** percentiles_bucket: exact percentiles of the values of a sibling's buckets. */
import { doubleText } from '../../util/json/float-text.ts'
import { Float64, type JsonValue } from '../../util/json/json-value.ts'
import { printNumber } from '../metric/moments.ts'
import type { ValueFormat } from '../value-source.ts'
import { numberText } from '../value-text.ts'
import { type BucketsPath, valueAt } from './buckets-path.ts'
import type { PipelineBase, SiblingType } from './pipeline-type.ts'

/** Percentiles of the values of a sibling's buckets. */
export interface PercentilesBucket extends PipelineBase {
  readonly kind: 'percentilesBucket'
  readonly path: BucketsPath
  readonly format: ValueFormat
  readonly percents: readonly number[]
  readonly keyed: boolean
}

/** Percentiles of the values of a sibling's buckets: of n the one at round(p / 100 · (n − 1)). */
export const percentilesBucket: SiblingType<PercentilesBucket> = {
  place: 'sibling',
  path: ({ path }) => path,
  result({ gapPolicy, name, percents, keyed, format }, buckets, rest) {
    const values = buckets
      .map(bucket => valueAt(bucket, rest, gapPolicy, name) ?? Number.NaN)
      .filter(value => !Number.isNaN(value))
      .sort((a, b) => a - b)
    const at = (percent: number): number =>
      values.length === 0
        ? Number.NaN
        : values[Math.floor((percent / 100) * (values.length - 1) + 0.5)]!
    const text = numberText(format)
    const textOf = (value: number): string | undefined =>
      text.isShown && Number.isFinite(value) ? text.of(value) : undefined
    return {
      kind: 'metric',
      typedName: 'percentiles_bucket',
      value: key => {
        const percent = Number(key ?? Number.NaN)
        return percents.includes(percent) ? at(percent) : undefined
      },
      print() {
        if (!keyed)
          return {
            values: percents.map(percent => ({
              key: new Float64(percent),
              value: printNumber(at(percent)),
              value_as_string: textOf(at(percent)),
            })),
          }
        const printed = new Map<string, JsonValue>()
        for (const percent of percents) {
          const shown = textOf(at(percent))
          printed.set(doubleText(percent), printNumber(at(percent)))
          if (shown !== undefined) printed.set(`${doubleText(percent)}_as_string`, shown)
        }
        return { values: printed }
      },
    }
  },
}
