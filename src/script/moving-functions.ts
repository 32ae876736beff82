/** Forecasts over a window of values, as the reference server computes them. */
import { IllegalArgumentError } from '../util/errors.ts'

/** Keeps quotients of multiplicative seasons finite. */
const PADDING = 1e-10

export function movingMax(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((a, b) => Math.max(a, b))
}

export function movingMin(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((a, b) => Math.min(a, b))
}

export function movingSum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0)
}

export function unweightedAverage(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : movingSum(values) / values.length
}

/** @param mean of the values */
export function standardDeviation(values: readonly number[], mean: number): number {
  if (values.length === 0) return Number.NaN
  return Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length)
}

/** Later values weigh more; the sum of weights has one more than theirs. */
export function linearWeightedAverage(values: readonly number[]): number {
  let sum = 0
  let weights = 1
  for (const [i, value] of values.entries()) {
    sum += value * (i + 1)
    weights += i + 1
  }
  return values.length === 0 ? Number.NaN : sum / weights
}

/** Exponentially weighted. @param alpha the part that the last value has */
export function exponentialAverage(values: readonly number[], alpha: number): number {
  let smoothed = Number.NaN
  for (const value of values)
    smoothed = Number.isNaN(smoothed) ? value : value * alpha + smoothed * (1 - alpha)
  return smoothed
}

/** Exponentially weighted with a trend: the level, which a forecast of no steps is. */
export function holt(values: readonly number[], alpha: number, beta: number): number {
  return holtForecast(values, alpha, beta, 1)[0]!
}

/** The same for a number of buckets: the level, and from there on as the trend goes. */
export function holtForecast(
  values: readonly number[],
  alpha: number,
  beta: number,
  count: number,
): number[] {
  let level = Number.NaN
  let trend = 0
  for (const value of values) {
    if (Number.isNaN(level)) level = value
    else {
      const before = level
      level = alpha * value + (1 - alpha) * (before + trend)
      trend = beta * (level - before) + (1 - beta) * trend
    }
  }
  return Array.from({ length: count }, (_, i) => level + i * trend)
}

/** Parameters of a forecast with seasons. */
export interface Seasons {
  readonly alpha: number
  readonly beta: number
  readonly gamma: number
  /** Values of one season. */
  readonly period: number
  readonly isMultiplicative: boolean
  /** Whether quotients of multiplicative seasons are kept finite. */
  readonly isPadded: boolean
}

/**
 * A forecast of one step from a level with a trend and seasons.
 * @throws {IllegalArgumentError} there are fewer values than two seasons have
 */
export function holtWinters(
  values: readonly number[],
  alpha: number,
  beta: number,
  gamma: number,
  period: number,
  isMultiplicative: boolean,
): number {
  const seasons = { alpha, beta, gamma, period, isMultiplicative, isPadded: isMultiplicative }
  return seasonalForecast(values, seasons, 1)[0]!
}

/**
 * The same for a number of steps.
 * @throws {IllegalArgumentError} there are fewer values than two seasons have
 */
export function seasonalForecast(
  values: readonly number[],
  { alpha, beta, gamma, period, isMultiplicative, isPadded }: Seasons,
  steps: number,
): number[] {
  const count = values.length
  if (count === 0) return new Array<number>(steps).fill(Number.NaN)
  if (count < 2 * period)
    throw new IllegalArgumentError(
      `Holt-Winters aggregation requires at least (2 * period == 2 * ${period} == ${2 * period}) ` +
        `data-points to function.  Only [${count}] were provided.`,
    )
  const padded = values.map(value => value + (isPadded ? PADDING : 0))
  let level = 0
  let trend = 0
  for (let i = 0; i < period; i++) {
    level += padded[i]!
    trend += (padded[i + period]! - padded[i]!) / period
  }
  level /= period
  trend /= period
  const seasons = new Array<number>(count).fill(0)
  if (level !== 0) for (let i = 0; i < period; i++) seasons[i] = padded[i]! / level
  let before = level
  let trendBefore = 0
  for (let i = period; i < count; i++) {
    const value = padded[i]!
    const season = seasons[i - period]!
    const own = isMultiplicative ? value / season : value - season
    level = alpha * own + (1 - alpha) * (before + trendBefore)
    trend = beta * (level - before) + (1 - beta) * trendBefore
    const share = isMultiplicative ? value / (before + trendBefore) : value - (before - trendBefore)
    seasons[i] = gamma * share + (1 - gamma) * season
    before = level
    trendBefore = trend
  }
  return Array.from({ length: steps }, (_, i) => {
    const season = seasons[count - period + (i % period)]!
    const line = level + (i + 1) * trend
    return isMultiplicative ? line * season : line + season
  })
}
