/**
 * Runs jobs that are due, one step of each, and takes new indices on. Works in turns of 2 ms, so that searches
 * on the same thread wait no longer; jobs run one after the other, and what they changed is written in batches.
 */
import type { EngineApi } from '../../engine/api/engine-api.ts'
import { trusted } from '../../task/call-context.ts'
import { encodeUtf8 } from '../../util/bytes.ts'
import { isSamePlain } from '../../util/json/plain-equality.ts'
import { murmur3 } from '../../util/murmur3.ts'
import { IsmHistory } from './history.ts'
import { type IndexView, namedIndices, viewsOf } from './index-view.ts'
import { type IsmSettings, ismSettings } from './ism-settings.ts'
import type { IsmStore } from './ism-store.ts'
import type { ManagedIndex } from './managed-index.ts'
import type { IsmPorts } from './ports.ts'
import { hasFailed } from './progress.ts'
import { type JobHost, runJob } from './run-job.ts'
import { newlyManaged, policyFor, restriction } from './take-on.ts'

/** Indices that are looked at together. */
const BATCH = 100
const TURN_IN_MILLIS = 2

/** The sweep of one node. */
export class JobSweep {
  readonly #engine: EngineApi
  readonly #ports: IsmPorts
  readonly #store: IsmStore
  readonly #history: IsmHistory
  /** When the job of an index is due, by uuid. */
  readonly #due = new Map<string, number>()
  /** Names that templates were held against, with the index that had them. */
  #seen = new Map<string, string>()
  #seenVersion = -1
  #fullSweepAt = Number.NEGATIVE_INFINITY
  #wasEnabled = true
  #running: Promise<void> | null = null
  #isStopped = false
  #turnBegan = 0
  readonly #openedAt: number

  constructor(engine: EngineApi, ports: IsmPorts, store: IsmStore) {
    this.#engine = engine
    this.#ports = ports
    this.#store = store
    this.#history = new IsmHistory(engine, ports)
    this.#openedAt = ports.now()
  }

  /** Runs what is due; a call while another one works waits for that and begins anew. */
  async run(): Promise<void> {
    while (this.#running !== null) await this.#running
    if (this.#isStopped) return
    const running = this.#sweep().finally(() => {
      this.#running = null
    })
    this.#running = running
    await running
  }

