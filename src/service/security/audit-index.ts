import { setTimeout as wait } from 'node:timers/promises'
import type { EngineApi } from '../../engine/api/engine-api.ts'
import { nodeSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { SystemIndex } from '../system-index.ts'
import { auditIndexNaming, type IndexNaming } from './audit-index-name.ts'

const PREFIX = 'plugins.security.audit'
/** Events of one write. */
const MAX_BATCH = 500
/** Between two tries where events cannot be written. */
const PAUSE_IN_MILLIS = 1_000
/** Indices that are known to be there: those of a few days. */
const MAX_KNOWN = 4

/** An event of the audit log. */
export type AuditEvent = Readonly<Record<string, string | number | readonly string[] | undefined>>

interface Queued {
  readonly index: string
  readonly event: AuditEvent
}

/**
 * Writes events of the audit log to an index, behind the requests that they tell of.
 *
 * They are written as the node's own, which no event tells of. No more than
 * `plugins.security.audit.threadpool.max_queue_len` of them wait; what comes beyond is lost, and the log of the node
 * says how much that was. Where an index takes no writes, they wait and are tried again.
 */
export class AuditIndex {
  readonly #engine: EngineApi
  readonly #nameAt: IndexNaming
  readonly #maxQueued: number
  readonly #indices = new Map<string, SystemIndex<AuditEvent>>()
  readonly #ending = new AbortController()
  #queue: Queued[] = []
  #lost = 0
  #writing: Promise<void> | null = null

  constructor(engine: EngineApi, settings: Settings) {
    this.#engine = engine
    this.#nameAt = auditIndexNaming(nodeSettings.text(settings, `${PREFIX}.config.index`))
    this.#maxQueued = nodeSettings.number(settings, `${PREFIX}.threadpool.max_queue_len`)!
    engine.writeAtClose(() => this.#stop())
  }

  /** Takes an event, to be written soon. @param millis when it was */
  add(event: AuditEvent, millis: number): void {
    if (this.#ending.signal.aborted) return
    if (this.#queue.length >= this.#maxQueued) this.#lost++
    else this.#queue.push({ index: this.#nameAt(millis), event })
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = null
    })
  }

  async #writeAll(): Promise<void> {
    const { signal } = this.#ending
    // Events of one turn are one write.
    await new Promise(setImmediate)
    let hasFailed = false
    while (this.#queue.length > 0) {
      const batch = this.#nextBatch()
      try {
        await this.#indexOf(batch[0]!.index).addAll(batch.map(({ event }) => event))
        this.#queue.splice(0, batch.length)
        hasFailed = false
        this.#tellLost()
      } catch (error) {
        if (!hasFailed) this.#warn(`events cannot be written: ${reasonOf(error)}`)
        hasFailed = true
        // The last try is the one of the end.
        if (signal.aborted) return
        await wait(PAUSE_IN_MILLIS, undefined, { signal, ref: false }).catch(() => {})
      }
    }
  }

  /** The oldest events of one index. */
  #nextBatch(): readonly Queued[] {
    const { index } = this.#queue[0]!
    const other = this.#queue.findIndex(queued => queued.index !== index)
    return this.#queue.slice(0, Math.min(MAX_BATCH, other < 0 ? this.#queue.length : other))
  }

  #indexOf(name: string): SystemIndex<AuditEvent> {
    let index = this.#indices.get(name)
    if (index === undefined) {
      if (this.#indices.size >= MAX_KNOWN) this.#indices.clear()
      index = new SystemIndex(this.#engine, name, {}, { isOpen: true })
      this.#indices.set(name, index)
    }
    return index
  }

  #tellLost(): void {
    if (this.#lost === 0) return
    this.#warn(`${this.#lost} events were lost: more than [${this.#maxQueued}] waited`)
    this.#lost = 0
  }

  #warn(message: string): void {
    this.#engine.log({ logger: 'audit', level: 'WARN', message })
  }

  async #stop(): Promise<void> {
    this.#ending.abort()
    await this.#writing
    if (this.#queue.length > 0) this.#warn(`${this.#queue.length} events were lost at the end`)
    this.#tellLost()
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown'
}
