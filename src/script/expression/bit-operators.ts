/** Operators on 64-bit integers over doubles: operands are cut, as by a `(long)` cast in Java. */
import { doubleToLong } from '../value/java-numbers.ts'

/** A bitwise operator; its operands may be any doubles. */
export function bitOperator(operator: string): (a: number, b: number) => number {
  switch (operator) {
    case '&':
      return (a, b) => (isInt(a) && isInt(b) ? a & b : wide(a, b, (x, y) => x & y))
    case '|':
      return (a, b) => (isInt(a) && isInt(b) ? a | b : wide(a, b, (x, y) => x | y))
    case '^':
      return (a, b) => (isInt(a) && isInt(b) ? a ^ b : wide(a, b, (x, y) => x ^ y))
    case '<<':
      return (a, b) => wide(a, shiftOf(b), (x, y) => x << y)
    case '>>':
      return (a, b) =>
        isInt(a) && isSmallShift(b) ? a >> b : wide(a, shiftOf(b), (x, y) => x >> y)
    default:
      return (a, b) => wide(a, shiftOf(b), (x, y) => BigInt.asUintN(64, x) >> y)
  }
}

/** `~`. */
export function complement(a: number): number {
  return isInt(a) ? ~a : Number(~BigInt(doubleToLong(a)))
}

function isInt(a: number): boolean {
  return (a | 0) === a
}

function isSmallShift(b: number): boolean {
  return isInt(b) && b >= 0 && b < 32
}

/** Shifts count modulo 64. */
function shiftOf(b: number): number {
  return Number(BigInt(doubleToLong(b)) & 63n)
}

function wide(a: number, b: number, of: (x: bigint, y: bigint) => bigint): number {
  return Number(BigInt.asIntN(64, of(BigInt(doubleToLong(a)), BigInt(doubleToLong(b)))))
}
