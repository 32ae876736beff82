import { randomBytes } from 'node:crypto'
import type { Manifest } from '../codec/manifest/format.ts'
import type { Snapshot } from '../segment/snapshot.ts'
import { refuseDamagedSegments } from '../segment/verify-segment.ts'
import type { Directory } from '../store/directory.ts'
import { logFileBytes } from '../store/translog/log-file.ts'
import type { LogLocation, LogOperation, Translog } from '../store/translog/translog.ts'
import type { Cancellation, ExecutionCounter } from '../util/cancellation.ts'
import { CorruptSegmentError, type EngineError } from '../util/errors.ts'
import { AcceptedOperations, type FoundDocument } from './accepted-operations.ts'
import { BufferWriter } from './buffer-writer.ts'
import { commitFileName, commitFiles, deleteUnreferenced, readLastCommit } from './commit.ts'
import { planCommit } from './commit-plan.ts'
import { type CommitSummary, summarizeCommit } from './commit-summary.ts'
import { HeldShard } from './held-shard.ts'
import type { LiveSegment } from './live-segment.ts'
import { LARGE_LOG_BYTES, replayLog } from './recovery.ts'
import { segmentStem } from './segment-files.ts'
import { SegmentList } from './segment-list.ts'
import type { ShardContext } from './shard-context.ts'
import { ShardMerges } from './shard-merges.ts'
import { beginRecovery, endRecovery, type ShardRecovery } from './shard-recovery.ts'
import { ShardState } from './shard-state.ts'
import { ShardWrites } from './shard-writes.ts'
import { measure, newTallies, type ShardTallies } from './tally.ts'
import { VersionMap } from './version-map.ts'
import type { ShardName, WriteOperation, WriteOutcome } from './write-operation.ts'

/** How a shard is closed. */
export interface CloseOptions {
  /** Writes that wait are written and committed; else they are refused. */
  readonly commit: boolean
  /** What refuses writes from now on; absent: `index_closed_exception`. */
  readonly reason?: EngineError
}

/**
 * One shard's write side, on the coordinating thread: its life from opening to closing. Steps that
 * change its list of segments (refresh, flush, a merge's swap, a run of writes) run one at a time,
 * through `ShardState`. Operations are written by `ShardWrites`.
 */
export class Shard {
  readonly name: ShardName
  readonly stats: ShardTallies = newTallies()
  readonly #context: ShardContext
  readonly #versions = new VersionMap()
  readonly #writer: BufferWriter
  readonly #segments: SegmentList
  readonly #merges: ShardMerges
  readonly #storeId: Uint8Array
  readonly #log: Translog
  readonly #primaryTerm: number
  readonly #state: ShardState
  readonly #writes: ShardWrites
  #nextSegment: number
  #commit: Manifest | null
  readonly #accepted: AcceptedOperations
  readonly #recovery: ShardRecovery
  #refreshWaiters: (() => void)[] = []

