/** The functions of moving windows, by the names that scripts call them by. */
import {
  exponentialAverage,
  linearWeightedAverage,
  movingMax,
  movingMin,
  movingSum,
  standardDeviation,
  unweightedAverage,
} from '../../script/moving-functions.ts'

/** A call `MovingFunctions.⟨name⟩(values, ⟨arguments⟩)`. */
export interface MovingCall {
  readonly name: MovingFunctionName
  readonly args: readonly number[]
  /** Whether the call asks for the average of the values as its second argument. */
  readonly takesAverage: boolean
}

/** The names of the functions that need no script engine. */
export type MovingFunctionName =
  | 'max'
  | 'min'
  | 'sum'
  | 'unweightedAvg'
  | 'stdDev'
  | 'linearWeightedAvg'
  | 'ewma'

type Compute = (values: readonly number[], args: readonly number[]) => number

const FUNCTIONS: { readonly [N in MovingFunctionName]: Compute } = {
  max: movingMax,
  min: movingMin,
  sum: movingSum,
  unweightedAvg: unweightedAverage,
  stdDev: (values, [mean = Number.NaN]) => standardDeviation(values, mean),
  linearWeightedAvg: linearWeightedAverage,
  ewma: (values, [alpha = 0.3]) => exponentialAverage(values, alpha),
}

/** The value of a call over a window. */
export function movingValue(
  { name, args, takesAverage }: MovingCall,
  values: readonly number[],
): number {
  return FUNCTIONS[name](values, takesAverage ? [unweightedAverage(values), ...args] : args)
}

const CALL =
  /^\s*(?:return\s+)?MovingFunctions\.(\w+)\(\s*values\s*((?:,\s*(?:MovingFunctions\.unweightedAvg\(\s*values\s*\)|-?[\d.]+)\s*)*)\)\s*;?\s*$/

/** The call that a script consists of; null: it is none of the functions alone. */
export function readMovingCall(script: string): MovingCall | null {
  const shape = CALL.exec(script)
  const name = shape?.[1] ?? ''
  if (shape === null || !Object.hasOwn(FUNCTIONS, name)) return null
  const args = shape[2]!
    .split(',')
    .map(arg => arg.trim())
    .filter(arg => arg !== '')
  const takesAverage = args[0]?.startsWith('MovingFunctions') ?? false
  const numbers = (takesAverage ? args.slice(1) : args).map(Number)
  if (numbers.some(Number.isNaN)) return null
  return { name: name as MovingFunctionName, args: numbers, takesAverage }
}
