/**
 * Runs jobs that are due, one step of each, and takes new indices on. Works in turns of a millisecond, so that searches
 * on the same thread wait no longer; jobs run one after the other, and what they changed is written in batches.
 */
import type { EngineApi } from '../../engine/api/engine-api.ts'
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
import { type JobHost, runJob, standsStill } from './run-job.ts'
import {
  betterChoice,
  type Choice,
  isOpenToTemplates,
  newlyManaged,
  restriction,
} from './take-on.ts'

/** Indices that are looked at together. */
const BATCH = 20
/** A search waits for two or three of them, and for a collection of memory amid one. */
const TURN_IN_MILLIS = 1

/** The sweep of one node. */
export class JobSweep {
  readonly #engine: EngineApi
  readonly #ports: IsmPorts
  readonly #store: IsmStore
  readonly #history: IsmHistory
  /** By the uuid of the index. */
  readonly #schedules = new Map<string, JobSchedule>()
  /** Names that templates were held against, with the uuid of the index that had them. */
  readonly #seen = new Map<string, string>()
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
    await this.#takeOn(isFull, now)
    await this.#letGo()
    this.#seenVersion = version
    if (isFull) this.#fullSweepAt = now
  }

  async #takeOn(isFull: boolean, now: number): Promise<void> {
    const { cluster } = this.#engine
    const fresh: string[] = []
    for (const name of cluster.indexNames()) {
      const uuid = cluster.uuidOf(name)
      // An index of the same name may have come in the place of one that was deleted.
      if (uuid !== null && (isFull || this.#seen.get(name) !== uuid)) {
        this.#seen.set(name, uuid)
        if (!this.#store.managed.has(uuid)) fresh.push(name)
      }
      if (this.#isTurnOver()) await this.#nextTurn()
    }
    for (const name of this.#seen.keys()) {
      if (cluster.uuidOf(name) === null) this.#seen.delete(name)
      if (this.#isTurnOver()) await this.#nextTurn()
    }
    const isRestricted = restriction(this.#engine)
    for (let at = 0; at < fresh.length; at += BATCH) {
      const added: ManagedIndex[] = []
      for (const view of this.#views(fresh.slice(at, at + BATCH))) {
        if (!isOpenToTemplates(view, isRestricted)) continue
        const choice = await this.#choiceFor(view)
        if (choice === null || this.#store.managed.has(view.uuid)) continue
        added.push(newlyManaged(view, choice.stored, choice.stored.caller, now))
      }
      await this.#store.change(added, [])
      if (this.#isTurnOver()) await this.#nextTurn()
    }
  }

  async #choiceFor(view: IndexView): Promise<Choice | null> {
    let best: Choice | null = null
    for (const stored of this.#store.policies.values()) {
      best = betterChoice(best, stored, view)
      if (this.#isTurnOver()) await this.#nextTurn()
    }
    return best
  }

  async #letGo(): Promise<void> {
    const { cluster } = this.#engine
    const gone: string[] = []
    for (const { index, uuid } of this.#store.managed.values()) {
      if (cluster.uuidOf(index) !== uuid) gone.push(uuid)
      if (this.#isTurnOver()) await this.#nextTurn()
    }
    await this.#store.change([], gone)
    for (const uuid of gone) this.#schedules.delete(uuid)
  }

  /** Goes through the jobs in their place: a list of all that are due would be kept for many turns. */
  async #runDue(settings: IsmSettings): Promise<void> {
    const now = this.#ports.now()
    let isChecked = false
    let batch: ManagedIndex[] = []
    for (const managed of this.#store.managed.values()) {
      if (this.#isStopped) return
      if (this.#isTurnOver()) await this.#nextTurn()
      if (!managed.isEnabled) continue
      const schedule = this.#scheduleOf(managed, settings, now)
      if (schedule.dueAt > now) continue
      // Some steps could make it worse.
      if (!isChecked && this.#engine.cluster.isRed) return
      isChecked = true
      schedule.dueAt = nextRun(managed, schedule, settings, now)
      if (standsStill(managed, settings, now)) continue
      batch.push(managed)
      if (batch.length < BATCH) continue
      await this.#runBatch(batch, settings, now)
      batch = []
    }
    await this.#runBatch(batch, settings, now)
  }

  async #runBatch(
    batch: readonly ManagedIndex[],
    settings: IsmSettings,
    now: number,
  ): Promise<void> {
    const views = new Map<string, IndexView>()
    for (const view of this.#views(batch.map(({ index }) => index))) views.set(view.uuid, view)
    const changed = new Map<string, ManagedIndex>()
    const gone: string[] = []
    for (const managed of batch) {
      if (this.#isStopped) break
      const view = views.get(managed.uuid)
      // Changed or removed by a call, or deleted meanwhile.
      if (view === undefined || this.#store.managed.get(managed.uuid) !== managed) continue
      const after = await this.#runOne(managed, view, settings, now)
      if (after === null) gone.push(managed.uuid)
      else if (after !== managed) changed.set(managed.uuid, after)
      if (this.#isTurnOver()) await this.#nextTurn()
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

  #scheduleOf(managed: ManagedIndex, settings: IsmSettings, now: number): JobSchedule {
    const known = this.#schedules.get(managed.uuid)
    // An interval that was shortened counts at once.
    const latest = now + settings.jobIntervalInMillis * (1 + settings.jitter)
    if (known !== undefined && known.dueAt <= latest) return known
    const schedule = known ?? new JobSchedule(managed.uuid)
    // Runs that fell into the time before this process are not made up for.
    const after = Math.max(this.#openedAt, managed.startTime)
    schedule.dueAt = nextRun(managed, schedule, settings, after)
    if (known === undefined) this.#schedules.set(managed.uuid, schedule)
    return schedule
  }

  #views(names: readonly string[]): readonly IndexView[] {
    return names.length === 0 ? [] : viewsOf(this.#engine, namedIndices(names, true))
  }

  #isTurnOver(): boolean {
    return performance.now() - this.#turnBegan >= TURN_IN_MILLIS
  }

  async #nextTurn(): Promise<void> {
    await new Promise(resolve => setImmediate(resolve))
    this.#turnBegan = performance.now()
  }
}

/** When a job runs; its numbers are written in place, where a map would take memory for each. */
class JobSchedule {
  /** Milliseconds since 1970. */
  dueAt = Number.NaN
  /** The part of an interval by which it runs later, 0–1: an index has it for good. */
  readonly share: number

  constructor(uuid: string) {
    this.share = (murmur3(encodeUtf8(uuid), 0) >>> 0) / 2 ** 32
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
  { startTime }: ManagedIndex,
  { share }: JobSchedule,
  { jobIntervalInMillis, jitter }: IsmSettings,
  after: number,
): number {
  const first = startTime + share * jitter * jobIntervalInMillis
  const passed = Math.floor((after - first) / jobIntervalInMillis)
  return first + Math.max(1, passed + 1) * jobIntervalInMillis
}
