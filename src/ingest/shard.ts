import { randomBytes } from 'node:crypto'
import { readLiveDocs } from '../codec/live-docs/reader.ts'
import { writeLiveDocs } from '../codec/live-docs/writer.ts'
import type { ManifestFile, ManifestSegment } from '../codec/manifest/format.ts'
import { writeManifest } from '../codec/manifest/writer.ts'
import { LaneLostError } from '../pool/lane.ts'
import type { MergeAnswer, ProposedField, WriteChunkAnswer, WrittenFile } from '../pool/messages.ts'
import { liveDocsFileName } from '../segment/open-segment.ts'
import { Segment } from '../segment/segment.ts'
import type { SegmentMemory } from '../segment/segment-memory.ts'
import { Snapshot } from '../segment/snapshot.ts'
import type { StoredCache } from '../segment/stored-cache.ts'
import type { Directory } from '../store/directory.ts'
import type { LogOperation, Translog } from '../store/translog.ts'
import { BitSet } from '../util/bit-set.ts'
import { encodeUtf8 } from '../util/bytes.ts'
import { EngineError, type ErrorRecord, toErrorRecord } from '../util/errors.ts'
import { commitFileName, commitFiles, deleteUnreferenced, readLastCommit } from './commit.ts'
import { LiveSegment } from './live-segment.ts'
import { chooseMerge, type MergeSettings } from './merge-choice.ts'
import { type VersionEntry, VersionMap } from './version-map.ts'
import { WriteBuffer } from './write-buffer.ts'
import type { IndexSchema, WriteLanes } from './write-lanes.ts'
import {
  type CurrentDocument,
  checkConditions,
  type IndexOperation,
  type ShardName,
  type WriteOperation,
  type WriteOutcome,
} from './write-operation.ts'

/** What a shard stands on. */
export interface ShardContext {
  readonly name: ShardName
  readonly directory: Directory
  /** Path of the directory for the workers; null where it lies in memory. */
  readonly folder: string | null
  readonly memory: SegmentMemory
  readonly stored: StoredCache
  readonly lanes: WriteLanes
  readonly log: Translog
  /** The next number for a segment of this process. */
  nextUid(): number
  /** The schema as it is now. */
  schema(): IndexSchema
  /** Merges new fields into the mapping and makes it durable; then `schema` has them. */
  proposeFields(fields: readonly ProposedField[]): Promise<void>
  settings(): ShardSettings
  /** A refresh would change something, or a flush is due: called once until it was done. */
  onDirty(): void
}

export interface ShardSettings {
  /** How long deletes are remembered. */
  readonly gcDeletesInMillis: number
  /** A commit follows when the log has grown so large. */
  readonly flushThresholdInBytes: number
  /** A buffer this large is sealed before the next chunk. */
  readonly bufferLimitInBytes: number
  readonly merge: MergeSettings
}

/** Documents and bytes of one chunk at the most. */
const CHUNK_BYTES = 1 << 20
const CHUNK_DOCS = 20_000

interface Submitted {
  readonly operation: WriteOperation
  readonly batch: { readonly outcomes: WriteOutcome[]; left: number; readonly done: () => void }
  readonly index: number
}

type Document = Pick<IndexOperation, 'id' | 'routing' | 'source'>

/** What became of documents: their slots, −1 for those that failed, and why. */
interface Inverted {
  readonly slots: Int32Array
  readonly errors: ReadonlyMap<number, ErrorRecord>
  readonly bufferBytes: number
}

/** How often a chunk is sent again after its worker died. */
const MAX_LOST_CHUNKS = 20

/** A counter with the time it took. */
export interface Tally {
  count: number
  timeInMillis: number
  current: number
}

/** A document as a realtime get finds it. */
export interface FoundDocument {
  readonly current: CurrentDocument
  readonly routing: string | null
  readonly source: Uint8Array
}

/**
 * One shard's write side, on the coordinating thread. Operations are parsed and inverted by a write
 * worker, chunk after chunk; versions, sequence numbers and the log are decided here, in order of
 * arrival. What changes the list of segments runs one step at a time through one chain.
 */
