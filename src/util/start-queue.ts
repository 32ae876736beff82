/**
 * Starts calls one after the other and yields to sockets and timers in between. A call that never leaves
 * the thread runs whole when it is started: were each started as it arrives, all that arrived together
 * would run before anything new is even read.
 */
import { nowInMillis } from './clock.ts'

/** Time after which calls that arrived together are left for later turns of the event loop. */
const TURN_IN_MILLIS = 2

/**
 * How long calls may wait for connections to be accepted. Node accepts one connection in each turn of
 * the event loop: beside calls of 50 ms a burst of a thousand would wait for a minute.
 */
const ACCEPTING_IN_MILLIS = 20

/** Calls that were started and are still in the list. */
const MAX_STARTED = 256

/** Calls that wait to be started, first come first served. */
export class StartQueue {
  #waiting: (() => void)[] = []
  /** Index of the next one in `#waiting`. */
  #next = 0
  #isWatching = false
  #turnBegan = 0
  /** A connection was accepted in this turn: there may be more. */
  #isAccepting = false
  /** When calls began to wait for connections; 0: they do not. */
  #acceptingSince = 0

  /** A connection was accepted: calls wait until no more come. */
  accepted(): void {
    this.#isAccepting = true
    this.#watch()
  }

  /** The result of a call, which is started in its turn. */
  run<T>(call: () => Promise<T>): Promise<T> {
    const isFirst = this.#next === this.#waiting.length
    if (isFirst && !this.#isAccepting && this.#hasTime()) return call()
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => call().then(resolve, reject))
    })
  }

  /** Whether the turn that runs, or begins, has time for one more. */
  #hasTime(): boolean {
    this.#watch()
    return nowInMillis() - this.#turnBegan < TURN_IN_MILLIS
  }

  /** Has the end of this turn told. */
  #watch(): void {
    if (this.#isWatching) return
    this.#isWatching = true
    this.#turnBegan = nowInMillis()
    setImmediate(this.#turn)
  }

  /** Called after sockets were read. */
  readonly #turn = (): void => {
    this.#isWatching = false
    const isAccepting = this.#isAccepting
    this.#isAccepting = false
    if (this.#next === this.#waiting.length) return
    if (isAccepting && this.#mayWait()) this.#watch()
    else this.#start()
  }

  #mayWait(): boolean {
    const now = nowInMillis()
    if (this.#acceptingSince === 0) this.#acceptingSince = now
    return now - this.#acceptingSince < ACCEPTING_IN_MILLIS
  }

  readonly #start = (): void => {
    const waiting = this.#waiting[this.#next++]
    if (waiting === undefined) return
    this.#acceptingSince = 0
    if (this.#next === this.#waiting.length || this.#next === MAX_STARTED) {
      this.#waiting = this.#waiting.slice(this.#next)
      this.#next = 0
    }
    // Looked at before it starts, so that every turn starts one.
    const hasTime = this.#hasTime()
    waiting()
    // A tick later it has run as far as it gets by itself.
    if (hasTime && this.#next < this.#waiting.length) process.nextTick(this.#start)
  }
}
