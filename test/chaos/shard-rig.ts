import { expect } from 'vitest'
import { SegmentMemory } from '../../src/segment/segment-memory.ts'
import { StoredCache } from '../../src/segment/stored-cache.ts'
import { type FoundDamage, verifySegment } from '../../src/segment/verify-segment.ts'
import { readLastCommit } from '../../src/shard/commit.ts'
import { Shard } from '../../src/shard/shard.ts'
import type { WriteLanes } from '../../src/shard/write-lanes.ts'
import type { WriteOperation, WriteOutcome } from '../../src/shard/write-operation.ts'
import type { ArenaPool } from '../../src/store/arena-pool.ts'
import { FileTranslog } from '../../src/store/translog/file-translog.ts'
import { verifyCheckpoint } from '../../src/store/translog/log-checkpoint.ts'
import { OpenLogs } from '../../src/store/translog/open-logs.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { EngineError } from '../../src/util/errors.ts'
import type { Long } from '../../src/util/long.ts'
import type { FaultDisk } from './fault-disk.ts'

const MAPPING = '{"properties":{"t":{"type":"text"},"n":{"type":"long"}}}'
const PATH = ['indices', 'u', '0']

/** What a rig's shards share: threads and memory cost more than the runs themselves. */
export interface RigParts {
  readonly lanes: WriteLanes
  readonly arenas: ArenaPool
}

/** What became of an id, as far as its writer was told. */
export interface KnownDocument {
  readonly version: Long
  readonly seqNo: number
  /** Null after a delete. */
  readonly source: string | null
}

let rigs = 0

/** A shard over a disk that fails, and what its writers know of it. */
export class ShardRig {
  readonly disk: FaultDisk
  readonly shard: Shard
  /** What was acknowledged. */
  readonly known: Map<string, KnownDocument>
  /** What may have happened beside: operations whose writers got an error, or no answer. */
  readonly unsure: Map<string, (string | null)[]>
  /** Failures that no caller was told of. */
  readonly background: unknown[] = []
  acknowledged = 0

  private constructor(disk: FaultDisk, parts: RigParts, before: ShardRig | null) {
    this.disk = disk
    this.known = new Map(before?.known)
    this.unsure = new Map(before?.unsure)
    let uid = 0
    // Threads may still hold the buffer of the shard before.
    const uuid = `u${rigs++}`
    const directory = disk.directory(...PATH)
    const logs = new OpenLogs(1)
    this.shard = new Shard({
      name: { index: 'i', uuid, shard: 0 },
      directory,
      folder: null,
      memory: new SegmentMemory(parts.arenas, 1 << 28),
      stored: new StoredCache(1 << 20),
      lanes: parts.lanes,
      openLog: start => new FileTranslog(directory, start, () => 4096, logs),
      nextUid: () => uid++,
      schema: () => ({
        index: uuid,
        version: 1,
        mapping: encodeUtf8(MAPPING),
        settings: new Map(),
        wordFiles: new Map(),
        scripts: null,
        plugins: [],
      }),
      proposeFields: () => Promise.reject(new Error('every field is mapped')),
      settings: () => ({
        isCheckedOnStartup: false,
        mayHaveTwins: false,
        isDurableOnRequest: true,
        logGenerationInBytes: 4096,
        gcDeletesInMillis: 60_000,
        flushThresholdInBytes: 1 << 30,
        slowIndexingInNanos: Number.POSITIVE_INFINITY,
        bufferLimitInBytes: 1 << 20,
        mergeOrder: 'none',
        indexSort: '',
        graphFrom: Number.POSITIVE_INFINITY,
        merge: {
          maxMergeAtOnce: 4,
          segmentsPerTier: 3,
          floorSegmentInBytes: 1 << 20,
          maxMergedSegmentInBytes: 1 << 30,
          deletesPctAllowed: 50,
          expungeDeletesAllowed: 10,
        },
      }),
      onDirty() {},
      onUnsynced() {},
      onWritten() {},
      onSlow() {},
      onMissed: error => this.background.push(error),
      onFailure: error => this.background.push(error),
    })
  }

  /** A new shard on an empty disk. */
  static create(disk: FaultDisk, parts: RigParts): ShardRig {
    disk.directory(...PATH)
    for (let depth = 0; depth < PATH.length; depth++)
      disk.directory(...PATH.slice(0, depth)).syncFolder()
    return new ShardRig(disk, parts, null)
  }

  /** The shard opened again on what is left of its disk, replayed and held against what is known. */
  async reopen(disk: FaultDisk, parts: RigParts): Promise<ShardRig> {
    const rig = new ShardRig(disk, parts, this)
    await rig.shard.recover()
    rig.check()
    return rig
  }

  /** Writes one operation after the other in one request, and notes what was answered. */
  async write(operations: readonly { id: string; source: string | null }[]): Promise<void> {
    const requests = operations.map(({ id, source }): WriteOperation => {
      const base = {
        id,
        routing: null,
        ifSeqNo: null,
        ifPrimaryTerm: null,
        version: null,
        versionType: 'internal' as const,
      }
      return source === null
        ? { kind: 'delete', ...base }
        : { kind: 'index', ...base, isCreate: false, isNewId: false, source: encodeUtf8(source) }
    })
    let outcomes: WriteOutcome[]
    try {
      outcomes = await this.shard.submit(requests)
    } catch (error) {
      for (const { id, source } of operations)
        this.unsure.set(id, [...(this.unsure.get(id) ?? []), source])
      throw error
    }
    outcomes.forEach((outcome, i) => {
      if (outcome instanceof EngineError) throw outcome
      const { id, source } = operations[i]!
      const { version, seqNo } = outcome
      this.known.set(id, { version, seqNo, source })
      // Whatever was unsure of it has been superseded.
      this.unsure.delete(id)
      this.acknowledged++
    })
  }

  /** Holds every document against what was acknowledged, and every file against its checksum. */
  check(): void {
    let live = 0
    for (const id of new Set([...this.known.keys(), ...this.unsure.keys()])) {
      const found = this.shard.get(id, true)
      const source = found === null ? null : Buffer.from(found.source).toString()
      if (source !== null) live++
      const known = this.known.get(id)
      const unsure = this.unsure.get(id) ?? []
      const isKnown = source === (known?.source ?? null)
      if (!isKnown) expect(unsure, `[${id}] is ${source}, not ${known?.source}`).toContain(source)
      else if (found !== null && known !== undefined && unsure.length === 0)
        expect([found.current.version, found.current.seqNo], id).toEqual([
          known.version,
          known.seqNo,
        ])
      // What came out stays: from now on it is what is known.
      if (unsure.length === 0) continue
      this.unsure.delete(id)
      if (found === null) this.known.delete(id)
      else {
        const { version, seqNo } = found.current
        this.known.set(id, { version, seqNo, source })
      }
    }
    expect(this.shard.snapshot.numDocs).toBe(live)
    const directory = this.disk.directory(...PATH)
    const damages: FoundDamage[] = []
    for (const entry of readLastCommit(directory)?.segments ?? [])
      verifySegment(directory, entry, damages)
    expect(damages).toEqual([])
  }

  /** Holds the checkpoint against its bytes: what a crash tore is gone after two writes. */
  checkCheckpoint(): void {
    verifyCheckpoint(this.disk.directory(...PATH))
  }
}
