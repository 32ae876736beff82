import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine, openEngineOver } from '../../dist/engine/engine.js'
import type { EngineApi } from '../../dist/engine/engine-api.js'
import { FsDataFolder } from '../../dist/store/data-folder.js'
import type { Directory } from '../../dist/store/directory.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { readDocuments } from '../lib/documents.ts'
import { atLeast, atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'

const DOCUMENTS = 50_000
/** Documents of one bulk request. */
const BULK = 2000
const WRITERS = 64
const WRITES_OF_EACH = 200
const SETTINGS = new Map([
  ['lamella.threads.write', '1'],
  ['lamella.threads.search', '1'],
])
const INDEX = new Map([
  ['index.refresh_interval', '-1'],
  ['index.translog.flush_threshold_size', '4gb'],
])

/** What it costs that nothing acknowledged is lost, and how fast it comes back. */
export const durability: Bench = {
  name: 'durability',
  async run({ rounds, corpus, say }) {
    const bodies = bulkBodies(corpus)
    say(`durability: ${bodies.length * BULK} documents of ${corpus}`)
    return [
      ...(await acknowledgements(rounds)),
      await costOfLog(bodies, rounds),
      await recovery(bodies, rounds),
    ]
  },
}

function bulkBodies(corpus: string): Uint8Array[] {
  const { bytes, bounds } = readDocuments(corpus, DOCUMENTS)
  const bodies: Uint8Array[] = []
  for (let start = 0; start + BULK < bounds.length; start += BULK) {
    const parts: Uint8Array[] = []
    for (let i = start; i < start + BULK; i++)
      parts.push(
        encodeUtf8(`{"index":{"_index":"bench","_id":"${i}"}}\n`),
        bytes.subarray(bounds[i]!, bounds[i + 1]!),
      )
    bodies.push(Buffer.concat(parts))
  }
  return bodies
}

/** A folder that counts the syncs of logs; or one whose stores keep their log in memory. */
class BenchFolder extends FsDataFolder {
  override readonly isLasting: boolean
  syncs = 0

  constructor(root: string, isLasting: boolean) {
    super(root)
    this.isLasting = isLasting
  }

  override directory(...path: string[]): Directory {
    const directory = super.directory(...path)
    const { openWritable } = directory
    directory.openWritable = name => {
      const file = openWritable.call(directory, name)
      const { sync } = file
      file.sync = () => {
        this.syncs++
        return sync.call(file)
      }
      return file
    }
    return directory
  }
}

/** Runs a step with an engine over a folder of its own. */
async function withEngine<T>(
  isLasting: boolean,
  step: (engine: EngineApi, folder: BenchFolder) => Promise<T>,
): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'lamella-durability-'))
  const folder = new BenchFolder(root, isLasting)
  const engine = await openEngineOver({ folder: null, settings: SETTINGS }, folder)
  try {
    await engine.createIndex({
      name: 'bench',
      settings: INDEX,
      mappings: null,
      aliases: null,
      waitForActiveShards: 1,
      timeoutInMillis: 30_000,
    })
    return await step(engine, folder)
  } finally {
    await engine.close()
    rmSync(root, { recursive: true })
  }
}

/** Many writers of one document at a time, each of which waits for its acknowledgement. */
async function acknowledgements(rounds: number): Promise<BenchResult[]> {
  const perSecond: number[] = []
  const perSync: number[] = []
  for (let round = -1; round < rounds; round++)
    await withEngine(true, async (engine, folder) => {
      const write = async (writer: number, count: number): Promise<void> => {
        for (let i = 0; i < count; i++)
          await engine.indexDocument({
            index: 'bench',
            id: `${writer}-${i}`,
            opType: 'index',
            source: encodeUtf8(`{"title":"document ${i}","n":${i}}`),
            routing: null,
            refresh: 'false',
            ifSeqNo: null,
            ifPrimaryTerm: null,
            version: null,
            versionType: 'internal',
            requireAlias: false,
            waitForActiveShards: 1,
            timeoutInMillis: 30_000,
          })
      }
      const all = (count: number): Promise<unknown> =>
        Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer, count)))
      await all(20)
      const syncs = folder.syncs
      const started = performance.now()
      await all(WRITES_OF_EACH)
      const seconds = (performance.now() - started) / 1000
      if (round < 0) return
      perSecond.push((WRITERS * WRITES_OF_EACH) / seconds)
      perSync.push((WRITERS * WRITES_OF_EACH) / (folder.syncs - syncs))
    })
  const best = Math.max(...perSecond)
  return [
    {
      ...resultOf('durability/64 writers, each write synced', 'writes/s', perSecond),
      min: best,
      mark: atLeast(best, 10_000, 'writes/s')!,
    },
    resultOf('durability/64 writers', 'writes for each sync', perSync),
  ]
}

async function load(engine: EngineApi, bodies: readonly Uint8Array[]): Promise<number> {
  const started = performance.now()
  for (const body of bodies) {
    const { items } = await engine.bulk({
      body,
      index: null,
      routing: null,
      refresh: 'false',
      requireAlias: false,
      waitForActiveShards: 1,
      timeoutInMillis: 30_000,
    })
    if (items.some(item => 'error' in item)) throw new Error('a document was refused')
  }
  return performance.now() - started
}

/** A bulk load whose requests wait for the log, beside the same without one. */
async function costOfLog(bodies: readonly Uint8Array[], rounds: number): Promise<BenchResult> {
  const withLog: number[] = []
  const without: number[] = []
  for (let round = -1; round < rounds; round++) {
    const plain = await withEngine(false, engine => load(engine, bodies))
    const logged = await withEngine(true, engine => load(engine, bodies))
    if (round < 0) continue
    without.push(plain)
    withLog.push(logged)
  }
  const ratio = Math.min(...withLog) / Math.min(...without)
  return resultOf('durability/bulk load with a log', 'ms', withLog, {
    against: { name: 'without', ratio: 1 / ratio },
    // A quarter of the throughput is what a log may cost.
    mark: atMost(ratio, 1.33, '× without'),
  })
}

/** From a killed process's folder to an engine that answers: bytes of the log each second. */
async function recovery(bodies: readonly Uint8Array[], rounds: number): Promise<BenchResult> {
  const root = mkdtempSync(join(tmpdir(), 'lamella-recovery-'))
  const perSecond: number[] = []
  try {
    const killed = join(root, 'killed')
    const bytes = await withEngine(true, async (engine, folder) => {
      await load(engine, bodies)
      const [stats] = await engine.stats({
        names: ['bench'],
        ignoreUnavailable: false,
        allowNoIndices: true,
        expandOpen: true,
        expandClosed: false,
        expandHidden: false,
      })
      cpSync(folder.root, killed, { recursive: true })
      return stats!.shards[0]!.translogInBytes
    })
    for (let round = -1; round < rounds; round++) {
      const copy = join(root, `copy-${round}`)
      cpSync(killed, copy, { recursive: true })
      const started = performance.now()
      const settings = new Map([...SETTINGS, ['lamella.threads.write', '2'] as const])
      const engine = await openEngine({ folder: copy, settings })
      const seconds = (performance.now() - started) / 1000
      await engine.close()
      rmSync(copy, { recursive: true })
      if (round >= 0) perSecond.push(bytes / 1e6 / seconds)
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
  const best = Math.max(...perSecond)
  return {
    ...resultOf('durability/recovery', 'MB of log/s', perSecond),
    min: best,
    mark: atLeast(best, 50, 'MB/s')!,
  }
}
