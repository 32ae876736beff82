/**
 * Long work on the coordinating thread, in turns of the event loop: a generator yields where a turn is
 * over, and is resumed after timers and sockets had theirs. Work that fits one turn never waits.
 */

import type { Cancellation } from './cancellation.ts'
import { nowInMillis, nowInNanos } from './clock.ts'

/** How long one piece of work keeps the event loop from turning. */
const TURN_IN_MILLIS = 2

/** The clock takes 50 ns to read; it is looked at after so much work. */
const UNITS_BETWEEN_LOOKS = 16

/** One turn of a piece of work. It is timed from the first look at the clock, which cheap work never takes. */
export class Turn {
  /** Milliseconds; 0 before the first look. */
  #began = 0
  #units = 0

  /**
   * Whether it is time to yield.
   * @param units what was done since the last call, in units of about a microsecond
   */
  isOver(units: number): boolean {
    this.#units += units
    if (this.#units < UNITS_BETWEEN_LOOKS) return false
    this.#units = 0
    const now = nowInMillis()
    if (this.#began === 0) this.#began = now
    return now - this.#began >= TURN_IN_MILLIS
  }

  /** Begins the next one. */
  begin(): void {
    this.#began = 0
  }
}

/** Items of a list that take about a turn's unit each hundred or so: the clock is read between chunks. */
const CHUNK = 4096

/**
 * Runs cheap steps over a list, a chunk at a time: a generator would take longer than the steps.
 * @param step runs those of the items `[first, end)`
 */
export function* inChunks(
  count: number,
  turn: Turn,
  step: (first: number, end: number) => void,
): Generator<void, void, void> {
  for (let first = 0; first < count; first += CHUNK) {
    step(first, Math.min(count, first + CHUNK))
    if (turn.isOver(UNITS_BETWEEN_LOOKS)) yield
  }
}

/**
 * Runs a part of work that waits for nothing, whose time is counted with that of threads: it is the processor's,
 * and what other processes take of it.
 * @param signal of the call that it is done for
 */
export function counted<T>(signal: Cancellation, work: () => T): T {
  const end = signal.beginTurn?.() ?? null
  if (end === null) return work()
  const started = nowInNanos()
  try {
    return work()
  } finally {
    end(nowInNanos() - started)
  }
}

/**
 * Runs work in as many turns as it takes, each of them counted.
 * @param work   yields where the turn is over
 * @param check  called before each further turn; where it throws, the work is ended there and its
 *   `finally` blocks run
 * @param signal a cancellation ends the wait for the next turn
 * @returns the result where one turn was enough, else a promise of it
 */
export function inTurns<T>(
  work: (turn: Turn) => Generator<void, T, void>,
  check: () => void,
  signal: Cancellation,
): T | Promise<T> {
  const turn = new Turn()
  const steps = work(turn)
  const first = counted(signal, () => steps.next())
  return first.done === true ? first.value : furtherTurns(steps, turn, check, signal)
}

async function furtherTurns<T>(
  steps: Generator<void, T, void>,
  turn: Turn,
  check: () => void,
  signal: Cancellation,
): Promise<T> {
  for (;;) {
    await nextTurn(signal)
    turn.begin()
    const step = counted(signal, () => resume(steps, check))
    if (step.done === true) return step.value
  }
}

function resume<T>(steps: Generator<void, T, void>, check: () => void): IteratorResult<void, T> {
  try {
    check()
  } catch (error) {
    return steps.throw(error)
  }
  return steps.next()
}

function nextTurn(signal: Cancellation): Promise<void> {
  return new Promise(resolve => {
    const unlisten = signal.onCancel(resolve)
    setImmediate(() => {
      unlisten()
      resolve()
    })
  })
}
