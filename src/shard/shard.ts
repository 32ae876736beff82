import { randomBytes } from 'node:crypto'
import type { Manifest } from '../codec/manifest/format.ts'
import type { Snapshot } from '../segment/snapshot.ts'
import { refuseDamagedSegments } from '../segment/verify-segment.ts'
import type { Directory } from '../store/directory.ts'
import { logFileBytes } from '../store/translog/log-file.ts'
import type { LogLocation, LogOperation, Translog } from '../store/translog/translog.ts'
import type { Cancellation } from '../util/cancellation.ts'
import { nowInNanos } from '../util/clock.ts'
import { CorruptSegmentError, EngineError, toErrorRecord } from '../util/errors.ts'
import { AcceptedOperations, type FoundDocument } from './accepted-operations.ts'
import { BufferWriter } from './buffer-writer.ts'
import { commitFileName, commitFiles, deleteUnreferenced, readLastCommit } from './commit.ts'
import { planCommit } from './commit-plan.ts'
import { type CommitSummary, summarizeCommit } from './commit-summary.ts'
import { DocumentChunk } from './document-chunk.ts'
import { HeldShard } from './held-shard.ts'
import type { Inverted } from './lane-buffer.ts'
import type { LiveSegment } from './live-segment.ts'
import { LARGE_LOG_BYTES, replayLog } from './recovery.ts'
import { segmentStem } from './segment-files.ts'
import { SegmentList } from './segment-list.ts'
import type { ShardContext } from './shard-context.ts'
import { ShardMerges } from './shard-merges.ts'
import { beginRecovery, endRecovery, type ShardRecovery } from './shard-recovery.ts'
import { measure, newTallies, type ShardTallies } from './tally.ts'
import { VersionMap } from './version-map.ts'
import type { IndexOperation, ShardName, WriteOperation, WriteOutcome } from './write-operation.ts'
import { type Chunk, finishedBatches, WriteQueue, writtenFor } from './write-queue.ts'

/** A long bulk is synced piecewise, which bounds the log's buffer in memory. */
const SYNC_BYTES = 1 << 20

/** An inverted chunk. */
/** How a shard is closed. */
export interface CloseOptions {
  /** Writes that wait are written and committed; else they are refused. */
  readonly commit: boolean
  /** What refuses writes from now on; absent: `index_closed_exception`. */
  readonly reason?: EngineError
}

interface TimedChunk extends Inverted {
  /** Of each of its documents, on average. */
  readonly tookInNanos: number
}

