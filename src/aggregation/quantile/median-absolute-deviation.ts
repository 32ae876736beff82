/** `median_absolute_deviation`: the median of the distances of values from their median. */
import { sectionBit } from '../../search/weight/section-use.ts'
import {
  type AggregationPlan,
  type AggregationType,
  NO_BUCKETS,
  type ShardReducer,
} from '../aggregation-type.ts'
import { CELLS_BYTES } from '../kernel/cells-batch.ts'
import { slotBytes } from '../kernel/slot-counts.ts'
import { printValue } from '../metric/moments.ts'
import type { MetricResult } from '../result.ts'
import type { NumberSource } from '../value-source.ts'
import { numberText } from '../value-text.ts'
import { CellColumns, CellsAggregator, type CellsPartial, SliceCells } from './cell-columns.ts'
import { quantile } from './cell-ranks.ts'
import { type Cells, digestRules } from './value-cells.ts'

/** The median absolute deviation of a field's numbers. */
export interface MedianAbsoluteDeviation extends AggregationPlan {
  readonly kind: 'medianAbsoluteDeviation'
  readonly values: NumberSource
  /** Above 0. */
  readonly compression: number
}

const NUMERIC_VALUES = sectionBit('numericValues')

/** The median distance from the median. */
export const medianAbsoluteDeviation: AggregationType<MedianAbsoluteDeviation, null> = {
  readsScores: () => false,
  className: () => 'MedianAbsoluteDeviationAggregator',
  prepare({ values }, shard) {
    shard.use(values.field, NUMERIC_VALUES)
    shard.reserve(CELLS_BYTES + slotBytes(Number.POSITIVE_INFINITY))
    return null
  },
  open({ values, compression }, _ready, _children, slice) {
    const columns = new CellColumns(digestRules(compression), bytes => slice.charge(bytes))
    return new CellsAggregator(values, columns, null)
  },
  sliceReducer: plan =>
    new SliceCells(uncharged(plan), (cells, metric) =>
      metric === null || metric === 'value' ? deviation(cells) : Number.NaN,
    ),
  shardReducer: ([plan]) => new ShardDeviation(plan!),
}

function uncharged({ compression }: MedianAbsoluteDeviation): CellColumns {
  return new CellColumns(digestRules(compression), () => undefined)
}

class ShardDeviation implements ShardReducer {
  readonly #plan: MedianAbsoluteDeviation
  readonly #columns: CellColumns

  constructor(plan: MedianAbsoluteDeviation) {
    this.#plan = plan
    this.#columns = uncharged(plan)
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    this.#columns.merge(own as CellsPartial, owners)
    return NO_BUCKETS
  }

  value(owner: number, metric: string | null): number {
    return metric === null || metric === 'value'
      ? deviation(this.#columns.cells(owner))
      : Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  result(owner: number): MetricResult {
    const value = deviation(this.#columns.cells(owner))
    return {
      kind: 'metric',
      typedName: 'median_absolute_deviation',
      value: metric => (metric === null || metric === 'value' ? value : undefined),
      print: () => printValue(value, numberText(this.#plan.values.format)),
    }
  }
}

/** The median of the cells' distances from their median; NaN without values. */
function deviation(cells: Cells): number {
  const median = quantile(cells, 0.5)
  const distances = Array.from(cells.counts, (count, i) => {
    const below = Math.abs(cells.mins[i]! - median)
    const above = Math.abs(cells.maxs[i]! - median)
    const isAround = cells.mins[i]! < median && median < cells.maxs[i]!
    return { min: isAround ? 0 : Math.min(below, above), max: Math.max(below, above), count }
  }).sort((a, b) => a.min - b.min || a.max - b.max || a.count - b.count)
  return quantile(
    {
      level: cells.level,
      mins: Float64Array.from(distances, ({ min }) => min),
      maxs: Float64Array.from(distances, ({ max }) => max),
      counts: Float64Array.from(distances, ({ count }) => count),
    },
    0.5,
  )
}
