import type { Cancellation } from '../util/cancellation.ts'
import { cancelledError, refuseCancelled, untilCancelled } from '../util/cancelled-error.ts'
import type { LiveSegment } from './live-segment.ts'
import {
  chooseMerge,
  type ForcedMerge,
  type MergeCandidate,
  type MergeChoice,
} from './merge-choice.ts'
import { runMerge } from './merge-run.ts'
import type { SegmentList } from './segment-list.ts'
import type { ShardContext } from './shard-context.ts'
import type { ShardState } from './shard-state.ts'
import { measure, type ShardTallies } from './tally.ts'

/** The interface of a shard to its merges. */
export interface MergedShard {
  readonly context: ShardContext
  readonly segments: SegmentList
  readonly stats: ShardTallies
  readonly state: ShardState
  /** Reserves the stem of a new segment. */
  takeStem(): string
  /** Seals the buffer into a segment, as a serial step, which its signal may give up: the buffer stays. */
  seal(signal: Cancellation | null): Promise<void>
}

/**
 * The merges of one shard: those that its policy selects after a refresh, and forced ones. One runs
 * at a time, concurrently with the shard's steps; only replacing the sources is a step.
 */
export class ShardMerges {
  readonly #shard: MergedShard
  #merging: Promise<LiveSegment | null> | null = null
  #forcing: Promise<unknown> | null = null

  constructor(shard: MergedShard) {
    this.#shard = shard
  }

  /** Starts the merge that the policy selects, unless one runs. */
  startDue(): void {
    const { context, segments } = this.#shard
    const isBusy = this.#merging !== null || this.#forcing !== null
    if (isBusy || this.#shard.state.refusal !== null) return
    const chosen = chooseMerge(segments.all.map(asCandidate), context.settings().merge, null)
    if (chosen === null) return
    // A failed merge changes nothing: the sources stay, and a later refresh tries again.
    this.#start(segments.all, chosen, null).catch((error: unknown) => {
      if (!this.#shard.state.isClosed) context.onFailure(error)
    })
  }

  /**
   * Runs forced merges until their target is reached, one call after another. Concurrent writes are
   * not waited for.
   * @param signal for whom they run; null: for nobody in particular
   * @throws {EngineError} `task_cancelled_exception`: given up, between two merges or amid one
   * @throws the failure of the shard or of a merge
   */
  async force(forced: ForcedMerge, signal: Cancellation | null): Promise<void> {
    while (this.#forcing !== null) await untilCancelled(this.#forcing, signal)
    const run = this.#force(forced, signal)
    this.#forcing = run
      .catch(() => {})
      .finally(() => {
        this.#forcing = null
      })
    // Its merge ends once its thread sees the cancellation, and later ones wait for that.
    await untilCancelled(run, signal)
  }

  /** Resolves when no merge runs and no step is left. */
  async idle(): Promise<void> {
    while (this.#merging !== null) await this.#merging.catch(() => {})
    await this.#shard.state.settled()
  }

  async #force(forced: ForcedMerge, signal: Cancellation | null): Promise<void> {
    const shard = this.#shard
    const orCancelled = (error: unknown): never => {
      throw signal?.isCancelled === true ? cancelledError() : error
    }
    await shard.seal(signal).catch(orCancelled)
    await this.idle()
    const { merge } = shard.context.settings()
    // Segments appended from here on come after these and are left to later merges.
    const scope = new Set(shard.segments.all)
    const made = new Set<LiveSegment>()
    while (!shard.state.isClosed) {
      const { failure } = shard.state
      if (failure !== null) throw failure
      const segments = shard.segments.all.filter(segment => scope.has(segment))
      // Deletes that came during a merge are no reason to merge its segment again.
      const candidates = segments.map(segment => {
        const candidate = asCandidate(segment)
        return made.has(segment) ? { ...candidate, deletedCount: 0 } : candidate
      })
      const chosen = chooseMerge(candidates, merge, forced)
      if (chosen === null) break
      if (signal !== null) refuseCancelled(signal)
      const merged = await this.#start(segments, chosen, signal).catch(orCancelled)
      if (merged === null) continue
      scope.add(merged)
      made.add(merged)
    }
  }

  /** Merges adjacent segments concurrently with the shard's steps. */
  #start(
    segments: readonly LiveSegment[],
    { start, end }: MergeChoice,
    signal: Cancellation | null,
  ): Promise<LiveSegment | null> {
    const sources = segments.slice(start, end)
    const { stats } = this.#shard
    let docs = 0
    let bytes = 0
    for (const source of sources) {
      source.isMerging = true
      docs += source.maxDoc
      bytes += source.segment.fileBytes
    }
    stats.mergingDocs += docs
    stats.mergingBytes += bytes
    const run = measure(stats.merge, () => this.#merge(sources, signal)).finally(() => {
      for (const source of sources) source.isMerging = false
      stats.mergingDocs -= docs
      stats.mergingBytes -= bytes
      stats.mergedDocs += docs
      stats.mergedBytes += bytes
      this.#merging = null
    })
    this.#merging = run
    return run
  }

  /** The merged segment; null when it would be empty, or the shard was closed meanwhile. */
  async #merge(
    sources: readonly LiveSegment[],
    signal: Cancellation | null,
  ): Promise<LiveSegment | null> {
    const shard = this.#shard
    const { segments } = shard
    const stem = shard.takeStem()
    const { answer, carryDeletes } = await runMerge(shard.context, sources, stem, signal)
    const merged = await shard.state.serial(async () => {
      if (shard.state.refusal !== null) return null
      const made = segments.take(stem, answer.files, answer.maxDoc)
      if (made !== null) carryDeletes(made)
      segments.replace(sources, made)
      return made
    })
    shard.state.markDirty()
    return merged
  }
}

/** A segment as the merge policy sees it. */
function asCandidate({ segment, maxDoc, deletedCount }: LiveSegment): MergeCandidate {
  return { bytes: segment.sectionBytes, maxDoc, deletedCount }
}