export class Shard {
  readonly name: ShardName
  readonly key: string
  readonly stats: Record<
    | 'index'
    | 'delete'
    | 'getExists'
    | 'getMissing'
    | 'query'
    | 'fetch'
    | 'refresh'
    | 'flush'
    | 'merge',
    Tally
  > & { indexFailed: number; mergedDocs: number; mergedBytes: number }
  readonly #context: ShardContext
  readonly #lane: number
  readonly #storeId: Uint8Array
  readonly #versions = new VersionMap()
  #queue: Submitted[] = []
  #isPumping = false
  #chain: Promise<unknown> = Promise.resolve()
  #segments: LiveSegment[] = []
  /** Merged away, but named by the last commit. */
  #retired: LiveSegment[] = []
  #snapshot: Snapshot
  #snapshotIsStale = false
  #buffer: WriteBuffer
  #nextSegment: number
  #commitGeneration: number
  #committedSeqNo: number
  #maxSeqNo: number
  #primaryTerm: number
  #merging: Promise<void> | null = null
  #mergeError: unknown = null
  #failure: EngineError | null = null
  #isDirty = false
  #isClosed = false
  #refreshWaiters: (() => void)[] = []

  /**
   * Opens a shard from its last commit point, or empty.
   * @throws {CorruptSegmentError} when the commit, or a file that it names, is damaged
   */
  constructor(context: ShardContext) {
    this.#context = context
    this.name = context.name
    this.key = `${context.name.uuid}/${context.name.shard}`
    this.#lane = context.lanes.assign()
    const tally = (): Tally => ({ count: 0, timeInMillis: 0, current: 0 })
    this.stats = {
      index: tally(),
      delete: tally(),
      getExists: tally(),
      getMissing: tally(),
      query: tally(),
      fetch: tally(),
      refresh: tally(),
      flush: tally(),
      merge: tally(),
      indexFailed: 0,
      mergedDocs: 0,
      mergedBytes: 0,
    }
    const commit = readLastCommit(context.directory)
    this.#storeId = commit?.storeId ?? randomBytes(16)
    this.#nextSegment = commit?.nextSegment ?? 0
    this.#commitGeneration = commit?.generation ?? 0
    this.#maxSeqNo = commit?.maxSeqNo ?? -1
    this.#committedSeqNo = this.#maxSeqNo
    this.#primaryTerm = commit?.primaryTerm ?? 1
    try {
      for (const entry of commit?.segments ?? []) this.#segments.push(this.#openCommitted(entry))
    } catch (error) {
      for (const segment of this.#segments) segment.release()
      throw error
    }
    deleteUnreferenced(context.directory, commit)
    this.#buffer = new WriteBuffer(0, this.#maxSeqNo + 1)
    this.#snapshot = new Snapshot(0, [])
    this.#publish()
  }

  /** What searches see; acquire it for as long as it is used. */
  get snapshot(): Snapshot {
    return this.#snapshot
  }

  get maxSeqNo(): number {
    return this.#maxSeqNo
  }

  get primaryTerm(): number {
    return this.#primaryTerm
  }

  /** Bytes of all segment files. */
  get storeBytes(): number {
    return this.#segments.reduce((total, { segment }) => total + segment.fileBytes, 0)
  }

  get log(): Translog {
    return this.#context.log
  }

  /** Numbers of the segments that a commit would name. */
  get segmentCount(): number {
    return this.#segments.length
  }

  /**
   * Writes operations in order. Resolves when each was logged or refused; refusals are outcomes.
   * @throws {EngineError} when the shard has failed or is closed
   */
  submit(operations: readonly WriteOperation[]): Promise<WriteOutcome[]> {
    if (this.#failure !== null) return Promise.reject(this.#failure)
    if (this.#isClosed) return Promise.reject(this.#closedError())
    const outcomes: WriteOutcome[] = new Array(operations.length)
    if (operations.length === 0) return Promise.resolve(outcomes)
    return new Promise((resolve, reject) => {
      const done = (): void => {
        if (this.#failure === null) resolve(outcomes)
        else reject(this.#failure)
      }
      const batch = { outcomes, left: operations.length, done }
      for (let index = 0; index < operations.length; index++)
        this.#queue.push({ operation: operations[index]!, batch, index })
      this.#pump()
    })
  }

  /** The newest document with an id, unrefreshed writes included when `realtime`. */
  get(id: string, realtime: boolean): FoundDocument | null {
    const entry = realtime ? this.#versions.get(id) : undefined
    if (entry !== undefined) {
      if (!entry.exists) return null
      const logged = this.#context.log.read(entry.place)
      if (logged.kind === 'delete') return null
      const { seqNo, primaryTerm, version } = entry
      const current = { seqNo, primaryTerm, version, exists: true }
      return { current, routing: logged.routing, source: logged.source }
    }
    const bytes = encodeUtf8(id)
    for (let i = this.#segments.length - 1; i >= 0; i--) {
      const segment = this.#segments[i]!
      const docId = segment.find(bytes)
      if (docId < 0) continue
      return {
        current: segment.documentAt(docId),
        routing: segment.routingAt(docId),
        source: this.#context.stored.read(segment.segment, docId).slice(),
      }
    }
    return null
  }

  /** Makes all that was written before the call searchable. False when nothing changed. */
  refresh(): Promise<boolean> {
    return this.#serial(async () => {
      const changed = !this.#buffer.isEmpty || this.#hasUnseenDeletes() || this.#snapshotIsStale
      if (changed)
        await measure(this.stats.refresh, async () => {
          await this.#seal()
          this.#publish()
        })
      this.#isDirty = false
      for (const waiter of this.#refreshWaiters.splice(0)) waiter()
      this.#maybeMerge()
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

  /** How many wait for the next refresh. */
  get refreshWaiterCount(): number {
    return this.#refreshWaiters.length
  }

  /** True when a commit would cover something, or the log has grown over its threshold. */
  get needsFlush(): boolean {
    return this.#context.log.stats().bytes > this.#context.settings().flushThresholdInBytes
  }

  /** Makes all that was written before the call part of a commit point. */
  flush(force = false): Promise<void> {
    return this.#serial(async () => {
      if (!force && !this.#hasUncommitted()) return
      await measure(this.stats.flush, () => this.#commit())
    })
  }

  /**
   * Merges until at most `maxSegments` are left, or, with null, what the policy finds worth doing.
   * A segment never grows over the resident limit, so a large shard keeps several.
   */
  async forceMerge(maxSegments: number | null, onlyExpungeDeletes: boolean): Promise<void> {
    await this.#serial(() => this.#seal())
    await this.#merging
    this.#mergeError = null
    for (let round = 0; round < 1000; round++) {
      await this.#merging
      if (this.#failure !== null) throw this.#failure
      if (this.#mergeError !== null) throw this.#mergeError
      const chosen = chooseMerge(
        this.#segments.map(segment => ({
          bytes: segment.segment.sectionBytes,
          maxDoc: segment.maxDoc,
          deletedCount: segment.deletedCount,
        })),
        this.#context.settings().merge,
        onlyExpungeDeletes ? { onlyExpungeDeletes: true } : { maxSegments },
      )
      if (chosen === null) break
      this.#startMerge(chosen.start, chosen.end)
    }
    this.#markDirty()
  }

  /** Resolves when no merge runs. */
  async idle(): Promise<void> {
    await this.#merging
    await this.#chain
  }

  /** Commits, then lets go of everything. */
  async close(options: { readonly commit: boolean } = { commit: true }): Promise<void> {
    if (this.#isClosed) return
    // A merge that runs is abandoned: its sources stay, and its files belong to no commit.
    this.#isClosed = true
    await this.#serial(async () => {
      if (options.commit && this.#failure === null && this.#hasUncommitted()) await this.#commit()
    }).catch(() => {})
    for (const waiter of this.#refreshWaiters.splice(0)) waiter()
    this.#snapshot.release()
    for (const segment of [...this.#segments, ...this.#retired]) segment.release()
    this.#segments = []
    this.#retired = []
    // An index that is deleted leaves a buffer behind in its worker.
    const { lanes, name, log } = this.#context
    if (!options.commit) await lanes.dropShard(this.#lane, name.uuid, this.key).catch(() => {})
    await log.close()
  }

  // ---- writing

  #pump(): void {
    if (this.#isPumping || this.#queue.length === 0) return
    this.#isPumping = true
    // Single writes of one turn of the event loop share a chunk.
    setImmediate(() => {
      void this.#serial(async () => {
        this.#isPumping = false
        const taken = this.#takeChunk()
        try {
          await this.#write(taken)
        } catch (error) {
          this.#fail(error)
        }
        await this.#context.log.sync().catch((error: unknown) => this.#fail(error))
        for (const { batch } of taken) if (--batch.left === 0) batch.done()
        this.#pump()
      })
    })
  }

  #takeChunk(): Submitted[] {
    const queue = this.#queue
    let bytes = 0
    let count = 0
    while (count < queue.length && count < CHUNK_DOCS) {
      const { operation } = queue[count]!
      if (operation.kind === 'index') bytes += operation.source.length
      if (bytes > CHUNK_BYTES && count > 0) break
      count++
    }
    if (count === queue.length) {
      this.#queue = []
      return queue
    }
    return queue.splice(0, count)
  }

  async #write(chunk: readonly Submitted[]): Promise<void> {
    if (this.#failure !== null) return
    if (this.#buffer.bytes > this.#context.settings().bufferLimitInBytes) await this.#seal()
    const started = performance.now()
    const documents: IndexOperation[] = []
    for (const { operation } of chunk) if (operation.kind === 'index') documents.push(operation)
    const answer = documents.length === 0 ? null : await this.#invert(documents)
    const buffer = this.#buffer
    let next = 0
    let indexed = 0
    for (const { operation, batch, index } of chunk) {
      if (operation.kind === 'delete') {
        batch.outcomes[index] = this.#accept(operation, -1)
        continue
      }
      const slot = answer!.slots[next]!
      if (slot < 0) {
        const error = answer!.errors.get(next)!
        batch.outcomes[index] = new EngineError(error)
        this.stats.indexFailed++
      } else {
        const outcome = this.#accept(operation, slot)
        if (outcome instanceof EngineError) {
          buffer.kill(slot)
          this.stats.indexFailed++
        } else indexed++
        batch.outcomes[index] = outcome
      }
      next++
    }
    this.stats.index.count += indexed
    this.stats.delete.count += chunk.length - documents.length
    this.stats.index.timeInMillis += performance.now() - started
    if (answer !== null) buffer.bytes = answer.bufferBytes
    this.#markDirty()
  }

  /** Has documents parsed and inverted; asks again when the mapping grew or the worker died. */
  async #invert(documents: readonly Document[]): Promise<Inverted> {
    const chunk = packChunk(documents)
    const slots = new Int32Array(documents.length)
    const errors = new Map<number, ErrorRecord>()
    const { lanes, name } = this.#context
    let done = 0
    const take = (taken: Int32Array, failed: ReadonlyMap<number, ErrorRecord>): void => {
      slots.set(taken, done)
      for (const [i, error] of failed) errors.set(done + i, error)
      const last = taken.findLast(slot => slot >= 0)
      // The buffer must know of the slots before the next documents follow them.
      if (last !== undefined) this.#buffer.expect(last + 1)
      done += taken.length
    }
    for (let attempt = 0; ; attempt++) {
      const schema = this.#context.schema()
      const buffer = this.#buffer
      let answer: WriteChunkAnswer
      try {
        answer = await lanes.chunk(this.#lane, schema, {
          kind: 'chunk',
          index: name.uuid,
          shard: this.key,
          buffer: buffer.number,
          firstSlot: buffer.slotCount,
          schemaVersion: schema.version,
          bytes: chunk.bytes,
          bounds: done === 0 ? chunk.bounds : chunk.bounds.slice(2 * done),
          ids: done === 0 ? chunk.ids : chunk.ids.slice(done),
          routings: done === 0 ? chunk.routings : (chunk.routings?.slice(done) ?? null),
        })
      } catch (error) {
        if (!(error instanceof LaneLostError) || this.#isClosed) throw error
        lanes.forgetSchemas(this.#lane)
        answer = { kind: 'lost' }
      }
      if (answer.kind === 'taken') {
        take(answer.slots, answer.errors)
        return { slots, errors, bufferBytes: answer.bufferBytes }
      }
      if (answer.kind === 'proposal') {
        take(answer.slots, answer.errors)
        const refusal = await this.#propose(answer.fields)
        if (refusal !== null) {
          errors.set(done, refusal)
          slots[done++] = -1
        }
        if (done === documents.length) return { slots, errors, bufferBytes: buffer.bytes }
      } else if (attempt > MAX_LOST_CHUNKS) throw new Error('the write worker keeps dying')
      else {
        // What this call had taken is gone with the buffer, and not logged yet.
        await this.#replayBuffer()
        done = 0
        errors.clear()
      }
    }
  }

  /**
   * Has new fields mapped; they stand in order of the documents that brought them.
   * @returns why the first of them was refused, which the next document must answer for
   */
  async #propose(fields: readonly ProposedField[]): Promise<ErrorRecord | null> {
    const { version } = this.#context.schema()
    for (const part of [fields, ...fields.map(field => [field])]) {
      try {
        await this.#context.proposeFields(part)
        if (part === fields) return null
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        // All at once was refused, perhaps for one alone: those before it still find their place.
        if (part === fields && fields.length > 1) continue
        return this.#context.schema().version === version ? error.record : null
      }
    }
    return null
  }

  /** The worker that held the buffer is gone: fills another one from the log. */
  async #replayBuffer(): Promise<void> {
    const lost = this.#buffer
    this.#buffer = new WriteBuffer(lost.number + 1, lost.firstSeqNo)
    const logged: Extract<LogOperation, { kind: 'index' }>[] = []
    for (const operation of this.#context.log.operationsFrom(lost.firstSeqNo))
      if (operation.kind === 'index') logged.push(operation)
    for (let start = 0; start < logged.length; start += 1000) {
      const part = logged.slice(start, start + 1000)
      const { slots } = await this.#invert(part)
      part.forEach((operation, i) => {
        const slot = slots[i]!
        if (slot < 0) throw new Error(`operation [${operation.seqNo}] of the log no longer parses`)
        this.#buffer.fill(slot, operation.seqNo, operation.version, operation.primaryTerm)
        const entry = this.#versions.get(operation.id)
        if (entry?.seqNo === operation.seqNo) this.#versions.set(operation.id, { ...entry, slot })
        else this.#buffer.kill(slot)
      })
    }
  }

  /** Decides an operation: its conditions, its numbers, its place in the log. */
  #accept(operation: WriteOperation, slot: number): WriteOutcome {
    const { id } = operation
    const isNewId = operation.kind === 'index' && operation.isNewId
    const entry = isNewId ? undefined : this.#versions.get(id)
    let place: { segment: LiveSegment; docId: number } | null = null
    let current: CurrentDocument | null = entry ?? null
    if (entry === undefined && !isNewId) {
      place = this.#findInSegments(id)
      if (place !== null) current = place.segment.documentAt(place.docId)
    }
    const version = checkConditions(operation, current, this.name)
    if (version instanceof EngineError) return version
    const seqNo = this.#maxSeqNo + 1
    const primaryTerm = this.#primaryTerm
    const base = { id, seqNo, primaryTerm, version, routing: operation.routing }
    const logPlace = this.#context.log.append(
      operation.kind === 'index'
        ? { kind: 'index', ...base, source: operation.source }
        : { kind: 'delete', ...base },
    )
    this.#maxSeqNo = seqNo
    if (place !== null) place.segment.delete(place.docId)
    else if (entry !== undefined && entry.slot >= 0) this.#buffer.kill(entry.slot)
    const exists = operation.kind === 'index'
    const next: VersionEntry = {
      seqNo,
      primaryTerm,
      version,
      exists,
      slot,
      place: logPlace,
      deletedAt: exists ? 0 : Date.now(),
    }
    this.#versions.set(id, next)
    if (exists) this.#buffer.fill(slot, seqNo, version, primaryTerm)
    const existed = current?.exists ?? false
    const result = exists ? (existed ? 'updated' : 'created') : existed ? 'deleted' : 'not_found'
    return { result, seqNo, primaryTerm, version }
  }

  #findInSegments(id: string): { segment: LiveSegment; docId: number } | null {
    if (this.#segments.length === 0) return null
    const bytes = encodeUtf8(id)
    for (let i = this.#segments.length - 1; i >= 0; i--) {
      const docId = this.#segments[i]!.find(bytes)
      if (docId >= 0) return { segment: this.#segments[i]!, docId }
    }
    return null
  }

  // ---- segments

  /** Makes a segment of the buffer. Searches do not see it before the next snapshot. */
  async #seal(): Promise<void> {
    for (let attempt = 0; !this.#buffer.isEmpty; attempt++) {
      const { lanes, folder, directory } = this.#context
      const stem = `_${this.#nextSegment.toString(36)}`
      const segmentId = randomBytes(16)
      try {
        const answer = await lanes.seal(this.#lane, {
          kind: 'seal',
          shard: this.key,
          buffer: this.#buffer.number,
          ...this.#buffer.columns(),
          segmentId,
          stem,
          folder,
        })
        if (answer.kind === 'sealed') {
          this.#nextSegment++
          for (const file of answer.files)
            if (file.bytes !== null) directory.write(file.name, file.bytes)
          if (answer.maxDoc > 0) this.#segments.push(this.#openSealed(stem, answer.files))
          this.#snapshotIsStale = true
          break
        }
      } catch (error) {
        if (!(error instanceof LaneLostError) || attempt > 20) throw error
        lanes.forgetSchemas(this.#lane)
      }
      await this.#replayBuffer()
    }
    this.#buffer = new WriteBuffer(this.#buffer.number + 1, this.#maxSeqNo + 1)
    this.#versions.sealed(Date.now() - this.#context.settings().gcDeletesInMillis)
  }

  #openSealed(stem: string, files: readonly WrittenFile[]): LiveSegment {
    const segment = this.#openSegment(stem)
    const listed = files.map(({ name, length, checksum }) => ({ name, length, checksum }))
    return new LiveSegment(this.#context.memory, segment, listed, false, null, 0, null)
  }

  #openCommitted(entry: ManifestSegment): LiveSegment {
    const { directory, memory } = this.#context
    const liveName = liveDocsFileName(entry.name, entry.liveDocsGeneration)
    const files = entry.files.filter(file => file.name !== liveName)
    const liveFile = entry.files.find(file => file.name === liveName) ?? null
    const live = liveFile === null ? null : readLiveDocs(liveName, directory.read(liveName)).live
    const segment = this.#openSegment(entry.name)
    try {
      return new LiveSegment(memory, segment, files, true, live, entry.liveDocsGeneration, liveFile)
    } catch (error) {
      segment.release()
      throw error
    }
  }

  #openSegment(stem: string): Segment {
    const { directory, memory, nextUid } = this.#context
    return new Segment(nextUid(), directory, stem, segment => memory.forget(segment))
  }

  #hasUnseenDeletes(): boolean {
    return this.#segments.some(segment => segment.hasUnseenDeletes)
  }

  /** Makes a new snapshot of the segments as they are. */
  #publish(): void {
    const before = this.#snapshot
    const parts = this.#segments
      .filter(segment => segment.liveCount > 0)
      .map(segment => ({ segment: segment.segment, live: segment.freeze() }))
    this.#snapshot = new Snapshot(before.generation + 1, parts)
    this.#snapshotIsStale = false
    before.release()
  }

  // ---- commits

  #hasUncommitted(): boolean {
    return (
      this.#maxSeqNo > this.#committedSeqNo ||
      this.#commitGeneration === 0 ||
      this.#segments.some(segment => !segment.isDurable)
    )
  }

