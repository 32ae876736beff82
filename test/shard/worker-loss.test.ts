import { expect, it } from 'vitest'
import { SegmentMemory } from '../../src/segment/segment-memory.ts'
import { StoredCache } from '../../src/segment/stored-cache.ts'
import { Shard } from '../../src/shard/shard.ts'
import { WriteLanes } from '../../src/shard/write-lanes.ts'
import type { WriteOperation } from '../../src/shard/write-operation.ts'
import { ArenaPool } from '../../src/store/arena-pool.ts'
import { MemoryDirectory } from '../../src/store/memory-directory.ts'
import { MemoryTranslog } from '../../src/store/translog/memory-translog.ts'
import { encodeUtf8 } from '../../src/util/bytes.ts'
import { EngineError } from '../../src/util/errors.ts'
import { Random } from '../../src/util/random.ts'

const MAPPING = '{"properties":{"t":{"type":"text"},"n":{"type":"long"}}}'

it('loses nothing and repeats nothing while its write worker keeps dying', async () => {
  const random = new Random(31)
  const lanes = new WriteLanes(1, new URL('./fixtures/dying-write-worker.mjs', import.meta.url))
  let uid = 0
  const shard = new Shard({
    name: { index: 'i', uuid: 'u', shard: 0 },
    directory: new MemoryDirectory(),
    folder: null,
    memory: new SegmentMemory(new ArenaPool(), 1 << 28),
    stored: new StoredCache(1 << 20),
    lanes,
    openLog: () => new MemoryTranslog('log'),
    nextUid: () => uid++,
    schema: () => ({
      index: 'u',
      version: 1,
      mapping: encodeUtf8(MAPPING),
      settings: new Map(),
      wordFiles: new Map(),
      scripts: null,
      plugins: [],
    }),
    proposeFields: () => Promise.reject(new Error('every field is mapped')),
    settings: () => ({
      gcDeletesInMillis: 60_000,
      isCheckedOnStartup: false,
      mayHaveTwins: false,
      isDurableOnRequest: true,
      logGenerationInBytes: 1 << 26,
      flushThresholdInBytes: 1 << 30,
      slowIndexingInNanos: Number.POSITIVE_INFINITY,
      bufferLimitInBytes: 1 << 20,
      mergeOrder: 'none',
      indexSort: '',
      graphFrom: Number.POSITIVE_INFINITY,
      merge: {
        maxMergeAtOnce: 10,
        segmentsPerTier: 10,
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
    onMissed(error) {
      throw error
    },
    onFailure(error) {
      throw error
    },
  })
  const model = new Map<string, string>()
  let accepted = 0
  for (let round = 0; round < 60; round++) {
    const operations: WriteOperation[] = Array.from({ length: 1 + random.below(20) }, () => {
      const base = {
        id: `d${random.below(50)}`,
        routing: null,
        ifSeqNo: null,
        ifPrimaryTerm: null,
        version: null,
        versionType: 'internal' as const,
      }
      if (random.below(6) === 0) return { kind: 'delete', ...base }
      const n = random.below(10) === 0 ? '"bad"' : String(round)
      const source = encodeUtf8(`{"t":"word${random.below(5)}","n":${n}}`)
      return { kind: 'index', ...base, isCreate: false, isNewId: false, source }
    })
    const outcomes = await shard.submit(operations)
    operations.forEach((operation, i) => {
      const outcome = outcomes[i]!
      if (operation.kind === 'index' && Buffer.from(operation.source).includes('"bad"')) {
        expect(outcome).toBeInstanceOf(EngineError)
        return
      }
      if (outcome instanceof EngineError) throw outcome
      expect(outcome.seqNo).toBe(accepted++)
      if (operation.kind === 'delete') model.delete(operation.id)
      else model.set(operation.id, Buffer.from(operation.source).toString())
    })
    if (random.below(8) === 0) await shard.refresh()
  }
  await shard.refresh()
  expect(shard.snapshot.numDocs).toBe(model.size)
  for (const [id, source] of model)
    expect(Buffer.from(shard.get(id, true)!.source).toString()).toBe(source)
  await shard.close({ commit: false })
  await lanes.close()
}, 180_000)
