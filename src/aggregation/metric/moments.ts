/** The metrics that are functions of a few moments, and how they print. */
import { Float64, type JsonRecord, type JsonValue } from '../../util/json/json-value.ts'
import type { NumberText } from '../value-text.ts'

/** Moments of the values in one bucket. */
export interface Moments {
  readonly count: number
  /** ∞ and −∞ without values. */
  readonly min: number
  readonly max: number
  readonly sum: number
  /** Sum of the rounded squares. */
  readonly squares: number
}

/** The metrics, by the names of requests. */
export type MomentMetric = 'avg' | 'sum' | 'min' | 'max' | 'stats' | 'extended_stats'

interface MetricType {
  /** Of its aggregator, in profiles. */
  readonly className: string
  readonly sums: boolean
  /** Whether min and max are read. */
  readonly extremes: boolean
  readonly squares: boolean
  /** @param name null: its only value; undefined: it has none of the name */
  value(moments: Moments, sigma: number, name: string | null): number | undefined
  print(moments: Moments, sigma: number, text: NumberText): JsonRecord
}

/** The types of metrics. */
export const MOMENT_METRICS: { readonly [M in MomentMetric]: MetricType } = {
  avg: single('AvgAggregator', true, averageOf),
  sum: single('SumAggregator', true, ({ sum }) => sum),
  min: single('MinAggregator', false, ({ count, min }) =>
    count === 0 ? Number.POSITIVE_INFINITY : min,
  ),
  max: single('MaxAggregator', false, ({ count, max }) =>
    count === 0 ? Number.NEGATIVE_INFINITY : max,
  ),
  stats: {
    className: 'StatsAggregator',
    sums: true,
    extremes: true,
    squares: false,
    value: (moments, _sigma, name) => statOf(moments, name),
    print: printStats,
  },
  extended_stats: {
    className: 'ExtendedStatsAggregator',
    sums: true,
    extremes: true,
    squares: true,
    value: (moments, sigma, name) =>
      statOf(moments, name) ??
      (name === null ? undefined : extendedValue(spreadOf(moments, sigma), name)),
    print: (moments, sigma, text) => ({
      ...printStats(moments, sigma, text),
      ...printSpread(spreadOf(moments, sigma), moments.count, text),
    }),
  },
}

/** Whether a metric has a value of a name. */
export function hasMoment(metric: MomentMetric, name: string): boolean {
  const none = { count: 0, min: 0, max: 0, sum: 0, squares: 0 }
  return MOMENT_METRICS[metric].value(none, 0, name) !== undefined
}

function single(className: string, sums: boolean, read: (moments: Moments) => number): MetricType {
  return {
    className,
    sums,
    extremes: !sums,
    squares: false,
    value: (moments, _sigma, name) =>
      name === null || name === 'value' ? read(moments) : undefined,
    print: (moments, _sigma, text) => printValue(read(moments), text),
  }
}

/** A metric's only value, with its text where there is one. */
export function printValue(value: number, text: NumberText): JsonRecord {
  return {
    value: printNumber(value),
    value_as_string: Number.isFinite(value) && text.isShown ? text.of(value) : undefined,
  }
}

/** A number of a metric: null unless it is finite. */
export function printNumber(value: number): JsonValue {
  return Number.isFinite(value) ? new Float64(value) : null
}

function averageOf({ count, sum }: Moments): number {
  return sum / count
}

function statOf(moments: Moments, name: string | null): number | undefined {
  switch (name) {
    case 'count':
      return moments.count
    case 'min':
      return moments.min
    case 'max':
      return moments.max
    case 'avg':
      return averageOf(moments)
    case 'sum':
      return moments.sum
    default:
      return undefined
  }
}

/** The keys of `stats`. */
export function printStats(moments: Moments, _sigma: number, text: NumberText): JsonRecord {
  const { count, min, max, sum } = moments
  if (count === 0) return { count, min: null, max: null, avg: null, sum: new Float64(0) }
  const average = averageOf(moments)
  const printed = {
    count,
    min: printNumber(min),
    max: printNumber(max),
    avg: printNumber(average),
    sum: printNumber(sum),
  }
  if (!text.isShown) return printed
  return {
    ...printed,
    min_as_string: text.of(min),
    max_as_string: text.of(max),
    avg_as_string: text.of(average),
    sum_as_string: text.of(sum),
  }
}

interface Spread {
  readonly squares: number
  readonly population: number
  readonly sampling: number
  readonly average: number
  readonly sigma: number
}

function spreadOf(moments: Moments, sigma: number): Spread {
  const { count, sum, squares } = moments
  const spread = squares - (sum * sum) / count
  return {
    squares,
    population: Math.max(0, spread / count),
    sampling: Math.max(0, spread / (count - 1)),
    average: averageOf(moments),
    sigma,
  }
}

function boundsOf({ average, sigma, population, sampling }: Spread): Record<string, number> {
  const own = Math.sqrt(population)
  const sample = Math.sqrt(sampling)
  return {
    upper: average + sigma * own,
    lower: average - sigma * own,
    upper_population: average + sigma * own,
    lower_population: average - sigma * own,
    upper_sampling: average + sigma * sample,
    lower_sampling: average - sigma * sample,
  }
}

function valuesOf(spread: Spread): Record<string, number> {
  const { squares, population, sampling } = spread
  return {
    sum_of_squares: squares,
    variance: population,
    variance_population: population,
    variance_sampling: sampling,
    std_deviation: Math.sqrt(population),
    std_deviation_population: Math.sqrt(population),
    std_deviation_sampling: Math.sqrt(sampling),
  }
}

function extendedValue(spread: Spread, name: string): number | undefined {
  const bound = /^std_(upper|lower)(_population|_sampling)?$/.exec(name)
  if (bound !== null) return boundsOf(spread)[name.slice(4)]
  const values = valuesOf(spread)
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/** A raw NaN prints as text. */
function printRaw(value: number): JsonValue {
  return Number.isNaN(value) ? 'NaN' : new Float64(value)
}

/** The keys of `extended_stats` behind those of `stats`. */
function printSpread(spread: Spread, count: number, text: NumberText): JsonRecord {
  const values = Object.entries(valuesOf(spread))
  const bounds = Object.entries(boundsOf(spread))
  if (count === 0)
    return {
      ...Object.fromEntries(values.map(([name]) => [name, null])),
      std_deviation_bounds: Object.fromEntries(bounds.map(([name]) => [name, null])),
    }
  const printed = {
    ...Object.fromEntries(values.map(([name, value]) => [name, printRaw(value)])),
    std_deviation_bounds: Object.fromEntries(
      bounds.map(([name, value]) => [name, printRaw(value)]),
    ),
  }
  if (!text.isShown) return printed
  return {
    ...printed,
    ...Object.fromEntries(values.map(([name, value]) => [`${name}_as_string`, text.of(value)])),
    std_deviation_bounds_as_string: Object.fromEntries(
      bounds.map(([name, value]) => [name, text.of(value)]),
    ),
  }
}