  async #commit(): Promise<void> {
    if (this.#failure !== null) throw this.#failure
    const { log, directory, folder, lanes } = this.#context
    await this.#seal()
    const generation = this.#commitGeneration + 1
    const maxSeqNo = this.#maxSeqNo
    const logGeneration = log.roll()
    const newFiles: { name: string; bytes: Uint8Array }[] = []
    const noted: (() => void)[] = []
    const replaced: string[] = []
    const segments = this.#segments.map(segment => {
      let { liveFile } = segment
      let liveGeneration = segment.liveGeneration
      const live = segment.liveBits()
      if (live !== null && segment.hasStaleFile) {
        if (liveFile !== null) replaced.push(liveFile.name)
        liveGeneration++
        const name = liveDocsFileName(segment.segment.stem, liveGeneration)
        const bytes = writeLiveDocs(segment.segment.file.id, live)
        newFiles.push({ name, bytes })
        const file = manifestFileOf(name, bytes)
        liveFile = file
        const { liveCount } = segment
        noted.push(() => segment.noteLiveFile(liveGeneration, file, liveCount))
      }
      return manifestSegmentOf(segment, liveGeneration, liveFile)
    })
    const unsynced = this.#segments
      .filter(segment => !segment.isDurable)
      .flatMap(segment => segment.files.map(file => file.name))
    const durable = [...this.#segments]
    const commit = writeManifest({
      generation,
      storeId: this.#storeId,
      segments,
      nextSegment: this.#nextSegment,
      maxSeqNo,
      localCheckpoint: maxSeqNo,
      primaryTerm: this.#primaryTerm,
      logId: log.id,
      logGeneration,
      created: Date.now(),
    })
    const request = { newFiles, unsynced, commit, generation }
    try {
      if (folder === null) commitFiles(directory, request)
      else await lanes.commitFiles(this.#lane, { kind: 'commitFiles', folder, ...request })
    } catch (error) {
      // A sync that failed may have lost pages that a later one would not report.
      this.#fail(error)
      throw this.#failure!
    }
    const before = this.#commitGeneration
    this.#commitGeneration = generation
    this.#committedSeqNo = maxSeqNo
    for (const note of noted) note()
    for (const segment of durable) segment.isDurable = true
    log.trim(logGeneration)
    if (before > 0) directory.delete(commitFileName(before))
    for (const name of replaced) directory.delete(name)
    for (const segment of this.#retired.splice(0)) this.#discard(segment)
  }

  /** Has a segment's files deleted once no snapshot uses it any more. */
  #discard(segment: LiveSegment): void {
    const names = segment.files.map(file => file.name)
    if (segment.liveFile !== null) names.push(segment.liveFile.name)
    segment.segment.deleteOnClose(names)
    segment.release()
  }

  // ---- merges

  #maybeMerge(): void {
    if (this.#merging !== null || this.#isClosed || this.#failure !== null) return
    const chosen = chooseMerge(
      this.#segments.map(segment => ({
        bytes: segment.segment.sectionBytes,
        maxDoc: segment.maxDoc,
        deletedCount: segment.deletedCount,
      })),
      this.#context.settings().merge,
      null,
    )
    if (chosen !== null) this.#startMerge(chosen.start, chosen.end)
  }

  /** Merges neighbours in the background; in order of arrival, so only neighbours merge. */
  #startMerge(start: number, end: number): void {
    const sources = this.#segments.slice(start, end)
    this.#mergeError = null
    const merging = measure(this.stats.merge, () => this.#merge(sources))
      .catch((error: unknown) => {
        // Nothing was changed: the sources stay, and a later refresh tries again.
        this.#mergeError = error
      })
      .finally(() => {
        this.#merging = null
      })
    this.#merging = merging
  }

  async #merge(sources: readonly LiveSegment[]): Promise<void> {
    const { lanes, folder, directory } = this.#context
    const stem = `_${(this.#nextSegment++).toString(36)}`
    const liveAtStart = sources.map(source => source.liveWords())
    for (const source of sources) source.segment.acquire()
    let answer: MergeAnswer
    try {
      answer = await lanes.merge({
        kind: 'merge',
        folder,
        sources: sources.map((source, i) => ({
          stem: source.segment.stem,
          maxDoc: source.maxDoc,
          live: liveAtStart[i]!,
          files:
            folder === null
              ? source.files.map(({ name }) => ({ name, bytes: directory.read(name) }))
              : [],
        })),
        segmentId: randomBytes(16),
        stem,
      })
    } finally {
      for (const source of sources) source.segment.release()
    }
    await this.#serial(async () => {
      if (this.#isClosed || this.#failure !== null) return
      for (const file of answer.files)
        if (file.bytes !== null) directory.write(file.name, file.bytes)
      const at = this.#segments.indexOf(sources[0]!)
      const merged: LiveSegment[] = []
      if (answer.maxDoc > 0) {
        const segment = this.#openSealed(stem, answer.files)
        carryDeletes(segment, sources, liveAtStart, answer.docMaps)
        merged.push(segment)
        this.stats.mergedDocs += answer.maxDoc
        this.stats.mergedBytes += segment.segment.fileBytes
      }
      // What no search may see yet waits for the refresh, and the merge with it.
      const isSettled = !this.#snapshotIsStale && !this.#hasUnseenDeletes()
      this.#segments.splice(at, sources.length, ...merged)
      if (isSettled) this.#publish()
      else this.#snapshotIsStale = true
      for (const source of sources) {
        if (source.isDurable) this.#retired.push(source)
        else this.#discard(source)
      }
    })
    this.#markDirty()
  }

  // ---- state

  /** Runs steps that change the shard one after another. */
  #serial<T>(step: () => Promise<T>): Promise<T> {
    const run = this.#chain.then(step)
    this.#chain = run.catch(() => {})
    return run
  }

  #markDirty(): void {
    if (this.#isDirty || this.#isClosed) return
    this.#isDirty = true
    this.#context.onDirty()
  }

  /** The first failure is final: nothing is acknowledged any more. */
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

