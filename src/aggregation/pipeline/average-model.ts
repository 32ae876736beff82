/** Models of `moving_avg`: what each makes of the values in a window, and how it may be changed. */
import {
  exponentialAverage,
  holtForecast,
  linearWeightedAverage,
  type Seasons,
  seasonalForecast,
  unweightedAverage,
} from '../../script/moving-functions.ts'
import type { Random } from '../../util/random.ts'

/** A model with its parameters; weights lie in [0, 1]. */
export type AverageModel =
  | { readonly kind: 'simple' }
  | { readonly kind: 'linear' }
  | { readonly kind: 'ewma'; readonly alpha: number }
  | { readonly kind: 'holt'; readonly alpha: number; readonly beta: number }
  | ({ readonly kind: 'holt_winters' } & Seasons)

/** How many values a model needs. */
export function leastValues(model: AverageModel): number {
  return model.kind === 'holt_winters' ? 2 * model.period : 1
}

/**
 * Values for a number of buckets behind those of a window; the first is the moving average there.
 * @throws {IllegalArgumentError} the window has fewer values than the model needs
 */
export function forecast(model: AverageModel, values: readonly number[], count: number): number[] {
  if (values.length === 0) return new Array<number>(count).fill(Number.NaN)
  const flat = (value: number): number[] => new Array<number>(count).fill(value)
  switch (model.kind) {
    case 'simple':
      return flat(unweightedAverage(values))
    case 'linear':
      return flat(linearWeightedAverage(values))
    case 'ewma':
      return flat(exponentialAverage(values, model.alpha))
    case 'holt':
      return holtForecast(values, model.alpha, model.beta, count)
    case 'holt_winters':
      return seasonalForecast(values, model, count)
  }
}

/** Whether a model has weights that can be fitted. */
export function isFitted(model: AverageModel): boolean {
  return model.kind !== 'simple' && model.kind !== 'linear'
}

/** The model with one of its weights drawn anew. */
export function neighbour(model: AverageModel, random: Random): AverageModel {
  switch (model.kind) {
    case 'simple':
    case 'linear':
      return model
    case 'ewma':
      return { ...model, alpha: random.next() }
    case 'holt':
      return random.below(2) === 0
        ? { ...model, alpha: random.next() }
        : { ...model, beta: random.next() }
    case 'holt_winters': {
      const weight = (['alpha', 'beta', 'gamma'] as const)[random.below(3)]!
      return { ...model, [weight]: random.next() }
    }
  }
}
