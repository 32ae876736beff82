import type { EngineApi } from '../../engine/api/engine-api.ts'
import { nodeSettings } from '../../schema/setting-registry.ts'
import type { Settings } from '../../schema/settings.ts'
import { SystemIndex } from '../system-index.ts'
import { WriteBehind } from '../write-behind.ts'
import { auditIndexNaming, type IndexNaming } from './audit-index-name.ts'

const PREFIX = 'plugins.security.audit'
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
 * `plugins.security.audit.threadpool.max_queue_len` of them wait.
 */
export class AuditIndex {
  readonly #engine: EngineApi
  readonly #nameAt: IndexNaming
  readonly #indices = new Map<string, SystemIndex<AuditEvent>>()
  readonly #queue: WriteBehind<Queued>

  constructor(engine: EngineApi, settings: Settings) {
    this.#engine = engine
    this.#nameAt = auditIndexNaming(nodeSettings.text(settings, `${PREFIX}.config.index`))
    const maxQueued = nodeSettings.number(settings, `${PREFIX}.threadpool.max_queue_len`)!
    this.#queue = new WriteBehind(engine, {
      logger: 'audit',
      noun: 'events',
      maxQueued: () => maxQueued,
      isTogether: (a, b) => a.index === b.index,
      write: batch => this.#indexOf(batch[0]!.index).offerAll(batch.map(({ event }) => event)),
    })
  }

  /** Takes an event, to be written soon. @param millis when it was */
  add(event: AuditEvent, millis: number): void {
    this.#queue.add({ index: this.#nameAt(millis), event })
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
}
