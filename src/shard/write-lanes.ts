import { Lane, outlivingThreads } from '../pool/lane.ts'
import type {
  CommitFilesRequest,
  LinkFilesRequest,
  MergeAnswer,
  MergeRequest,
  PartitionRequest,
  PutSchemaRequest,
  SealAnswer,
  SealRequest,
  WriteChunkAnswer,
  WriteChunkRequest,
} from '../pool/messages.ts'
import type { PoolThread } from '../pool/pool-thread.ts'
import { addUses, type PoolUse } from '../pool/pool-use.ts'
import { builtFile } from '../util/built-file.ts'
import type { Cancellation, ExecutionCounter } from '../util/cancellation.ts'
import { giveUp, type StopWords, underStop } from './give-up.ts'

/** The schema that workers need before they parse an index's documents. */
export type IndexSchema = Omit<PutSchemaRequest, 'kind'>

/**
 * The write threads: each shard is assigned a lane when it opens, so that its buffer stays in one
 * worker. Merges have a lane of their own. Threads start on first use, or with `start`.
 */
export class WriteLanes {
  readonly #lanes: { readonly lane: Lane; readonly schemas: Map<string, number> }[]
  readonly #merges: Lane
  /** Of the merges under way: set to give one up. */
  readonly #stops: StopWords = new Set()
  #next = 0
  #isClosed = false

  /** @param worker module of the write worker, for tests */
  constructor(threads: number, worker: URL = builtFile('shard/write-worker.js')) {
    this.#lanes = Array.from({ length: threads }, () => ({
      lane: new Lane(worker),
      schemas: new Map(),
    }))
    this.#merges = new Lane(builtFile('shard/merge-worker.js'))
  }

  get size(): number {
    return this.#lanes.length
  }

  /** Counters of the write threads and their requests. */
  writeUse(): PoolUse {
    return addUses(this.#lanes.map(({ lane }) => lane.use()))
  }

  /** Counters of the merge thread and its requests. */
  mergeUse(): PoolUse {
    return this.#merges.use()
  }

  /** The threads that run now. */
  runningThreads(): PoolThread[] {
    const writes = this.#lanes.map(({ lane }, number) => ({ pool: 'write', number, lane }))
    return [...writes, { pool: 'force_merge', number: 0, lane: this.#merges }].flatMap(
      ({ pool, number, lane: { threadId } }) =>
        threadId === null ? [] : [{ pool, number, threadId }],
    )
  }

  /** Starts the threads, which load in the background. */
  start(): void {
    for (const { lane } of this.#lanes) lane.start()
  }

  /** The lane of a shard that opens now: round robin. */
  assign(): number {
    const lane = this.#next
    this.#next = (this.#next + 1) % this.#lanes.length
    return lane
  }

  /**
   * Sends a chunk, preceded by the schema if the worker lacks that version.
   * @param signal for whom, who is told how long the worker took; null: for nobody who counts
   */
  async chunk(
    lane: number,
    schema: IndexSchema,
    request: WriteChunkRequest,
    signal: ExecutionCounter | null,
  ): Promise<WriteChunkAnswer> {
    const { lane: thread, schemas } = this.#lanes[lane]!
    if (schemas.get(schema.index) !== schema.version) {
      await thread.run({ kind: 'putSchema', ...schema })
      schemas.set(schema.index, schema.version)
    }
    const answer = (await thread.run(request, [], signal)) as WriteChunkAnswer
    // The thread that has the schema may have died while idle, and this is its replacement.
    if (answer.kind === 'lost') schemas.clear()
    return answer
  }

  /**
   * Seals a buffer, which stays as it is where that fails or is given up.
   * @param signal for whom it runs; null: for nobody in particular
   * @throws {Error} it was given up
   */
  async seal(
    lane: number,
    seal: Omit<SealRequest, 'stop'>,
    signal: Cancellation | null,
  ): Promise<SealAnswer> {
    // Closing waits for seals: what they hold is in no file yet.
    return underStop(signal, new Set(), async stop => {
      const request: SealRequest = { ...seal, stop }
      return (await this.#lanes[lane]!.lane.run(request, [], signal)) as SealAnswer
    })
  }

  /** Retried on a thread's death: the previous commit or the new one is intact. */
  async commitFiles(lane: number, request: CommitFilesRequest): Promise<void> {
    await outlivingThreads(() => this.#lanes[lane]!.lane.run(request))
  }

  /** Retried on a thread's death, as every link is made anew. */
  async linkFiles(lane: number, request: LinkFilesRequest): Promise<void> {
    await outlivingThreads(() => this.#lanes[lane]!.lane.run(request))
  }

  /** By document of the request's range, the number of its shard. */
  async partition(lane: number, request: PartitionRequest): Promise<Uint16Array> {
    const answer = await outlivingThreads(() => this.#lanes[lane]!.lane.run(request))
    return answer as Uint16Array
  }

  /** Drops a shard's buffer and its index's schema in the worker. */
  async dropShard(lane: number, index: string, shard: string): Promise<void> {
    const { lane: thread, schemas } = this.#lanes[lane]!
    if (!schemas.delete(index)) return
    await thread.run({ kind: 'dropShard', index, shard })
  }

  /** After a thread's death: its replacement has no schema. */
  forgetSchemas(lane: number): void {
    this.#lanes[lane]!.schemas.clear()
  }

  /**
   * @param signal for whom it runs, who may give it up; null: for nobody in particular
   * @throws {Error} it was given up
   */
  async merge(
    merge: Omit<MergeRequest, 'stop'>,
    signal: Cancellation | null,
  ): Promise<MergeAnswer> {
    return underStop(signal, this.#stops, async stop => {
      if (this.#isClosed) giveUp(new Int32Array(stop))
      const request: MergeRequest = { ...merge, stop }
      return (await outlivingThreads(() => this.#merges.run(request, [], signal))) as MergeAnswer
    })
  }

  /** Ends the threads; a running merge is abandoned. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const stop of this.#stops) giveUp(stop)
    await Promise.all([...this.#lanes.map(({ lane }) => lane.close()), this.#merges.close()])
  }
}
