/** The waits of searches while vectors are indexed, graphs and merges included. */
import { setImmediate as turn } from 'node:timers/promises'
import { percentile } from '../lib/load.ts'
import { processorWait } from '../lib/processor-wait.ts'
import { atMost, type Bench, type BenchResult, resultOf } from '../lib/result.ts'
import { openTableEngine, type Send, senderOver } from '../lib/table-index.ts'
import { drawVectors } from '../lib/vector-sets.ts'

const SEED = 20261128
const COUNT = 20_000
const DIMENSION = 128
const QUERIES = 100
const BULK = 500
const COLOURS = 50
const ROUND_IN_MILLIS = 3000
/** How many times its wait alone a search may wait at the 99th percentile. */
const MOST_WAIT = 1.5

const SETTINGS = {
  number_of_shards: 1,
  refresh_interval: '1s',
  'index.knn': true,
  'index.knn.advanced.approximate_threshold': 0,
}
const METHOD = { name: 'hnsw', engine: 'faiss', parameters: { m: 16, ef_construction: 100 } }
const INDEX = JSON.stringify({
  settings: SETTINGS,
  mappings: {
    properties: {
      v: { type: 'knn_vector', dimension: DIMENSION, method: METHOD },
      colour: { type: 'keyword' },
    },
  },
})

/** Searches of an index at rest, alone and beside bulk requests of vectors to another index, without an end. */
export const vectorLoad: Bench = {
  name: 'vector-load',
  async run({ rounds, say }) {
    const set = { count: COUNT, dimension: DIMENSION, latent: 24 }
    const [queries, vectors] = drawVectors(set, SEED, QUERIES)
    const bodies = bulkBodies(vectors)
    const engine = await openTableEngine(null)
    try {
      const send = senderOver(engine)
      say(`vector-load: indexing ${COUNT} vectors of ${DIMENSION} components`)
      await send('PUT /searched', INDEX)
      for (const body of bodies) await send('POST /searched/_bulk', body)
      await send('POST /searched/_forcemerge?max_num_segments=1', '')
      const searches = {
        knn: queries.map(query => ({ knn: { v: { vector: [...query], k: 10 } } })),
        term: queries.map((_, i) => ({ term: { colour: `c${i % COLOURS}` } })),
      }
      const results: BenchResult[] = []
      for (const [name, list] of Object.entries(searches)) {
        const texts = list.map(query => JSON.stringify({ _source: false, query }))
        results.push(...(await waits(name, texts, send, bodies, rounds)))
      }
      return results
    } finally {
      await engine.close()
    }
  },
}

function bulkBodies(vectors: readonly Float32Array[]): string[] {
  const bodies: string[] = []
  for (let at = 0; at < vectors.length; at += BULK) {
    const lines = vectors
      .slice(at, at + BULK)
      .flatMap((v, i) => ['{"index":{}}', JSON.stringify({ v: [...v], colour: `c${i % COLOURS}` })])
    bodies.push(`${lines.join('\n')}\n`)
  }
  return bodies
}

async function waits(
  name: string,
  texts: readonly string[],
  send: Send,
  bodies: readonly string[],
  rounds: number,
): Promise<BenchResult[]> {
  const waited = processorWait()
  const times = { alone: new Waits(), beside: new Waits() }
  const search = async (into: Waits): Promise<void> => {
    const end = performance.now() + ROUND_IN_MILLIS
    into.begin()
    for (let i = 0; performance.now() < end; i++) {
      // As requests come, each in a turn of its own.
      await turn()
      const before = waited()
      const took = await send('POST /searched/_search', texts[i % texts.length]!)
      into.add(took, took - (waited() - before))
    }
    into.end()
  }
  await search(new Waits())
  const indexed: number[] = []
  for (let round = 0; round < rounds; round++) {
    await search(times.alone)
    await send('PUT /filled', INDEX)
    let isOver = false
    let count = 0
    const filling = (async () => {
      for (let i = 0; !isOver; i++) {
        await send('POST /filled/_bulk', bodies[i % bodies.length]!)
        if (!isOver) count += BULK
      }
    })()
    await search(times.beside)
    isOver = true
    await filling
    await send('DELETE /filled', '')
    indexed.push((1000 * count) / ROUND_IN_MILLIS)
  }
  const lines: BenchResult[] = [resultOf(`vector-load/vectors beside ${name}`, 'a second', indexed)]
  for (const [what, part] of [
    ['', 'whole'],
    [', less waits for a processor', 'own'],
  ] as const) {
    const alone = resultOf(`vector-load/p99 of ${name} alone${what}`, 'ms', times.alone[part])
    const beside = resultOf(`vector-load/p99 of ${name} beside${what}`, 'ms', times.beside[part])
    const ratio = beside.median / alone.median
    lines.push(alone, {
      ...beside,
      against: { name: 'alone', ratio: 1 / ratio },
      mark: atMost(ratio, MOST_WAIT, '× alone, of medians'),
    })
  }
  return lines
}

/** The 99th percentile of each round, of whole times and of those less what the thread waited for a processor. */
class Waits {
  readonly whole: number[] = []
  readonly own: number[] = []
  #times: number[] = []
  #ownTimes: number[] = []

  begin(): void {
    this.#times = []
    this.#ownTimes = []
  }

  add(time: number, own: number): void {
    this.#times.push(time)
    this.#ownTimes.push(own)
  }

  end(): void {
    this.whole.push(at99(this.#times))
    this.own.push(at99(this.#ownTimes))
  }
}

function at99(times: number[]): number {
  return percentile(
    times.sort((a, b) => a - b),
    0.99,
  )
}
