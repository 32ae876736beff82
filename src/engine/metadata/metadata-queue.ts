import type { CallContext } from '../../task/call-context.ts'
import { EngineError } from '../../util/errors.ts'
import { durationText } from '../../util/units.ts'
import type { NodeUse, PendingChange } from '../api/cluster.ts'

/** Priorities of metadata changes, most urgent first. */
export const CHANGE_PRIORITIES = [
  'IMMEDIATE',
  'URGENT',
  'HIGH',
  'NORMAL',
  'LOW',
  'LANGUID',
] as const
/** One of them. */
export type ChangePriority = (typeof CHANGE_PRIORITIES)[number]

interface Queued {
  readonly insertOrder: number
  readonly priority: number
  readonly source: string
  readonly queuedAt: number
  readonly run: () => Promise<void>
}

/**
 * The one queue of metadata changes: bulk writes create indices and grow mappings, so every change
 * goes through here, one at a time, the most urgent first and of equal ones the oldest.
 */
export class MetadataQueue {
  readonly #waiting: Queued[] = []
  #running: Queued | null = null
  #inserted = 0
  readonly #counts = { count: 0, timeInMillis: 0, failed: 0 }
  readonly #run: <T>(change: () => Promise<T> | T) => Promise<T>

  /** @param run runs a change, once more where it needs something that is loaded first */
  constructor(run: <T>(change: () => Promise<T> | T) => Promise<T> = async change => change()) {
    this.#run = run
  }

  /**
   * Runs a change in its turn.
   * @param source what it is, as it is shown while it waits
   * @param context of the call that asks for it, which says how long it may wait for its turn; null: for
   *   good. A change that runs is not stopped
   * @throws {EngineError} `process_cluster_event_timeout_exception`, or the change's own error
   */
  submit<T>(
    source: string,
    priority: ChangePriority,
    change: () => Promise<T> | T,
    context: Pick<CallContext, 'changeTimeoutInMillis'> | null,
  ): Promise<T> {
    const timeoutInMillis = context?.changeTimeoutInMillis ?? Number.POSITIVE_INFINITY
    return new Promise<T>((resolve, reject) => {
      let timer: NodeJS.Timeout | null = null
      const queued: Queued = {
        insertOrder: this.#inserted++,
        priority: CHANGE_PRIORITIES.indexOf(priority),
        source,
        queuedAt: performance.now(),
        run: async () => {
          if (timer !== null) clearTimeout(timer)
          const started = performance.now()
          try {
            resolve(await this.#run(change))
          } catch (error) {
            this.#counts.failed++
            reject(error)
          } finally {
            this.#counts.count++
            this.#counts.timeInMillis += performance.now() - started
          }
        },
      }
      if (Number.isFinite(timeoutInMillis))
        timer = setTimeout(() => {
          const at = this.#waiting.indexOf(queued)
          if (at < 0) return
          this.#waiting.splice(at, 1)
          reject(
            new EngineError({
              type: 'process_cluster_event_timeout_exception',
              reason: `failed to process cluster event (${source}) within ${durationText(timeoutInMillis * 1e6)}`,
            }),
          )
        }, timeoutInMillis)
      this.#waiting.push(queued)
      void this.#next()
    })
  }

  /** Changes that have run, failed ones among them. */
  counts(): NodeUse['stateUpdates'] {
    return { ...this.#counts }
  }

  /** All changes in the order in which they will run. */
  pending(): PendingChange[] {
    const now = performance.now()
    const show = (queued: Queued, executing: boolean): PendingChange => ({
      insertOrder: queued.insertOrder,
      priority: CHANGE_PRIORITIES[queued.priority]!,
      source: queued.source,
      executing,
      timeInQueueMillis: Math.floor(now - queued.queuedAt),
    })
    const waiting = [...this.#waiting].sort(byTurn).map(each => show(each, false))
    return this.#running === null ? waiting : [show(this.#running, true), ...waiting]
  }

  async #next(): Promise<void> {
    if (this.#running !== null || this.#waiting.length === 0) return
    const next = [...this.#waiting].sort(byTurn)[0]!
    this.#waiting.splice(this.#waiting.indexOf(next), 1)
    this.#running = next
    await next.run()
    this.#running = null
    void this.#next()
  }
}

function byTurn(a: Queued, b: Queued): number {
  return a.priority - b.priority || a.insertOrder - b.insertOrder
}