/** Documents as one run of bytes with their bounds. */
function packChunk(documents: readonly Document[]): {
  readonly bytes: Uint8Array
  readonly bounds: Uint32Array
  readonly ids: string[]
  readonly routings: (string | null)[] | null
} {
  let length = 0
  for (const { source } of documents) length += source.length
  const bytes = new Uint8Array(length)
  const bounds = new Uint32Array(documents.length * 2)
  const ids: string[] = []
  let routings: (string | null)[] | null = null
  let at = 0
  for (let i = 0; i < documents.length; i++) {
    const { id, routing, source } = documents[i]!
    bytes.set(source, at)
    bounds[2 * i] = at
    at += source.length
    bounds[2 * i + 1] = at
    ids.push(id)
    if (routing !== null) routings ??= new Array<string | null>(i).fill(null)
    routings?.push(routing)
  }
  return { bytes, bounds, ids, routings }
}

/** Deletes that came while the merge ran. */
function carryDeletes(
  merged: LiveSegment,
  sources: readonly LiveSegment[],
  liveAtStart: readonly (Int32Array | null)[],
  docMaps: readonly Int32Array[],
): void {
  sources.forEach((source, i) => {
    const before = liveAtStart[i]
    const wasLive = before == null ? null : new BitSet(source.maxDoc, before)
    for (let doc = 0; doc < source.maxDoc; doc++) {
      if (source.isLive(doc) || (wasLive !== null && !wasLive.has(doc))) continue
      merged.delete(docMaps[i]![doc]!)
    }
  })
}

function manifestSegmentOf(
  segment: LiveSegment,
  liveDocsGeneration: number,
  liveFile: ManifestFile | null,
): ManifestSegment {
  const { file, stem } = segment.segment
  return {
    name: stem,
    id: file.id,
    maxDoc: segment.maxDoc,
    deletedDocs: segment.deletedCount,
    liveDocsGeneration,
    files: liveFile === null ? segment.files : [...segment.files, liveFile],
    minSeqNo: file.directory.minSeqNo,
    maxSeqNo: file.directory.maxSeqNo,
  }
}

/** Length and checksum of a framed file: the checksum stands eight bytes before its end. */
function manifestFileOf(name: string, bytes: Uint8Array): ManifestFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { name, length: bytes.length, checksum: view.getUint32(bytes.length - 8, true) }
}

async function measure<T>(tally: Tally, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  tally.current++
  try {
    return await work()
  } finally {
    tally.current--
    tally.count++
    tally.timeInMillis += performance.now() - started
  }
}
