/**
 * Random trees of aggregations over random collections, held to a plain walk over the documents, and
 * to themselves in every way that a search may be run: slices, partitions, profile, executor.
 *
 * The long form: `LAMELLA_AGGREGATION_TREES=5000 npx vitest run test/aggregation/random-aggregations.test.ts`
 * runs each tree in all 32 ways; `LAMELLA_AGGREGATION_SEED` draws others.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Random } from '../../src/util/random.ts'
import { randomCollection, type Shape } from '../support/plain/collection.ts'
import { difference } from '../support/plain/difference.ts'
import { type FilterQuery, matches, randomFilter } from '../support/plain/filter-query.ts'
import type { Aggs } from '../support/plain/kind.ts'
import { KindCounts } from '../support/plain/kind-counts.ts'
import { type PlainAnswer, plainAnswer } from '../support/plain/plain-answer.ts'
import { randomTree, requestOf } from '../support/plain/random-tree.ts'
import { documentRow } from '../support/plain/row.ts'
import { keysOf, settingsOf, WAYS, type Way } from '../support/plain/ways.ts'
import { openRest, type Rest } from '../support/rest-calls.ts'

const SHORT = 160
const TREES = Number(process.env['LAMELLA_AGGREGATION_TREES'] ?? SHORT)
const SEED = Number(process.env['LAMELLA_AGGREGATION_SEED'] ?? 1728)
const PER_COLLECTION = 30
/** In the short form a tree runs in the first way and in some of the others. */
const SHORT_WAYS = 2

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
  const raised = { persistent: { 'search.max_buckets': 10_000_000 } }
  expect((await rest.call('PUT /_cluster/settings', raised)).status).toBe(200)
})
afterAll(() => rest.close())

interface Drawn {
  readonly aggs: Aggs
  readonly query: FilterQuery
  readonly answer: PlainAnswer
  /** What the first way gave. */
  text: string
}

/** Most collections are small; partitions need segments of more than 4,096 documents. */
function randomShape(random: Random, index: number): Shape {
  const shards = 1 + random.below(3)
  return index % 4 === 1
    ? { documents: 2200, shards: 1, batch: random.below(2) === 0 ? 2200 : 1800 }
    : { documents: 50 + random.below(350), shards, batch: 25 + random.below(100) }
}

// The long form takes longer than the tests of this project may wait.
const WAIT = { timeout: TREES > SHORT ? 0 : 1_200_000 }

it(
  `answers as the documents say, however a search is run (seed ${SEED}, ${TREES} trees)`,
  WAIT,
  async () => {
    const counts = new KindCounts()
    for (let at = 0, index = 0; at < TREES; at += PER_COLLECTION, index++) {
      const random = new Random(SEED + index)
      const documents = await randomCollection(rest, random, randomShape(random, index))
      const all = documents.map(documentRow)
      const drawn = Array.from({ length: Math.min(PER_COLLECTION, TREES - at) }, (): Drawn => {
        const aggs = randomTree(random, Math.floor(Math.sqrt(random.next()) * 5))
        const query = random.below(3) > 0 ? { match_all: {} } : randomFilter(random, '')
        const rows = all.filter(row => matches(query, row))
        return { aggs, query, answer: plainAnswer(aggs, rows, all), text: '' }
      })
      for (const { aggs, answer } of drawn) counts.add(aggs, answer.told)
      for (const [i, way] of WAYS.entries()) {
        const set = await rest.call('PUT /i/_settings', settingsOf(way))
        expect(set.status, set.text).toBe(200)
        for (const [tree, each] of drawn.entries())
          if (i === 0 || TREES > SHORT || (tree + i) % Math.ceil(WAYS.length / SHORT_WAYS) === 0)
            await check(each, way, `collection ${index}, tree ${tree}`)
      }
    }
    expect(counts.rarerThan(TREES / 25, TREES / 50), String(counts)).toEqual([])
    expect(rest.engine.cluster.executorCounts()).toMatchObject({
      kernels: expect.any(Number),
      terminate_after: expect.any(Number),
      profile: expect.any(Number),
    })
  },
)

async function check(drawn: Drawn, way: Way, title: string): Promise<void> {
  const { aggs, query, answer } = drawn
  const request = { size: 0, query, aggs: requestOf(aggs), ...keysOf(way) }
  const { status, text, json } = await rest.call('POST /i/_search', request)
  const failed = (why: string): never =>
    expect.fail(`${title}, ${JSON.stringify(way)}: ${why} of ${JSON.stringify(request)}`)
  if (status !== 200 || json._shards.failed > 0) failed(text)
  const own = aggregationsIn(text)
  if (drawn.text === '') {
    const found = difference(json.aggregations, answer.printed)
    if (found !== null) failed(found)
    drawn.text = own
  } else if (own !== drawn.text) {
    const [first] = WAYS
    failed(
      `${difference(json.aggregations, JSON.parse(drawn.text))} as ${JSON.stringify(first)} gave it`,
    )
  }
}

/** The text of the answer's aggregations, which stand between the hits and the profile. */
function aggregationsIn(text: string): string {
  const start = text.indexOf('"aggregations":') + '"aggregations":'.length
  const profile = text.indexOf(',"profile":{"shards":')
  return text.slice(start, profile < 0 ? -1 : profile)
}
