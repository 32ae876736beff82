import type { ErrorType } from '../../util/errors.ts'

/**
 * The last number, boolean or date that was read, or the complaint about it. One instance serves a
 * thread, so that a value costs no object.
 */
export class ParsedNumber {
  /** Integers, dates in milliseconds, booleans as 0 and 1, scaled floats: hi · 2³² + lo. */
  hi = 0
  lo = 0
  /** Floating-point numbers, rounded to the precision of their type. */
  value = 0
  /** The complaint and its type; an empty complaint means "no value, no error". */
  problem = ''
  problemType: ErrorType = 'illegal_argument_exception'

  /** Takes a complaint; answers false, there being no value. */
  fail(problem: string, type: ErrorType = 'illegal_argument_exception'): false {
    this.problem = problem
    this.problemType = type
    return false
  }

  /** Takes a whole number that a double holds exactly. */
  setInteger(value: number): void {
    this.hi = Math.floor(value / 4294967296)
    this.lo = value >>> 0
  }

  /** Takes a signed 64-bit integer. */
  setLong(value: bigint): void {
    this.hi = Number(BigInt.asIntN(32, value >> 32n))
    this.lo = Number(BigInt.asUintN(32, value))
  }
}
