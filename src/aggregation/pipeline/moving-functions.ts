/** The functions of moving windows, by the names that scripts call them by. */

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
  max: values => (values.length === 0 ? Number.NaN : Math.max(...values)),
  min: values => (values.length === 0 ? Number.NaN : Math.min(...values)),
  sum: values => values.reduce((a, b) => a + b, 0),
  unweightedAvg: average,
  stdDev: (values, [mean = Number.NaN]) =>
    values.length === 0
      ? Number.NaN
      : Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length),
  linearWeightedAvg(values) {
    let sum = 0
    let weights = 1
    for (const [i, value] of values.entries()) {
      sum += value * (i + 1)
      weights += i + 1
    }
    return values.length === 0 ? Number.NaN : sum / weights
  },
  ewma(values, [alpha = 0.3]) {
    let smoothed = Number.NaN
    for (const value of values)
      smoothed = Number.isNaN(smoothed) ? value : value * alpha + smoothed * (1 - alpha)
    return smoothed
  },
}

function average(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((a, b) => a + b, 0) / values.length
}

/** The value of a call over a window. */
export function movingValue(
  { name, args, takesAverage }: MovingCall,
  values: readonly number[],
): number {
  return FUNCTIONS[name](values, takesAverage ? [average(values), ...args] : args)
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