  /** Ends after the job that runs. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#running?.catch(() => {})
  }

  async #sweep(): Promise<void> {
    this.#turnBegan = performance.now()
    const settings = ismSettings(this.#engine)
    await this.#history.keepUp(settings.history)
    await this.#switch(settings)
    if (settings.isEnabled) await this.#lookAround(settings)
    await this.#runDue(settings)
  }

  /** Jobs that were disabled while management was off run again. */
  async #switch({ isEnabled }: IsmSettings): Promise<void> {
    const isBack = isEnabled && !this.#wasEnabled
    this.#wasEnabled = isEnabled
    if (!isBack) return
    const idle = [...this.#store.managed.values()].filter(
      ({ isEnabled: runs, progress }) =>
        !runs && progress !== null && !progress.policyCompleted && !hasFailed(progress),
    )
    await this.#store.change(
      idle.map(managed => ({ ...managed, isEnabled: true })),
      [],
    )
  }

  /** Takes on indices that are new since the last look, and lets deleted ones go. */
  async #lookAround({ sweepPeriodInMillis }: IsmSettings): Promise<void> {
    const { cluster } = this.#engine
    const now = this.#ports.now()
    const isFull = now - this.#fullSweepAt >= sweepPeriodInMillis
    const version = cluster.stateVersion
    if (!isFull && version === this.#seenVersion) return
    if (this.#store.managed.size === 0 && this.#store.policies.size === 0) return
    const names = cluster.indexNames()
    const before = isFull ? new Map<string, string>() : this.#seen
    await this.#yield()
    // An index of the same name may have come in the place of one that was deleted.
    const some = namedIndices(names.slice(0, 1), true)
    const { tombstones } = cluster.state(some, trusted('cluster:monitor/state'))
    const deleted = new Set(tombstones.map(({ uuid }) => uuid))
    const seen = new Map<string, string>()
    const fresh: string[] = []
    for (const name of names) {
      const uuid = before.get(name)
      if (uuid === undefined || deleted.has(uuid)) fresh.push(name)
      else seen.set(name, uuid)
    }
    await this.#yield()
    await this.#takeOn(fresh, seen, now)
    await this.#letGo(seen)
    this.#seen = seen
    this.#seenVersion = version
    if (isFull) this.#fullSweepAt = now
  }

  async #takeOn(names: readonly string[], seen: Map<string, string>, now: number): Promise<void> {
    const candidates = [...this.#store.policies.values()].filter(
      ({ policy }) => policy.templates !== null,
    )
    const isRestricted = restriction(this.#engine)
    for (let at = 0; at < names.length; at += BATCH) {
      const added: ManagedIndex[] = []
      for (const view of this.#views(names.slice(at, at + BATCH))) {
        seen.set(view.name, view.uuid)
        if (candidates.length === 0 || this.#store.managed.has(view.uuid)) continue
        const found = policyFor(view, candidates, isRestricted)
        if (found !== null) added.push(newlyManaged(view, found, found.caller, now))
        await this.#yield()
      }
      await this.#store.change(added, [])
      await this.#yield()
    }
  }

  async #letGo(seen: ReadonlyMap<string, string>): Promise<void> {
    const gone: string[] = []
    for (const { index, uuid } of this.#store.managed.values())
      if (seen.get(index) !== uuid && this.#views([index])[0]?.uuid !== uuid) gone.push(uuid)
    await this.#store.change([], gone)
    for (const uuid of gone) this.#due.delete(uuid)
  }

  async #runDue(settings: IsmSettings): Promise<void> {
    const now = this.#ports.now()
    const due = [...this.#store.managed.values()].filter(
      managed => managed.isEnabled && this.#dueAt(managed, settings, now) <= now,
    )
    if (due.length === 0) return
    await this.#yield()
    // Some steps could make it worse.
    if (await this.#isRed()) return
    for (let at = 0; at < due.length && !this.#isStopped; at += BATCH)
      await this.#runBatch(due.slice(at, at + BATCH), settings, now)
  }

  async #isRed(): Promise<boolean> {
    const { cluster } = this.#engine
    // Those of the last look: to name 10,000 anew takes longer than a turn.
    const names = [...this.#seen.keys()]
    for (let at = 0; at < names.length; at += BATCH) {
      const batch = namedIndices(names.slice(at, at + BATCH), true)
      const { status } = cluster.health(batch, trusted('cluster:monitor/health'))
      if (status === 'red') return true
      await this.#yield()
    }
    return false
  }

  async #runBatch(
    batch: readonly ManagedIndex[],
    settings: IsmSettings,
    now: number,
  ): Promise<void> {
    const views = new Map(
      this.#views(batch.map(({ index }) => index)).map(view => [view.uuid, view]),
    )
    await this.#yield()
    const changed = new Map<string, ManagedIndex>()
    const gone: string[] = []
    for (const managed of batch) {
      if (this.#isStopped) break
      this.#due.set(managed.uuid, nextRun(managed, settings, now))
      const view = views.get(managed.uuid)
      // Changed or removed by a call, or deleted meanwhile.
      if (view === undefined || this.#store.managed.get(managed.uuid) !== managed) continue
      const after = await this.#runOne(managed, view, settings, now)
      if (after === null) gone.push(managed.uuid)
      else if (after !== managed) changed.set(managed.uuid, after)
      await this.#yield()
    }
    const shown = [...changed.values()].filter(
      managed => this.#store.managed.get(managed.uuid) === managed,
    )
    await this.#write(shown, gone)
  }

  /** A step that is not written down is found done, or done again, by the next process. */
  async #write(shown: readonly ManagedIndex[], gone: readonly string[]): Promise<void> {
    try {
      await this.#store.write(shown, gone)
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unknown'
      const message = `how far indices have come was not written down: ${why}`
      this.#engine.log({ logger: 'ism', level: 'WARN', message })
    }
  }

  /** @returns the same record where nothing changed, or another hand was faster; null: the index is gone */
  async #runOne(
    managed: ManagedIndex,
    view: IndexView,
    settings: IsmSettings,
    now: number,
  ): Promise<ManagedIndex | null> {
    let shown = managed
    const isCurrent = (): boolean => this.#store.managed.get(managed.uuid) === shown
    const show = (next: ManagedIndex): void => {
      if (!isCurrent()) return
      this.#store.show(next)
      shown = next
    }
    const host: JobHost = {
      engine: this.#engine,
      ports: this.#ports,
      settings,
      now,
      policy: id => this.#store.policies.get(id) ?? null,
      show,
      tellLast: last => this.#history.add(last, settings.history),
      keep: async next => {
        show(next)
        if (isCurrent()) await this.#store.write([next], [])
      },
    }
    const after = await runJob(host, managed, view)
    if (!isCurrent()) return managed
    if (after === null) {
      this.#store.forget(managed.uuid)
      return null
    }
    const isSame = after === managed || isAlike(after, managed)
    show(isSame ? managed : after)
    if (!isSame && after.progress !== managed.progress) this.#history.add(after, settings.history)
    return isSame ? managed : after
  }

  #dueAt(managed: ManagedIndex, settings: IsmSettings, now: number): number {
    const known = this.#due.get(managed.uuid)
    // An interval that was shortened counts at once.
    const latest = now + settings.jobIntervalInMillis * (1 + settings.jitter)
    if (known !== undefined && known <= latest) return known
    // Runs that fell into the time before this process are not made up for.
    const due = nextRun(managed, settings, Math.max(this.#openedAt, managed.startTime))
    this.#due.set(managed.uuid, due)
    return due
  }

  #views(names: readonly string[]): readonly IndexView[] {
    return names.length === 0 ? [] : viewsOf(this.#engine, namedIndices(names, true))
  }

  async #yield(): Promise<void> {
    if (performance.now() - this.#turnBegan < TURN_IN_MILLIS) return
    await new Promise(resolve => setImmediate(resolve))
    this.#turnBegan = performance.now()
  }
}

/** Whether two records of an index say the same; most runs find that nothing is to be done yet. */
function isAlike(a: ManagedIndex, b: ManagedIndex): boolean {
  return (
    a.policy === b.policy &&
    a.isEnabled === b.isEnabled &&
    isSamePlain(a.changePolicy, b.changePolicy) &&
    isSamePlain(a.progress, b.progress)
  )
}

/**
 * The next moment at which a job runs: once in each interval since its start, a part of the interval later
 * that its index has for good, so that the jobs of a node do not come all at once.
 */
function nextRun(
  { uuid, startTime }: ManagedIndex,
  { jobIntervalInMillis, jitter }: IsmSettings,
  after: number,
): number {
  const share = (murmur3(encodeUtf8(uuid), 0) >>> 0) / 2 ** 32
  const first = startTime + share * jitter * jobIntervalInMillis
  const passed = Math.floor((after - first) / jobIntervalInMillis)
  return first + Math.max(1, passed + 1) * jobIntervalInMillis
}
