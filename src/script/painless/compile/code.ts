/** Compiled expressions and statements: closures over a frame. */
import type { Long } from '../../../util/long.ts'
import type { ScriptValue } from '../../value/script-value.ts'
import type { Typed, TypeName } from '../library/class-type.ts'
import type { Frame } from './frame.ts'
import type { Variable } from './scope.ts'

/** Evaluates an expression, in the form of its type. */
export type Run<T extends Typed = Typed> = (frame: Frame) => T

/** An expression that is compiled. */
export interface Code {
  readonly type: TypeName
  readonly run: Run
  /** The value, where it is known without running. */
  readonly constant?: Typed
  /** The variable that it reads. */
  readonly variable?: Variable
  /**
   * Of type `def` alone: a number without its box, with `frame.kind` telling what it is. Where the
   * kind is `NOT_A_KIND` it is the value itself.
   */
  readonly bare?: Run
  /** Of type `def` alone: the value as a double. */
  readonly double?: Run<number>
  /** Present on an integer literal, which adapts to narrower types. */
  readonly isIntegerLiteral?: true
}

/** Bytes that any new object is charged, whatever it will hold. */
export const OBJECT_BYTES = 128

/** How a statement ended. */
export const NORMAL = 0
export const BREAK = 1
export const CONTINUE = 2
export const RETURN = 3

/** Executes a statement; the result of a `return` is in `frame.result`. */
export type Step = (frame: Frame) => number

/** A statement that is compiled, with what its ways out are. */
export interface StepCode extends Escapes {
  readonly step: Step
  /** Statements in it, itself included: what a round of a loop costs. */
  readonly cost: number
  /** Of a `return`: its value, for who wants nothing else. */
  readonly value?: Run
}

/** Ways out of a statement: always out of the function, out of the loop, past the statement behind it. */
export interface Escapes {
  readonly leavesFunction: boolean
  readonly leavesLoop: boolean
  readonly leaves: boolean
  readonly hasBreak: boolean
  readonly hasContinue: boolean
}

/** A statement behind which the next one runs. */
export const FALLS_THROUGH: Escapes = {
  leavesFunction: false,
  leavesLoop: false,
  leaves: false,
  hasBreak: false,
  hasContinue: false,
}

/** A statement that always leaves the function. */
export const LEAVES: Escapes = {
  leavesFunction: true,
  leavesLoop: true,
  leaves: true,
  hasBreak: false,
  hasContinue: false,
}

/** The ways out of two statements of which one runs. */
export function either(a: Escapes, b: Escapes): Escapes {
  return {
    leavesFunction: a.leavesFunction && b.leavesFunction,
    leavesLoop: a.leavesLoop && b.leavesLoop,
    leaves: a.leaves && b.leaves,
    hasBreak: a.hasBreak || b.hasBreak,
    hasContinue: a.hasContinue || b.hasContinue,
  }
}

/** The closure of an expression of type `boolean`. */
export function booleanRun(code: Code): Run<boolean> {
  return code.run as Run<boolean>
}

/** The closure of an expression of a type whose values are numbers: not of `long`. */
export function numberRun(code: Code): Run<number> {
  return code.run as Run<number>
}

/** The closure of an expression of type `long`. */
export function longRun(code: Code): Run<Long> {
  return code.run as Run<Long>
}

/** The closure of an expression of type `def` or of a class. */
export function valueRun(code: Code): Run<ScriptValue> {
  return code.run as Run<ScriptValue>
}

/** Code that gives the same value each time. */
export function constantCode(type: TypeName, value: Typed): Code {
  return { type, run: () => value, constant: value }
}
