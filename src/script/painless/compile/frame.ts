/** The frame of closures while a script runs. */

import { stackOverflow, unsupportedOperation } from '../../java-faults.ts'
import { ScriptFault } from '../../script-fault.ts'
import { ScriptRun } from '../../script-run.ts'
import { reasonOfList } from '../../value/read-only.ts'
import type { Typed } from '../library/class-type.ts'

/** How many calls may be under way in one another. */
const MAX_CALL_DEPTH = 256

/** How many statements the loops of one call may run through. */
const MAX_LOOP_STATEMENTS = 1_000_000

const NO_VARIABLES: readonly Typed[] = []

/** Stands where no execution has begun. */
const NO_RUN: ScriptRun = new ScriptRun({ deadline: 0, maxBytes: 0, isCancelled: () => false })

/** One execution of a script: its limits, and how deep its calls are. */
export class Execution {
  run: ScriptRun = NO_RUN
  depth = 0
}

/** The variables of one call of a function or lambda. */
export class Frame {
  readonly slots: Typed[]
  /** The context's variables: the caller's array itself, of which nothing is copied. */
  variables: readonly Typed[] = NO_VARIABLES
  readonly execution: Execution
  /** The value of a `return`. */
  result: Typed = null
  /** Kind of the last number that came without its box (`number/number-kind.ts`). */
  kind = 0
  #loopStatements = MAX_LOOP_STATEMENTS

  constructor(execution: Execution, size: number) {
    this.execution = execution
    this.slots = new Array<Typed>(size).fill(null)
  }

  /** Makes the frame of a script ready for another execution. */
  begin(variables: readonly Typed[], run: ScriptRun): void {
    if (this.variables !== variables) this.variables = variables
    this.#loopStatements = MAX_LOOP_STATEMENTS
    const { execution } = this
    if (execution.run !== run) execution.run = run
    execution.depth = 0
  }

  /**
   * Counts a round of a loop.
   * @param cost statements in the loop's body
   * @throws {ScriptFault} `painless_error`
   */
  countRound(cost: number): void {
    this.#loopStatements -= cost
    if (this.#loopStatements <= 0) throw tooManyStatements()
    this.execution.run.step(cost)
  }
}

/** Enters a call, which `execution.depth--` must leave. */
export function enterCall(execution: Execution): void {
  execution.run.step()
  if (execution.depth === MAX_CALL_DEPTH) throw stackOverflow()
  execution.depth++
}

function tooManyStatements(): ScriptFault {
  return new ScriptFault(
    'painless_error',
    'org.opensearch.painless.PainlessError',
    'The maximum number of statements that can be executed in a loop has been reached.',
  )
}

/**
 * An error on its way out of the node at an offset: of a fault it becomes the position, if it has none.
 * The engine's own stack that runs over is a fault of the script.
 */
export function located(error: unknown, offset: number): unknown {
  const fault = error instanceof RangeError && isStackOverflow(error) ? stackOverflow() : error
  if (fault instanceof ScriptFault && fault.offset < 0) fault.offset = offset
  return fault
}

function isStackOverflow(error: RangeError): boolean {
  return error.message === 'Maximum call stack size exceeded'
}

/** An error of a member that a frozen list refused, with the reason of that list. */
export function frozenFault(error: unknown, receiver: Typed): unknown {
  if (!Array.isArray(receiver) || !Object.isFrozen(receiver)) return error
  const reason = reasonOfList(receiver)
  const isRefusal = error instanceof ScriptFault && error.type === 'unsupported_operation_exception'
  if (isRefusal && reason !== null) return unsupportedOperation(reason)
  return error instanceof TypeError
    ? unsupportedOperation(reason ?? 'the list is unmodifiable')
    : error
}
