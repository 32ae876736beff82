/**
 * Admission of requests: refuses, before its body is read, a request that would be answered too late.
 * Each class has a load meter; a request is refused when the requests under way of its class, at their
 * measured service time, would keep it longer than `lamella.admission.deadline`. Some requests always run
 * side by side, so that a node with slow searches is not locked.
 */

import { nodeSettings } from '../schema/setting-registry.ts'
import type { Settings } from '../schema/settings.ts'
import { nowInMillis } from '../util/clock.ts'
import type { AdmissionClass } from './admission-class.ts'
import { LoadMeter } from './load-meter.ts'

/** Service time before anything was measured: a burst on a new node must not all be taken. */
const FIRST_GUESS_IN_MILLIS = 2

/** A class that can be refused. */
type LimitedClass = Exclude<AdmissionClass, 'free'>

/** The setting of the queue that bounds a class too. */
const QUEUES: Readonly<Record<LimitedClass, string | null>> = {
  search: 'thread_pool.search.queue_size',
  write: 'thread_pool.write.queue_size',
  other: null,
}

/** Decides which requests of a server are answered. */
export class Admission {
  readonly #meters: Readonly<Record<LimitedClass, LoadMeter>> = {
    search: new LoadMeter(FIRST_GUESS_IN_MILLIS),
    write: new LoadMeter(FIRST_GUESS_IN_MILLIS),
    other: new LoadMeter(FIRST_GUESS_IN_MILLIS),
  }
  readonly #isEnabled: boolean
  readonly #deadlineInMillis: number
  readonly #minimum: number
  readonly #limits: Readonly<Record<LimitedClass, number>>

  /** @param settings the node's */
  constructor(settings: Settings) {
    this.#isEnabled = nodeSettings.boolean(settings, 'lamella.admission.enabled')
    this.#deadlineInMillis = (nodeSettings.nanos(settings, 'lamella.admission.deadline') ?? 0) / 1e6
    this.#minimum = nodeSettings.number(settings, 'lamella.admission.min_requests') ?? 0
    const limitOf = (kind: LimitedClass): number => {
      const queue = QUEUES[kind]
      const size = queue === null ? null : nodeSettings.number(settings, queue)
      // A queue of a pool is full when its threads are busy too: what runs at least stands beside it.
      return size === null ? Number.POSITIVE_INFINITY : size + this.#minimum
    }
    this.#limits = { search: limitOf('search'), write: limitOf('write'), other: limitOf('other') }
  }

  /**
   * How long a client should wait before it asks again; null: its request may come in.
   * @param now in milliseconds, of a clock that never goes back
   * @returns milliseconds
   */
  refusal(kind: AdmissionClass, now: number): number | null {
    if (kind === 'free' || !this.#isEnabled) return null
    const meter = this.#meters[kind]
    if (meter.running < this.#minimum) return null
    const wait = meter.expectedWait(now)
    return wait > this.#deadlineInMillis || meter.running >= this.#limits[kind] ? wait : null
  }

  /**
   * Counts a request that is to be answered.
   * @returns called once, when its answer stands
   */
  enter(kind: AdmissionClass): () => void {
    if (kind === 'free') return () => {}
    const meter = this.#meters[kind]
    meter.begin(nowInMillis())
    return () => meter.end(nowInMillis())
  }
}
