/** Fits the weights of a model of `moving_avg` to a series by simulated annealing. */
import { Random } from '../../util/random.ts'
import { type AverageModel, forecast, neighbour } from './average-model.ts'

const FIRST_TEMPERATURE = 1
const LAST_TEMPERATURE = 0.0001
const COOLING = 0.9
const ROUNDS = 100

/** Values that a fit may pass over, which bounds its time on the calling thread to some 100 ms. */
const MAX_VALUES = 20_000_000

/** Always the same, so that equal searches have equal answers. */
const SEED = 1

/**
 * The best model that was found: it forecasts the last `window` values from those before them.
 * @param values of all buckets; with fewer than two windows of them the model stays as it is
 */
export function fitModel(
  model: AverageModel,
  values: readonly number[],
  window: number,
): AverageModel {
  if (values.length < 2 * window) return model
  const train = values.slice(-2 * window, -window)
  const test = values.slice(-window)
  const costOf = (each: AverageModel): number => {
    const guess = forecast(each, train, window)
    return test.reduce((sum, value, i) => sum + Math.abs(guess[i]! - value), 0)
  }
  const temperatures = Math.ceil(Math.log(LAST_TEMPERATURE) / Math.log(COOLING))
  const affordable = Math.floor(MAX_VALUES / (temperatures * 2 * window))
  const rounds = Math.min(ROUNDS, Math.max(1, affordable))
  const random = new Random(SEED)
  let current = { model, cost: costOf(model) }
  let best = current
  for (let heat = FIRST_TEMPERATURE; heat > LAST_TEMPERATURE; heat *= COOLING)
    for (let round = 0; round < rounds; round++) {
      const changed = neighbour(current.model, random)
      const next = { model: changed, cost: costOf(changed) }
      // A worse model is taken too, the less likely the colder it is.
      if (Math.exp((current.cost - next.cost) / heat) <= random.next()) continue
      current = next
      if (next.cost < best.cost) best = next
    }
  return best.model
}
