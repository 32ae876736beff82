/** `percentiles` and `percentile_ranks`. */
import { sectionBit } from '../../search/weight/section-use.ts'
import { doubleText } from '../../util/json/float-text.ts'
import { Float64, type JsonRecord, type JsonValue } from '../../util/json/json-value.ts'
import {
  type AggregationPlan,
  type AggregationType,
  NO_BUCKETS,
  type ShardReducer,
} from '../aggregation-type.ts'
import { CELLS_BYTES } from '../kernel/cells-batch.ts'
import { slotBytes } from '../kernel/slot-counts.ts'
import { printNumber } from '../metric/moments.ts'
import type { MetricResult } from '../result.ts'
import type { NumberSource } from '../value-source.ts'
import { type NumberText, numberText } from '../value-text.ts'
import { CellColumns, CellsAggregator, type CellsPartial, SliceCells } from './cell-columns.ts'
import { percentBelow, quantile } from './cell-ranks.ts'
import { checkNotNegative, hdrPercentBelow, hdrPercentile, hdrRules } from './high-dynamic-range.ts'
import { type CellRules, type Cells, digestRules } from './value-cells.ts'

/** How values are summed up. */
export type QuantileMethod =
  | { readonly kind: 'tdigest'; readonly compression: number }
  | { readonly kind: 'hdr'; readonly digits: number }

/** Values at percentages of a field's numbers, or percentages of values. */
export interface Quantiles extends AggregationPlan {
  readonly kind: 'quantiles'
  readonly asks: 'percentiles' | 'percentile_ranks'
  readonly values: NumberSource
  readonly method: QuantileMethod
  /** The percentages or values, ascending. */
  readonly keys: readonly number[]
  readonly keyed: boolean
}

const NUMERIC_VALUES = sectionBit('numericValues')

/** Percentiles of a field's numbers. */
export const quantiles: AggregationType<Quantiles, null> = {
  readsScores: () => false,
  className: ({ asks, method }) => {
    const what = asks === 'percentiles' ? 'Percentiles' : 'PercentileRanks'
    return `${method.kind === 'hdr' ? 'HDR' : 'TDigest'}${what}Aggregator`
  },
  prepare({ values }, shard) {
    shard.use(values.field, NUMERIC_VALUES)
    shard.reserve(CELLS_BYTES + slotBytes(Number.POSITIVE_INFINITY))
    return null
  },
  open({ values, method }, _ready, _children, slice) {
    const columns = new CellColumns(rulesOf(method), bytes => slice.charge(bytes))
    return new CellsAggregator(values, columns, method.kind === 'hdr' ? checkNotNegative : null)
  },
  sliceReducer: plan =>
    new SliceCells(
      uncharged(plan),
      (cells, metric) => namedAnswer(plan, cells, metric) ?? Number.NaN,
    ),
  shardReducer: ([plan]) => new ShardQuantiles(plan!),
}

function rulesOf(method: QuantileMethod): CellRules {
  return method.kind === 'hdr' ? hdrRules(method.digits) : digestRules(method.compression)
}

function uncharged({ method }: Quantiles): CellColumns {
  return new CellColumns(rulesOf(method), () => undefined)
}

class ShardQuantiles implements ShardReducer {
  readonly #plan: Quantiles
  readonly #columns: CellColumns

  constructor(plan: Quantiles) {
    this.#plan = plan
    this.#columns = uncharged(plan)
  }

  add(own: unknown, owners: Int32Array): Int32Array {
    this.#columns.merge(own as CellsPartial, owners)
    return NO_BUCKETS
  }

  value(owner: number, metric: string | null): number {
    return namedAnswer(this.#plan, this.#columns.cells(owner), metric) ?? Number.NaN
  }

  bucketOf(): number {
    return -1
  }

  result(owner: number): MetricResult {
    const plan = this.#plan
    const cells = this.#columns.cells(owner)
    return {
      kind: 'metric',
      typedName: `${plan.method.kind}_${plan.asks}`,
      value: metric => namedAnswer(plan, cells, metric),
      print: () => print(plan, cells, numberText(plan.values.format)),
    }
  }
}

/** The answer to one percentage or value, by its name. */
function namedAnswer(plan: Quantiles, cells: Cells, metric: string | null): number | undefined {
  const key = metric === null || metric.trim() === '' ? Number.NaN : Number(metric)
  return Number.isNaN(key) ? undefined : answer(plan, cells, key)
}

function answer({ asks, method }: Quantiles, cells: Cells, key: number): number {
  switch (asks) {
    case 'percentiles':
      return method.kind === 'hdr'
        ? hdrPercentile(cells, method.digits, key)
        : quantile(cells, key / 100)
    case 'percentile_ranks':
      return method.kind === 'hdr'
        ? hdrPercentBelow(cells, method.digits, key)
        : percentBelow(cells, key)
  }
}

function print(plan: Quantiles, cells: Cells, text: NumberText): JsonRecord {
  const { keys, keyed } = plan
  if (!keyed)
    return {
      values: keys.map(key => {
        const value = answer(plan, cells, key)
        const printed: JsonRecord = { key: new Float64(key), value: printNumber(value) }
        return isShown(value, text) ? { ...printed, value_as_string: text.of(value) } : printed
      }),
    }
  const values = new Map<string, JsonValue>()
  for (const key of keys) {
    const value = answer(plan, cells, key)
    values.set(doubleText(key), printNumber(value))
    if (isShown(value, text)) values.set(`${doubleText(key)}_as_string`, text.of(value))
  }
  return { values }
}

function isShown(value: number, text: NumberText): boolean {
  return text.isShown && Number.isFinite(value)
}
