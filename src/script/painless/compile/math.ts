import type { TypeName } from '../library/class-type.ts'
import { type Code, numberRun, type Run } from './code.ts'

/**
 * The functions of `Math` that scores are made of, without a call in between; null: the allow-list's
 * own member serves.
 * @param key `name/arity`
 * @param inputs doubles
 */
export function mathRun(owner: TypeName, key: string, inputs: readonly Code[]): Run | null {
  if (owner !== 'Math' || inputs.some(({ type }) => type !== 'double')) return null
  const [first, second] = inputs
  if (first === undefined) return null
  const x = numberRun(first)
  switch (key) {
    case 'log/1':
      return frame => Math.log(x(frame))
    case 'log10/1':
      return frame => Math.log10(x(frame))
    case 'sqrt/1':
      return frame => Math.sqrt(x(frame))
    case 'exp/1':
      return frame => Math.exp(x(frame))
  }
  return second === undefined ? null : twoInputs(key, x, numberRun(second))
}

function twoInputs(key: string, x: Run<number>, y: Run<number>): Run | null {
  switch (key) {
    case 'pow/2':
      return frame => x(frame) ** y(frame)
    case 'max/2':
      return frame => Math.max(x(frame), y(frame))
    case 'min/2':
      return frame => Math.min(x(frame), y(frame))
    default:
      return null
  }
}
