import { Float64 } from '../../util/json/json-value.ts'
import type { ReducedChildren, ReducedShards } from '../aggregation-type.ts'
import type { BucketResult, MultiBucketResult } from '../result.ts'
import { ShardFixed } from '../shard-fixed.ts'
import type { ValueFormat } from '../value-source.ts'
import { numberText } from '../value-text.ts'
import type { NumberRange } from './range-counts.ts'

/** The buckets of ranges as answers have them. */
export interface RangeForm {
  readonly typedName: string
  readonly className: string
  /** By `from`, then `to`. */
  readonly ranges: readonly NumberRange[]
  readonly keyed: boolean
  /** Of their ends. */
  readonly format: ValueFormat
}

/** Merges the counts of shards. */
export class ShardRange extends ShardFixed {
  readonly #form: RangeForm

  constructor(form: RangeForm, children: ReducedChildren, shards: ReducedShards) {
    super(form.ranges.length, children, shards)
    this.#form = form
  }

  override result(owner: number): MultiBucketResult {
    const { ranges, keyed, typedName, className } = this.#form
    this.shards.budget.take(ranges.length)
    return {
      kind: 'multi',
      typedName,
      className,
      keyed,
      head: {},
      tail: {},
      buckets: ranges.map((_, i) => this.#bucket(owner, i)),
    }
  }

  #bucket(owner: number, index: number): BucketResult {
    const { format, ranges, keyed } = this.#form
    const { from, to, key } = ranges[index]!
    const text = numberText(format)
    const hasFrom = from !== Number.NEGATIVE_INFINITY
    const hasTo = to !== Number.POSITIVE_INFINITY
    const name = key ?? `${hasFrom ? text.of(from) : '*'}-${hasTo ? text.of(to) : '*'}`
    const docCount = this.counts.count(owner, index)
    return {
      name,
      key: Number.NaN,
      docCount,
      head: {
        key: keyed ? undefined : name,
        from: hasFrom ? new Float64(from) : undefined,
        from_as_string: hasFrom && text.isShown ? text.of(from) : undefined,
        to: hasTo ? new Float64(to) : undefined,
        to_as_string: hasTo && text.isShown ? text.of(to) : undefined,
        doc_count: docCount,
      },
      children: this.children.results(owner < 0 ? -1 : owner * ranges.length + index),
    }
  }
}
