/** Nanoseconds that a scan of the library takes of a match, and whether they grow with its depth. */
import { open } from '../../dist/index.js'
import { atMost, type Bench, resultOf } from '../lib/result.ts'

const DOCS = 1_000_000
/** Parts of a scan that are timed by themselves. */
const PARTS = 10

/** A scan of a million documents, without their sources. */
export const scanning: Bench = {
  name: 'scanning',
  async run({ rounds, say }) {
    const database = await open(undefined, {
      settings: { 'lamella.threads.write': '1', 'lamella.threads.search': '1' },
    })
    try {
      const index = await database.index<{ n: number }>('scanned', undefined, {
        settings: { number_of_shards: 1, refresh_interval: '-1' },
      })
      say('scanning: indexing')
      for await (const _ of index.bulk(numbered(), { refresh: true })) {
        // Loads on.
      }
      const perHit: number[] = []
      const least = Array<number>(PARTS).fill(Number.POSITIVE_INFINITY)
      for (let round = 0; round < rounds; round++) {
        const bounds = [performance.now()]
        let count = 0
        for await (const hit of index.scan(undefined, { source: false }))
          if (hit.source === null && ++count % (DOCS / PARTS) === 0) bounds.push(performance.now())
        if (count !== DOCS) throw new Error(`${count} hits of ${DOCS}`)
        const times = bounds.slice(1).map((bound, i) => bound - bounds[i]!)
        perHit.push((1e6 * (bounds.at(-1)! - bounds[0]!)) / DOCS)
        for (const [i, time] of times.entries()) least[i] = Math.min(least[i]!, time)
      }
      const depth = least.at(-1)! / least[0]!
      return [
        resultOf('scanning/without source', 'ns/hit', perHit, {
          mark: atMost(Math.min(...perHit), 2500, 'ns/hit'),
        }),
        resultOf('scanning/last tenth against the first', '×', [depth], {
          mark: atMost(depth, 1.2, '×'),
        }),
      ]
    } finally {
      await database.close()
    }
  },
}

function* numbered(): Generator<{ id: string; source: { n: number } }> {
  for (let n = 0; n < DOCS; n++) yield { id: String(n), source: { n } }
}
