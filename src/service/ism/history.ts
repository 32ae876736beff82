/** The history of managed indices: a document for each step that ended, in indices that follow one another. */
import type { EngineApi } from '../../engine/api/engine-api.ts'
import type { CreateIndex } from '../../engine/api/indices.ts'
import { trusted } from '../../task/call-context.ts'
import { encodeUtf8 } from '../../util/bytes.ts'
import { parseJsonTree } from '../../util/json/json-tree.ts'
import type { JsonRecord } from '../../util/json/json-value.ts'
import { SystemIndex } from '../system-index.ts'
import { WriteBehind } from '../write-behind.ts'
import { HISTORY_MAPPINGS } from './history-mappings.ts'
import { ALL_INDICES, type IndexView, namedIndices, oneIndex, viewsOf } from './index-view.ts'
import { type HistorySettings, ismSettings } from './ism-settings.ts'
import { type ManagedIndex, printProgress } from './managed-index.ts'
import type { IsmPorts } from './ports.ts'
import { sizesOf } from './shard-stats.ts'

const BASE = '.opendistro-ism-managed-index-history'
const WRITE_ALIAS = `${BASE}-write`
/** Steps that wait to be written, at most: those of one sweep over as many indices as a node bears. */
const MAX_QUEUED = 20_000

interface HistoryDocument {
  readonly managed_index_meta_data: JsonRecord
}

interface Ended {
  readonly managed: ManagedIndex
  readonly millis: number
}

/**
 * Keeps the history of one node. Jobs never wait for it: steps are written behind them, and what cannot be written
 * is told in the log.
 */
export class IsmHistory {
  readonly #engine: EngineApi
  readonly #ports: Pick<IsmPorts, 'now'>
  readonly #queue: WriteBehind<Ended>
  #checkedAt = Number.NEGATIVE_INFINITY

  constructor(engine: EngineApi, ports: Pick<IsmPorts, 'now'>) {
    this.#engine = engine
    this.#ports = ports
    const first = (): Pick<CreateIndex, 'name' | 'settings' | 'aliases'> => ({
      name: this.#nameOf('1'),
      settings: settingsOf(ismSettings(engine).history),
      aliases: parseJsonTree(encodeUtf8(JSON.stringify({ [WRITE_ALIAS]: {} }))),
    })
    const index = new SystemIndex<HistoryDocument>(engine, WRITE_ALIAS, HISTORY_MAPPINGS, {
      isOpen: true,
      first,
    })
    this.#queue = new WriteBehind(engine, {
      logger: 'ism',
      noun: 'steps of the history',
      maxQueued: () => MAX_QUEUED,
      write: batch => index.offerAll(batch.map(documentOf)),
    })
  }

  /** Takes down how far an index has come, unless its step only waits. */
  add(managed: ManagedIndex, { isEnabled }: HistorySettings): void {
    const status = managed.progress?.step?.status
    if (!isEnabled || status === 'starting' || status === 'condition_not_met') return
    this.#queue.add({ managed, millis: this.#ports.now() })
  }

  /** Once in each period: goes on to a new index where the present one is old or large, and deletes old ones. */
  async keepUp(settings: HistorySettings): Promise<void> {
    const now = this.#ports.now()
    if (now - this.#checkedAt < settings.checkPeriodInMillis) return
    this.#checkedAt = now
    try {
      if (settings.isEnabled) await this.#rollOver(settings, now)
      await this.#deleteOld(settings, now)
    } catch (error) {
      this.#warn('the history was not rolled over', error)
    }
  }

  async #rollOver(settings: HistorySettings, now: number): Promise<void> {
    const names = this.#engine.aliases.relations(WRITE_ALIAS).indices
    const [current] = names.length === 0 ? [] : viewsOf(this.#engine, namedIndices(names, true))
    if (current === undefined) return
    const isDue =
      now - current.createdAtInMillis >= settings.maxAgeInMillis ||
      (await sizesOf(this.#engine, current.name)).docCount >= settings.maxDocs
    if (!isDue) return
    await this.#engine.indices.rollOver(
      {
        name: WRITE_ALIAS,
        newIndex: this.#nextName(current),
        conditions: [],
        body: {
          settings: settingsOf(settings),
          mappings: parseJsonTree(encodeUtf8(JSON.stringify(HISTORY_MAPPINGS))),
          aliases: null,
        },
        isDryRun: false,
        waitForActiveShards: null,
      },
      trusted('indices:admin/rollover'),
    )
  }

  /** The name of today with the number of an index one up; null: it ends with none, which a rollover refuses. */
  #nextName({ name }: IndexView): string | null {
    const [, digits] = /-(\d+)$/.exec(name) ?? []
    if (digits === undefined) return null
    return this.#nameOf(String(BigInt(digits) + 1n).padStart(6, '0'))
  }

  #nameOf(count: string): string {
    const day = new Date(this.#ports.now()).toISOString().slice(0, 10).replaceAll('-', '.')
    return `${BASE}-${day}-${count}`
  }

  /** The one that is written to stays while there is a history. */
  async #deleteOld({ retentionInMillis, isEnabled }: HistorySettings, now: number): Promise<void> {
    const all = viewsOf(this.#engine, { ...ALL_INDICES, names: [`${BASE}*`] })
    const old = all.filter(
      ({ createdAtInMillis, aliases }) =>
        now - createdAtInMillis > retentionInMillis &&
        !(isEnabled && aliases.includes(WRITE_ALIAS)),
    )
    for (const { name } of old)
      await this.#engine.indices
        .delete(oneIndex(name), trusted('indices:admin/delete'))
        .catch((error: unknown) => this.#warn(`[${name}] was not deleted`, error))
  }

  #warn(what: string, error: unknown): void {
    const why = error instanceof Error ? error.message : 'unknown'
    this.#engine.log({ logger: 'ism', level: 'WARN', message: `${what}: ${why}` })
  }
}

function settingsOf({ shards, replicas }: HistorySettings): CreateIndex['settings'] {
  return new Map([
    ['index.hidden', 'true'],
    ['index.number_of_shards', String(shards)],
    ['index.number_of_replicas', String(replicas)],
  ])
}

function documentOf({ managed, millis }: Ended): HistoryDocument {
  return { managed_index_meta_data: { ...printProgress(managed), history_timestamp: millis } }
}