/**
 * One shard's write side, on the coordinating thread. A write worker parses and inverts operations,
 * chunk by chunk; versions, sequence numbers and the log are decided here, in order of arrival.
 * Changes of the segment list run serially through one promise chain.
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
  readonly #queue = new WriteQueue<TimedChunk | null>(step => this.#serial(step), {
    makeRoom: () => this.#makeRoom(),
    invert: chunk => this.#invert(chunk),
    mayGoOn: () => this.#failure === null && this.#stepsWaiting === 0 && !this.#isBufferFull(),
    accept: (chunk, inverted) => this.#accept(chunk, inverted),
    settle: () => this.#settleLog(),
  })
  #chain: Promise<unknown> = Promise.resolve()
  /** Steps of the chain that have not begun. */
  #stepsWaiting = 0
  /** Bytes of documents accepted since the last due sync of the log. */
  #unsyncedBytes = 0
  #nextSegment: number
  #commit: Manifest | null
  readonly #accepted: AcceptedOperations
  readonly #recovery: ShardRecovery
  #failure: EngineError | null = null
  #isDirty = false
  /** Why nothing is written any more; null: it is open. */
  #closedBy: EngineError | null = null
  #refreshWaiters: (() => void)[] = []

  /**
   * Opens a shard from its last commit point, or empty. Later operations of its log are applied by
   * `recover`.
   * @throws {CorruptSegmentError} a corrupt commit, a corrupt referenced file or a corrupt log
   */
  constructor(context: ShardContext) {
    this.#context = context
    this.name = context.name
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
    this.#merges = new ShardMerges({
      context,
      segments: this.#segments,
      stats: this.stats,
      failure: () => this.#failure,
      isClosed: () => this.isClosed,
      takeStem: () => segmentStem(this.#nextSegment++),
      seal: signal => this.#serial(() => this.#seal(signal)),
      serial: step => this.#serial(step),
      settled: () => this.#chain,
      onMerged: () => this.#markDirty(),
    })
    this.#attempt(() => deleteUnreferenced(context.directory, commit))
    for (const name of this.#log.leftovers) this.#attempt(() => context.directory.delete(name))
    this.#recovery.indexInMillis = performance.now() - started
    endRecovery(this.#recovery)
  }

  /** The snapshot for searches; acquire it while it is used. */
  get snapshot(): Snapshot {
    return this.#segments.snapshot
  }

  get isClosed(): boolean {
    return this.#closedBy !== null
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
    return this.#serial(async () => {
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
   * @throws {EngineError} when the shard has failed or is closed
   */
  submit(
    operations: readonly WriteOperation[],
    signal: Cancellation | null = null,
  ): Promise<WriteOutcome[]> {
    if (this.#failure !== null) return Promise.reject(this.#failure)
    if (this.#closedBy !== null) return Promise.reject(this.#closedBy)
    return this.#queue.add(operations, () => this.#failure, signal)
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
    return this.#serial(async () => {
      this.#isDirty = false
      const changed = !this.#writer.buffer.isEmpty || this.#segments.isStale
      try {
        if (changed)
          await measure(this.stats.refresh, async () => {
            await this.#seal()
            this.#segments.publish()
          })
      } catch (error) {
        // For example a full disk: the buffer is intact, and the next refresh tries again.
        this.#markDirty()
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
      this.#markDirty()
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
  async syncLog(): Promise<void> {
    await this.#log.sync().catch((error: unknown) => this.#fail(error))
  }

  /** Commits all earlier writes. */
  flush(force = false): Promise<void> {
    return this.#serial(async () => {
      if (!force && !this.#hasUncommitted()) return
      await measure(this.stats.flush, () => this.#makeCommit())
    })
  }

  /** A flush because the log exceeds its threshold, if it still does when its turn comes. */
  flushLargeLog(): Promise<void> {
    return this.#serial(async () => {
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
    this.#markDirty()
  }

  /** Seals what was written, and keeps all segments as they are then until they are released. */
  hold(): Promise<HeldShard> {
    return this.#serial(async () => {
      if (this.#failure !== null) throw this.#failure
      if (this.#closedBy !== null) throw this.#closedBy
      await this.#seal()
      this.#markDirty()
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
    if (this.#closedBy !== null) return
    // A running merge is abandoned: its sources stay, and no commit references its files.
    const reason = options.reason ?? this.#closedError()
    this.#closedBy = reason
    try {
      await this.#serial(async () => {
        // Operations submitted before are in the commit or rejected: the log ends here.
        if (options.commit) await this.#queue.drain()
        else this.#queue.refuse(reason)
        if (options.commit && this.#hasUncommitted()) await this.#makeCommit()
      })
    } catch (error) {
      this.#fail(error)
      throw this.#failure
    } finally {
      for (const waiter of this.#refreshWaiters.splice(0)) waiter()
      this.#segments.close()
      await this.#writer.close(!options.commit)
      await this.#log.close()
    }
  }

  // ---- writing

  /** Seals a full buffer, before operations that may still be withdrawn are taken. */
  async #makeRoom(): Promise<void> {
    if (this.#failure !== null || !this.#isBufferFull()) return
    try {
      await this.#seal()
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Inverts the documents of a chunk; null without documents, or when the shard has failed. */
  async #invert(chunk: Chunk): Promise<TimedChunk | null> {
    if (this.#failure !== null) return null
    const started = performance.now()
    let running = 0
    try {
      const documents: IndexOperation[] = []
      for (const { batch, start, end } of chunk)
        for (let i = start; i < end; i++) {
          const operation = batch.operations[i]!
          if (operation.kind === 'index') documents.push(operation)
        }
      if (documents.length === 0) return null
      running = documents.length
      this.stats.index.current += running
      const request = DocumentChunk.of(documents)
      const inverted = await this.#writer.invert(request, writtenFor(chunk))
      request.release()
      this.#writer.buffer.bytes = inverted.bufferBytes
      // Documents of a chunk are timed together.
      const tookInNanos = ((performance.now() - started) * 1e6) / documents.length
      return { ...inverted, tookInNanos }
    } catch (error) {
      this.stats.index.current -= running
      this.#fail(error)
      return null
    } finally {
      this.stats.index.timeInMillis += performance.now() - started
    }
  }

  /** Decides the operations of a chunk; resolves when they were answered. */
  #accept(chunk: Chunk, inverted: TimedChunk | null): Promise<void> {
    if (this.#failure === null) {
      const endExecution = writtenFor(chunk)?.beginExecution?.()
      const started = nowInNanos()
      try {
        this.#write(chunk, inverted)
      } catch (error) {
        this.#fail(error)
      }
      endExecution?.(nowInNanos() - started)
    }
    if (inverted !== null) this.stats.index.current -= inverted.slots.length
    return this.#acknowledge(chunk)
  }

  #write(chunk: Chunk, inverted: TimedChunk | null): void {
    const { stats } = this
    const slow = this.#context.settings().slowIndexingInNanos
    let next = 0
    let bytes = 0
    for (const { batch, start, end } of chunk)
      for (let i = start; i < end; i++) {
        const operation = batch.operations[i]!
        if (batch.isWithdrawn) {
          if (operation.kind === 'index') this.#dropSlot(inverted!.slots[next++]!)
          continue
        }
        if (operation.kind === 'delete') {
          const started = performance.now()
          batch.outcomes[i] = this.#accepted.accept(operation, -1)
          stats.delete.count++
          stats.delete.timeInMillis += performance.now() - started
          continue
        }
        const slot = inverted!.slots[next]!
        const outcome =
          slot < 0
            ? new EngineError(inverted!.errors.get(next)!)
            : this.#accepted.accept(operation, slot)
        next++
        batch.outcomes[i] = outcome
        bytes += operation.source.length
        if (!(outcome instanceof EngineError)) {
          stats.index.count++
          if (inverted!.tookInNanos > slow) this.#context.onSlow(operation, inverted!.tookInNanos)
        } else {
          stats.indexFailed++
          this.#dropSlot(slot)
        }
      }
    this.#unsyncedBytes += bytes
    if (next > 0) {
      stats.lastIndexedAt = Date.now()
      this.#context.onWritten(bytes)
    }
    this.#markDirty()
  }

  /** Takes a document out of the buffer that was refused. @param slot below 0: it takes none */
  #dropSlot(slot: number): void {
    if (slot >= 0) this.#writer.buffer.kill(slot)
  }

  /** Answers the chunk's callers once the log is durable; the next chunk does not wait for it. */
  async #acknowledge(chunk: Chunk): Promise<void> {
    const finished = finishedBatches(chunk)
    if (finished.length > 0 || this.#unsyncedBytes >= SYNC_BYTES) await this.#settleLog()
    else if (!this.#context.settings().isDurableOnRequest) this.#noteUnsynced()
    for (const batch of finished) batch.done()
  }

  /** Makes the log durable, or has that done later where the index says so. */
  async #settleLog(): Promise<void> {
    if (!this.#context.settings().isDurableOnRequest) {
      this.#noteUnsynced()
      return
    }
    if (this.#failure !== null || !this.#log.hasUnsynced) return
    this.#unsyncedBytes = 0
    await this.syncLog()
  }

  #noteUnsynced(): void {
    if (this.#failure === null && this.#log.hasUnsynced) this.#context.onUnsynced()
  }

  /** Whether the buffer must be sealed before it takes more. */
  #isBufferFull(): boolean {
    return this.#writer.buffer.bytes > this.#context.settings().bufferLimitInBytes
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

  // ---- commits

  #hasUncommitted(): boolean {
    return (
      this.#commit === null ||
      this.maxSeqNo > this.#commit.maxSeqNo ||
      this.#segments.all.some(segment => !segment.isDurable)
    )
  }

  async #makeCommit(): Promise<void> {
    if (this.#failure !== null) throw this.#failure
    const { directory, folder, lanes } = this.#context
    const log = this.#log
    await this.#seal()
    // Operations before the new generation are all durable or in the commit.
    await this.syncLog()
    if (this.#failure !== null) throw this.#failure
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
      this.#fail(error)
      throw this.#failure!
    }
    plan.done()
    this.#commit = plan.manifest
    // The commit holds: a file that cannot be deleted wastes space until the next start, no more.
    const obsolete = before > 0 ? [commitFileName(before), ...plan.replaced] : plan.replaced
    this.#attempt(() => log.trim(logGeneration))
    for (const name of obsolete) this.#attempt(() => directory.delete(name))
    this.#attempt(() => this.#segments.dropRetired())
  }

  // ---- state

  /** Runs steps that change the shard one after another. */
  #serial<T>(step: () => Promise<T>): Promise<T> {
    this.#stepsWaiting++
    const run = this.#chain.then(() => {
      this.#stepsWaiting--
      return step()
    })
    this.#chain = run.catch(() => {})
    return run
  }

  #attempt(step: () => void): void {
    try {
      step()
    } catch (error) {
      this.#context.onFailure(error)
    }
  }

  #markDirty(): void {
    if (this.#isDirty || this.isClosed) return
    this.#isDirty = true
    this.#context.onDirty()
  }

  /** The first failure is final: nothing is acknowledged after it. */
  #fail(error: unknown): void {
    if (this.#failure !== null) return
    const cause = toErrorRecord(error)
    this.#failure = new EngineError({
      type: 'unavailable_shards_exception',
      reason: `[${this.name.index}][${this.name.shard}] failed: ${cause.reason}`,
      causedBy: cause,
    })
  }

  #closedError(): EngineError {
    return new EngineError({
      type: 'index_closed_exception',
      reason: 'closed',
      extra: { index: this.name.index, index_uuid: this.name.uuid },
    })
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
