/** Java's arithmetic of `int`, where an operator of JavaScript with `| 0` does not say it. */
import { arithmetic } from '../../java-faults.ts'

/** @throws {ScriptFault} `arithmetic_exception` */
export function divideInt(a: number, b: number): number {
  if (b === 0) throw arithmetic('/ by zero')
  return (a / b) | 0
}

/** @throws {ScriptFault} `arithmetic_exception` */
export function remainderInt(a: number, b: number): number {
  if (b === 0) throw arithmetic('/ by zero')
  return (a % b) | 0
}
