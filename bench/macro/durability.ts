import { trusted } from '../../dist/task/call-context.js'
import { encodeUtf8 } from '../../dist/util/bytes.js'
import { readDocuments } from '../lib/documents.ts'
import { bulkBodies, load, withEngine } from '../lib/loaded-engine.ts'
import { atLeast, atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'

const DOCUMENTS = 50_000
const WRITERS = 64
const WRITES_OF_EACH = 200

/** The cost of losing nothing that was acknowledged. */
export const durability: Bench = {
  name: 'durability',
  async run({ rounds, corpus, say }) {
    const bodies = bulkBodies(readDocuments(corpus, DOCUMENTS))
    say(`durability: ${bodies.length} bulk requests of ${corpus}`)
    return [...(await acknowledgements(rounds)), await costOfLog(bodies, rounds)]
  },
}

/** Many writers of one document at a time, each of which waits for its acknowledgement. */
async function acknowledgements(rounds: number): Promise<BenchResult[]> {
  const perSecond: number[] = []
  const perSync: number[] = []
  for (let round = -1; round < rounds; round++)
    await withEngine(true, null, async (engine, folder) => {
      const write = async (writer: number, count: number): Promise<void> => {
        for (let i = 0; i < count; i++)
          await engine.documents.index(
            {
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
            },
            trusted('indices:data/write/index'),
          )
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

/** A bulk load whose requests wait for the log, beside the same without one. */
async function costOfLog(bodies: readonly Uint8Array[], rounds: number): Promise<BenchResult> {
  const withLog: number[] = []
  const without: number[] = []
  for (let round = -1; round < rounds; round++) {
    const plain = await withEngine(false, null, engine => load(engine, bodies))
    const logged = await withEngine(true, null, engine => load(engine, bodies))
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
