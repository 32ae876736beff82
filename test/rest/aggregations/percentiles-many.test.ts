/** Percentiles of columns with many values, which kernels count by cells, beside the same values one by one. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Random } from '../../../src/util/random.ts'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

const SEED = 55
const DOCUMENTS = 36_000
const CHUNK = 12_000

/** A draw of each field. */
const DRAWS: Readonly<Record<string, (random: Random) => number>> = {
  hundredths: random => random.below(100_000) / 100,
  few: random => random.below(100) / 8,
  wide: random => 10 ** (16 * random.next() - 8),
  signed: random => (random.next() - 0.5) * 1e6,
  high: random => 1e9 + random.next(),
  crowded: random => (random.below(50) === 0 ? 1e12 * random.next() : random.next()),
  same: () => 0.1,
  // Distinct at first, later of few values.
  turning: random => random.below(3) / 3,
}
const FIELDS = Object.keys(DRAWS)

let rest: Rest
const ok = okOf(() => rest)

beforeAll(async () => {
  rest = await openRest()
  const properties = Object.fromEntries(FIELDS.map(field => [field, { type: 'double' }]))
  const settings = { number_of_shards: 1, 'index.refresh_interval': '-1' }
  for (const index of ['whole', 'parts']) {
    await ok(`PUT /${index}`, { settings, mappings: { properties } })
    const random = new Random(SEED)
    for (let at = 0; at < DOCUMENTS; at += CHUNK) {
      const lines = Array.from({ length: CHUNK }, (_, i) => {
        const drawn = FIELDS.map(field => [field, DRAWS[field]!(random)])
        const source = Object.fromEntries(drawn)
        return at + i < 6000 ? { ...source, turning: random.next() } : source
      })
      await ok(
        `POST /${index}/_bulk?refresh=true`,
        ndjson(...lines.flatMap(l => [{ index: {} }, l])),
      )
    }
  }
  await ok('POST /whole/_forcemerge?max_num_segments=1')
}, 120_000)
afterAll(() => rest.close())

it.each(FIELDS.flatMap(field => ['whole', 'parts'].map(index => [field, index] as const)))(
  `of %s of %s are those of its values one by one (seed ${SEED})`,
  async (field, index) => {
    const percents = [0, 0.1, 1, 5, 25, 50, 75, 95, 99, 99.9, 100]
    const source = `doc['${field}'].value`
    for (const compression of [100, 10, 190]) {
      const options = { percents, tdigest: { compression } }
      for (const query of [{ match_all: {} }, { range: { hundredths: { gte: 300 } } }]) {
        // Apart: searches with scripts run on other threads.
        const answer = async (values: object): Promise<{ values: Record<string, number> }> => {
          const aggs = { x: { percentiles: { ...values, ...options } } }
          return (await ok(`POST /${index}/_search`, { size: 0, query, aggs })).aggregations.x
        }
        const found = await answer({ field })
        expect(found.values['50.0']).not.toBeNull()
        expect(found).toEqual(await answer({ script: { source } }))
      }
    }
  },
)