  /**
   * Opens a shard from its last commit point, or empty. Later operations of its log are applied by
   * `recover`.
   * @throws {CorruptSegmentError} a corrupt commit, a corrupt referenced file or a corrupt log
   */
  constructor(context: ShardContext) {
    this.#context = context
    this.name = context.name
    this.#state = new ShardState(context)
    const started = performance.now()
    const commit = readLastCommit(context.directory)
    this.#recovery = beginRecovery(commit)
    if (commit !== null && context.settings().isCheckedOnStartup) {
      const verified = performance.now()
      refuseDamagedSegments(context.directory, commit.segments, context.onMissed)
      this.#recovery.verifyInMillis = performance.now() - verified
    }
    this.#storeId = commit?.storeId ?? randomBytes(16)
    this.#nextSegment = commit?.nextSegment ?? 0
    this.#commit = commit
    const maxSeqNo = commit?.maxSeqNo ?? -1
    this.#primaryTerm = commit?.primaryTerm ?? 1
    this.#segments = new SegmentList(context, commit?.segments ?? [])
    try {
      this.#log = openLog(context, commit)
    } catch (error) {
      this.#segments.close()
      throw error
    }
    const logged = (from: number): Iterable<readonly [LogLocation, LogOperation]> =>
      this.#log.operations(from, this.maxSeqNo + 1)
    this.#writer = new BufferWriter(context, this.#versions, maxSeqNo + 1, logged)
    this.#accepted = new AcceptedOperations({
      name: context.name,
      stored: context.stored,
      versions: this.#versions,
      segments: this.#segments,
      writer: this.#writer,
      log: this.#log,
      maxSeqNo,
      primaryTerm: this.#primaryTerm,
      mayHaveTwins: () => context.settings().mayHaveTwins,
    })
    this.#writes = new ShardWrites({
      context,
      state: this.#state,
      stats: this.stats,
      writer: this.#writer,
      accepted: this.#accepted,
      log: this.#log,
      seal: () => this.#seal(),
    })
    this.#merges = new ShardMerges({
      context,
      segments: this.#segments,
      stats: this.stats,
      state: this.#state,
      takeStem: () => segmentStem(this.#nextSegment++),
      seal: signal => this.#state.serial(() => this.#seal(signal)),
    })
    this.#state.attempt(() => deleteUnreferenced(context.directory, commit))
    for (const name of this.#log.leftovers)
      this.#state.attempt(() => context.directory.delete(name))
    this.#recovery.indexInMillis = performance.now() - started
    endRecovery(this.#recovery)
  }

  /** The snapshot for searches; acquire it while it is used. */
  get snapshot(): Snapshot {
    return this.#segments.snapshot
  }

  get isClosed(): boolean {
    return this.#state.isClosed
  }

  get maxSeqNo(): number {
    return this.#accepted.maxSeqNo
  }

  get primaryTerm(): number {
    return this.#primaryTerm
  }

  /** The last durable commit. */
  get lastCommit(): CommitSummary {
    return summarizeCommit(this.#storeId, this.#commit)
  }

  /** Its folder. */
  get directory(): Directory {
    return this.#context.directory
  }

  /** Bytes of all segment files. */
  get storeBytes(): number {
    return this.#segments.fileBytes
  }

  get log(): Translog {
    return this.#log
  }

  /**
   * Replays the log's operations beyond the commit and makes them searchable. Call once, before the
   * first write.
   * @returns the number of operations
   * @throws {CorruptSegmentError} the log lacks acknowledged operations
   */
  recover(): Promise<number> {
    const recovery = this.#recovery
    recovery.type = 'existingStore'
    recovery.stage = 'translog'
    return this.#state.serial(async () => {
      const started = performance.now()
      recovery.loggedOperations = this.#log.stats().operations
      const count = await this.#replay()
      recovery.replayedOperations = count
      recovery.translogInMillis = performance.now() - started
      endRecovery(recovery)
      return count
    })
  }

  async #replay(): Promise<number> {
    const count = await replayLog({
      context: this.#context,
      log: this.#log,
      accepted: this.#accepted,
      takeStem: () => segmentStem(this.#nextSegment++),
      append: (stem, { files, maxDoc }) => this.#segments.append(stem, files, maxDoc),
    })
    if (count === 0) return count
    this.#writer.startAt(this.maxSeqNo + 1)
    this.#segments.publish()
    // Operations behind the log's checkpoint become readable, so they must be durable.
    await this.#log.sync()
    return count
  }

  /**
   * Writes operations in order. Resolves when each was logged or rejected; rejections are outcomes.
   * @param signal for whom they are written: at its cancellation, those that are not in the log yet are
   *   rejected; null: for nobody who may cancel
   * @param counter is told what threads do for them; null: for nobody who counts
   * @throws {EngineError} when the shard has failed or is closed
   */
  submit(
    operations: readonly WriteOperation[],
    signal: Cancellation | null = null,
    counter: ExecutionCounter | null = signal,
  ): Promise<WriteOutcome[]> {
    const { refusal } = this.#state
    if (refusal !== null) return Promise.reject(refusal)
    return this.#writes.submit(operations, signal, counter)
  }

  /** The newest document with an id, unrefreshed writes included when `realtime`; counted as a get. */
  get(id: string, realtime: boolean): FoundDocument | null {
    const started = performance.now()
    const found = this.#accepted.get(id, realtime)
    const tally = found === null ? this.stats.getMissing : this.stats.getExists
    tally.count++
    tally.timeInMillis += performance.now() - started
    return found
  }

  /** Sequence number of the newest document with an id, unrefreshed writes included; null for none. */
  newestSeqNo(id: string): number | null {
    return this.#accepted.get(id, true)?.current.seqNo ?? null
  }

  /** Makes all earlier writes searchable. False when nothing changed. */
  refresh(): Promise<boolean> {
    return this.#state.serial(async () => {
      this.#state.markClean()
      const changed = !this.#writer.buffer.isEmpty || this.#segments.isStale
      try {
        if (changed)
          await measure(this.stats.refresh, async () => {
            await this.#seal()
            this.#segments.publish()
          })
      } catch (error) {
        // For example a full disk: the buffer is intact, and the next refresh tries again.
        this.#state.markDirty()
        throw error
      }
      for (const waiter of this.#refreshWaiters.splice(0)) waiter()
      this.#merges.startDue()
      return changed
    })
  }

  /** Resolves after the next refresh. */
  afterRefresh(): Promise<void> {
    return new Promise(resolve => {
      this.#refreshWaiters.push(resolve)
      this.#state.markDirty()
    })
  }

  /** Callers that wait for the next refresh. */
  get refreshWaiterCount(): number {
    return this.#refreshWaiters.length
  }

  /** The sealed segments in order of arrival, searchable or not. */
  get segments(): readonly LiveSegment[] {
    return this.#segments.all
  }

  /** Estimated bytes of the buffer in its write worker. */
  get bufferBytes(): number {
    return this.#writer.buffer.bytes
  }

  /** Estimated bytes of the map of versions that no segment holds yet. */
  get versionMapBytes(): number {
    return this.#versions.estimatedBytes
  }

  /** How the shard was opened. */
  get recovery(): ShardRecovery {
    return this.#recovery
  }

  /** True when the log exceeds its threshold. */
  get needsFlush(): boolean {
    return this.#log.stats().bytes > this.#context.settings().flushThresholdInBytes
  }

  /** Makes the log durable; a failure fails the shard. */
  syncLog(): Promise<void> {
    return this.#writes.syncLog()
  }

  /** Commits all earlier writes. */
  flush(force = false): Promise<void> {
    return this.#state.serial(async () => {
      if (!force && !this.#hasUncommitted()) return
      await measure(this.stats.flush, () => this.#makeCommit())
    })
  }

  /** A flush because the log exceeds its threshold, if it still does when its turn comes. */
  flushLargeLog(): Promise<void> {
    return this.#state.serial(async () => {
      if (!this.needsFlush) return
      this.stats.periodicFlushes++
      await measure(this.stats.flush, () => this.#makeCommit())
    })
  }

  /**
   * Merges the current segments down to `maxSegments`, or, with null, as the policy selects.
   * Concurrent writes are not waited for. A segment never exceeds the resident limit, so a large
   * shard keeps several.
   * @param signal for whom it runs
   */
  async forceMerge(
    maxSegments: number | null,
    onlyExpungeDeletes: boolean,
    signal: Cancellation | null = null,
  ): Promise<void> {
    const forced = onlyExpungeDeletes ? { onlyExpungeDeletes: true as const } : { maxSegments }
    await this.#merges.force(forced, signal)
    this.#state.markDirty()
  }

  /** Seals what was written, and keeps all segments as they are then until they are released. */
  hold(): Promise<HeldShard> {
    return this.#state.serial(async () => {
      const { refusal } = this.#state
      if (refusal !== null) throw refusal
      await this.#seal()
      this.#state.markDirty()
      const { directory, folder, name } = this.#context
      const { maxSeqNo, primaryTerm } = this
      const where = { name, directory, folder, maxSeqNo, primaryTerm }
      return new HeldShard(where, this.#segments.all)
    })
  }

  /** Resolves when no merge runs. */
  idle(): Promise<void> {
    return this.#merges.idle()
  }

  /**
   * Commits, then releases everything.
   * @throws the commit's failure, after everything was released
   */
  async close(options: CloseOptions = { commit: true }): Promise<void> {
    if (this.#state.isClosed) return
    // A running merge is abandoned: its sources stay, and no commit references its files.
    const reason = this.#state.close(options.reason)
    try {
      await this.#state.serial(async () => {
        // Operations submitted before are in the commit or rejected: the log ends here.
        if (options.commit) await this.#writes.drain()
        else this.#writes.refuse(reason)
        if (options.commit && this.#hasUncommitted()) await this.#makeCommit()
      })
    } catch (error) {
      this.#state.fail(error)
      throw this.#state.failure
    } finally {
      for (const waiter of this.#refreshWaiters.splice(0)) waiter()
      this.#segments.close()
      await this.#writer.close(!options.commit)
      await this.#log.close()
    }
  }

  /** Seals the buffer into a segment. Searches see it after the next `publish`. */
  async #seal(signal: Cancellation | null = null): Promise<void> {
    const stem = segmentStem(this.#nextSegment)
    // Reserved before the wait: a merge that starts meanwhile needs a name too.
    if (!this.#writer.buffer.isEmpty) this.#nextSegment++
    await this.#writer.seal(
      stem,
      () => this.maxSeqNo + 1,
      sealed => this.#segments.append(stem, sealed.files, sealed.maxDoc),
      signal,
    )
    this.#versions.sealed(Date.now() - this.#context.settings().gcDeletesInMillis)
  }

  #hasUncommitted(): boolean {
    return (
      this.#commit === null ||
      this.maxSeqNo > this.#commit.maxSeqNo ||
      this.#segments.all.some(segment => !segment.isDurable)
    )
  }

  async #makeCommit(): Promise<void> {
    if (this.#state.failure !== null) throw this.#state.failure
    const { directory, folder, lanes } = this.#context
    const log = this.#log
    await this.#seal()
    // Operations before the new generation are all durable or in the commit.
    await this.syncLog()
    if (this.#state.failure !== null) throw this.#state.failure
    const before = this.#commit?.generation ?? 0
    const maxSeqNo = this.maxSeqNo
    const logGeneration = log.roll()
    this.#segments.dropEmpty()
    const plan = planCommit([...this.#segments.all], {
      generation: before + 1,
      storeId: this.#storeId,
      nextSegment: this.#nextSegment,
      maxSeqNo,
      localCheckpoint: maxSeqNo,
      primaryTerm: this.#primaryTerm,
      logId: log.id,
      logGeneration,
      created: Date.now(),
    })
    try {
      if (folder === null) commitFiles(directory, plan.files)
      else
        await lanes.commitFiles(this.#writer.lane, { kind: 'commitFiles', folder, ...plan.files })
    } catch (error) {
      // A failed sync may have lost pages that a later one would not report.
      this.#state.fail(error)
      throw this.#state.failure!
    }
    plan.done()
    this.#commit = plan.manifest
    // The commit holds: a file that cannot be deleted wastes space until the next start, no more.
    const obsolete = before > 0 ? [commitFileName(before), ...plan.replaced] : plan.replaced
    this.#state.attempt(() => log.trim(logGeneration))
    for (const name of obsolete) this.#state.attempt(() => directory.delete(name))
    this.#state.attempt(() => this.#segments.dropRetired())
  }
}

/** @throws {CorruptSegmentError} when it lacks acknowledged operations */
function openLog(
  { directory, lanes, openLog: open }: ShardContext,
  commit: Manifest | null,
): Translog {
  if (logFileBytes(directory) >= LARGE_LOG_BYTES) lanes.start()
  const stray = directory.list().find(name => /^_[0-9a-z]+\./.test(name))
  const log = open(commit)
  // Before the first commit, sealed segments exist only beside the log of their operations.
  if (commit === null && stray !== undefined && log.stats().operations === 0)
    throw new CorruptSegmentError('commit_1', 0, `a commit or a log beside [${stray}]`, 'neither')
  return log
}
