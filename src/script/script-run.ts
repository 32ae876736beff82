/** The limits of one execution of a script, counted while it runs. */

import { EngineError } from '../util/errors.ts'

/** Bounds of one execution; in a search the deadline is that of the request. */
export interface ScriptLimits {
  /**
   * In milliseconds of `performance.now()`; null: `maxMillis` after an execution first looks at the clock,
   * so that short executions never read it.
   */
  readonly deadline: number | null
  /** Of the time up to the deadline, which errors tell; absent: that of every script. */
  readonly maxMillis?: number
  readonly maxBytes: number
  /** Asked at each look at the clock; an error that it throws ends the script, which cannot catch it. */
  readonly isCancelled: () => boolean
}

const MIB = 1 << 20

/** Bytes that one execution may take. */
export const MAX_SCRIPT_BYTES: number = 32 * MIB

/** Milliseconds that one execution may take outside of a search. */
export const MAX_SCRIPT_MILLIS = 1000

/** How many steps pass between two looks at the clock. */
const STEPS_PER_LOOK = 1024

/**
 * Milliseconds that one execution may take on the calling thread, which so is never held for longer: scripts
 * that make fields of hits.
 */
export const MAX_CALLING_THREAD_MILLIS = 50

/**
 * Limits of executions over documents, one after the other: each may take as long as given.
 * @param isCancelled whether the work around them is over
 */
export function newDocumentRun(
  maxMillis: number,
  isCancelled: () => boolean = () => false,
): ScriptRun {
  return new ScriptRun({ deadline: null, maxMillis, maxBytes: MAX_SCRIPT_BYTES, isCancelled })
}

/**
 * Limits of many short executions on the calling thread, which take a second together: those that put the
 * results of aggregations together.
 */
export function newReduceRun(): ScriptRun {
  return newScriptRun(MAX_SCRIPT_MILLIS)
}

/** Limits of one execution outside of a search, which begins now. */
export function newScriptRun(maxMillis: number = MAX_SCRIPT_MILLIS): ScriptRun {
  return new ScriptRun({
    deadline: performance.now() + maxMillis,
    maxMillis,
    maxBytes: MAX_SCRIPT_BYTES,
    isCancelled: () => false,
  })
}

/** Of a deadline that the first look at the clock sets. */
const UNSET = -1

/** Steps and bytes of one execution. The same object serves execution after execution. */
export class ScriptRun {
  readonly #limits: ScriptLimits
  readonly #maxMillis: number
  #deadline: number
  #bytes = 0
  #steps = 0

  constructor(limits: ScriptLimits) {
    this.#limits = limits
    this.#maxMillis = limits.maxMillis ?? MAX_SCRIPT_MILLIS
    this.#deadline = limits.deadline ?? UNSET
  }

  /** Begins another execution: memory counts from 0 again, and so does the time where none is given. */
  restart(): void {
    this.#bytes = 0
    if (this.#limits.deadline === null) this.#deadline = UNSET
  }

  /**
   * Counts memory before it is taken.
   * @throws {EngineError} `circuit_breaking_exception`
   */
  charge(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.#limits.maxBytes) throw limitExceeded('memory', this.#limits.maxBytes)
  }

  /**
   * Counts a round of a loop, a call, or an element that a library method visits.
   * @throws {EngineError} `circuit_breaking_exception` past the deadline, `task_cancelled_exception`
   */
  step(count = 1): void {
    this.#steps += count
    if (this.#steps >= STEPS_PER_LOOK) this.#look()
  }

  #look(): void {
    this.#steps = 0
    if (this.#limits.isCancelled())
      throw new EngineError({ type: 'task_cancelled_exception', reason: 'The task is cancelled.' })
    const now = performance.now()
    if (this.#deadline === UNSET) this.#deadline = now + this.#maxMillis
    else if (now > this.#deadline) throw limitExceeded('time', this.#maxMillis)
  }
}

/** A script that takes too much: 429. */
export function limitExceeded(subject: string, limit: number): EngineError {
  return new EngineError({
    type: 'circuit_breaking_exception',
    reason: `[script] ${subject} limit of [${limit}] exceeded`,
  })
}
