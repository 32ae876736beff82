import type { LeafPart } from '../search/collector/collect-spec.ts'
import type { Collector, LeafCollector } from '../search/collector/collector.ts'
import type { GatherTimer } from '../search/collector/gather.ts'
import type { BatchClock } from '../search/scorer/batch-clock.ts'
import type { Scorer, ScorerSupplier } from '../search/scorer/scorer.ts'
import type { CollectorRole, SliceListener } from '../search/search-slice.ts'
import { nowInNanos } from '../util/clock.ts'
import { BatchTimes } from './batch-times.ts'
import { GatherClock } from './gather-clock.ts'
import { NodeTimers, ProfilingSupplier } from './profiling-scorer.ts'
import type { CollectorProfile, LeafProfile, SliceProfile } from './slice-profile.ts'
import { calibratedOverhead, type SamplingMode, Timer } from './timer.ts'

/** Options of a slice's profile. */
export interface ProfilerOptions {
  readonly sampling: SamplingMode
  /** Concurrent: timers for each leaf. Sequential: the same timers over all leaves. */
  readonly perLeaf: boolean
}

/** The listener of one slice, on the thread that runs it. */
export class SliceProfiler implements SliceListener {
  readonly #options: ProfilerOptions
  readonly #overhead: number
  readonly #now: () => number
  readonly #leaves: LeafProfile[] = []
  readonly #collectors: ProfilingCollector[] = []
  readonly #gathers: GatherClock[] = []
  readonly #start: number
  readonly #batchTimes: BatchTimes
  /** Null in the reference mode, which has sampled calls only. */
  readonly batches: BatchClock | null
  #nodes: (NodeTimers | null)[]
  #part: LeafPart | null = null

  /** @param nodeCount nodes of the weight */
  constructor(nodeCount: number, options: ProfilerOptions, now: () => number = nowInNanos) {
    this.#options = options
    this.#overhead = options.sampling === 'reference' ? 0 : calibratedOverhead()
    this.#now = now
    this.#batchTimes = new BatchTimes(now)
    this.batches = options.sampling === 'reference' ? null : this.#batchTimes
    this.#nodes = new Array<NodeTimers | null>(nodeCount).fill(null)
    this.#start = now()
  }

  beginLeaf(part: LeafPart): void {
    this.#part = part
    if (this.#options.perLeaf) this.#nodes.fill(null)
  }

  endLeaf(): void {
    const part = this.#part
    if (part === null) return
    this.#part = null
    // In sequential mode one set of timers covers all leaves and is read once, at the end.
    const nodes = this.#options.perLeaf ? this.#readings() : []
    this.#leaves.push({ ...part, end: this.#now(), nodes })
  }

  readonly wrapSupplier = (
    nodeId: number,
    make: () => ScorerSupplier | null,
  ): ScorerSupplier | null => {
    let timers = this.#nodes[nodeId] ?? null
    if (timers === null) {
      timers = new NodeTimers(this.#options.sampling, this.#overhead, this.#now, this.#batchTimes)
      this.#nodes[nodeId] = timers
    }
    timers.buildScorer.start()
    const supplier = make()
    timers.buildScorer.stop()
    return supplier === null ? null : new ProfilingSupplier(supplier, timers)
  }

  wrapCollector(role: CollectorRole, collector: Collector): Collector {
    const timer = new Timer(this.#options.sampling, this.#overhead, this.#now, this.#batchTimes)
    const wrapped = new ProfilingCollector(role, collector, timer)
    this.#collectors.push(wrapped)
    return wrapped
  }

  gatherTimer(): GatherTimer {
    const clock = new GatherClock(this.#now)
    this.#gathers.push(clock)
    return clock
  }

  /**
   * The measurements, once the slice has ended.
   * @param worker number of this thread, −1 for the calling thread
   * @param queued time at which the slice was queued
   */
  finish(sliceId: number, worker: number, queued: number): SliceProfile {
    const end = this.#now()
    if (!this.#options.perLeaf && this.#leaves.length > 0) {
      const last = this.#leaves.length - 1
      this.#leaves[last] = { ...(this.#leaves[last] as LeafProfile), nodes: this.#readings() }
    }
    const collectors = this.#collectors.map(each => each.profile(end))
    const gathers = this.#gathers.map(each => each.reading())
    return {
      sliceId,
      worker,
      queued,
      start: this.#start,
      end,
      leaves: this.#leaves,
      collectors,
      gathers,
    }
  }

  #readings(): LeafProfile['nodes'] {
    return this.#nodes.map(timers =>
      timers === null ? null : timers.all().map(timer => timer.reading()),
    )
  }
}

/** Times a collector's calls, inner collectors included. */
class ProfilingCollector implements Collector, LeafCollector {
  readonly #role: CollectorRole
  readonly #collector: Collector
  readonly #timer: Timer
  #leaf: LeafCollector | null = null

  constructor(role: CollectorRole, collector: Collector, timer: Timer) {
    this.#role = role
    this.#collector = collector
    this.#timer = timer
  }

  openLeaf(...leaf: Parameters<Collector['openLeaf']>): LeafCollector {
    this.#timer.start()
    this.#leaf = this.#collector.openLeaf(...leaf)
    this.#timer.stop()
    return this
  }

  setScorer(scorer: Scorer): void {
    this.#timer.start()
    this.#leaf?.setScorer(scorer)
    this.#timer.stop()
  }

  collect(docId: number): void {
    this.#timer.start()
    this.#leaf?.collect(docId)
    this.#timer.stop()
  }

  profile(end: number): CollectorProfile {
    const { start, time } = this.#timer.reading()
    // Extrapolated times may exceed the slice's own time.
    const maxTime = Math.max(1, end - start)
    return { role: this.#role, start, time: start === 0 ? 0 : Math.min(time, maxTime) }
  }
}
