/** `MovingFunctions`, for scripts over windows of buckets. */

import { EngineError } from '../../../util/errors.ts'
import { illegalArgument } from '../../java-faults.ts'
import {
  exponentialAverage,
  holt,
  holtWinters,
  linearWeightedAverage,
  movingMax,
  movingMin,
  movingSum,
  standardDeviation,
  unweightedAverage,
} from '../../moving-functions.ts'
import type { ScriptArray } from '../../value/script-array.ts'
import { staticClass } from './class-of.ts'
import type { ClassType } from './class-type.ts'
import { members } from './members.ts'

/** Classes of the context `moving-function`. */
export const MOVING_FUNCTION_CLASSES: readonly ClassType[] = [
  {
    ...staticClass(
      'MovingFunctions',
      'org.opensearch.search.aggregations.pipeline.MovingFunctions',
    ),
    statics: members({
      'double max(double[])': (_run, _, values: ScriptArray) => movingMax(numbersOf(values)),
      'double min(double[])': (_run, _, values: ScriptArray) => movingMin(numbersOf(values)),
      'double sum(double[])': (_run, _, values: ScriptArray) => movingSum(numbersOf(values)),
      'double unweightedAvg(double[])': (_run, _, values: ScriptArray) =>
        unweightedAverage(numbersOf(values)),
      'double stdDev(double[], double)': (_run, _, values: ScriptArray, mean: number) =>
        standardDeviation(numbersOf(values), mean),
      'double linearWeightedAvg(double[])': (_run, _, values: ScriptArray) =>
        linearWeightedAverage(numbersOf(values)),
      'double ewma(double[], double)': (_run, _, values: ScriptArray, alpha: number) =>
        exponentialAverage(numbersOf(values), alpha),
      'double holt(double[], double, double)': (
        _run,
        _,
        values: ScriptArray,
        alpha: number,
        beta: number,
      ) => holt(numbersOf(values), alpha, beta),
      'double holtWinters(double[], double, double, double, int, boolean)': (
        _run,
        _,
        values: ScriptArray,
        alpha: number,
        beta: number,
        gamma: number,
        period: number,
        isMultiplicative: boolean,
      ) => {
        try {
          return holtWinters(numbersOf(values), alpha, beta, gamma, period, isMultiplicative)
        } catch (error) {
          throw error instanceof EngineError ? illegalArgument(error.message) : error
        }
      },
    }),
  },
]

/** Values that are there. */
function numbersOf(values: ScriptArray): readonly number[] {
  return (values.items as number[]).filter(value => !Number.isNaN(value))
}
