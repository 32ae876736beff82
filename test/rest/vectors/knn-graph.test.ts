import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Random } from '../../../src/util/random.ts'
import { damageGraphs } from '../../support/damage-graphs.ts'
import { clusteredVectors } from '../../support/graph-fixture.ts'
import { checkShardProfile } from '../../support/profile-invariants.ts'
import { ndjson, openRest, type Rest } from '../../support/rest-calls.ts'
import type { PrintedStep } from '../../support/search-shapes.ts'

const SEED = Number(process.env['LAMELLA_SEED'] ?? 20261124)
const COUNT = 2400
const QUERIES = 40
const DIMENSION = 20
const THRESHOLD = 'index.knn.advanced.approximate_threshold'

const clusters = { clusters: 40, spread: 0.6, seed: SEED }
const drawn = clusteredVectors(COUNT + QUERIES, DIMENSION, clusters)
const queries = drawn.slice(0, QUERIES)
const vectors = drawn.slice(QUERIES)
const method = { name: 'hnsw', engine: 'faiss', parameters: { m: 4, ef_construction: 40 } }

async function create(
  rest: Rest,
  index: string,
  threshold: number,
  shards = 1,
  more: object = {},
): Promise<void> {
  const { json } = await rest.call(`PUT /${index}`, {
    settings: {
      'index.knn': true,
      [THRESHOLD]: threshold,
      number_of_shards: shards,
      'index.refresh_interval': -1,
      ...more,
    },
    mappings: {
      properties: {
        group: { type: 'integer' },
        v: { type: 'knn_vector', dimension: DIMENSION, method },
      },
    },
  })
  expect(json.acknowledged).toBe(true)
}

/** Three segments, a tenth of whose documents is written anew in the last. */
async function fill(rest: Rest, index: string): Promise<void> {
  const random = new Random(SEED)
  const perSegment = COUNT / 3
  for (let segment = 0; segment < 3; segment++) {
    const lines = vectors
      .slice(segment * perSegment, (segment + 1) * perSegment)
      .flatMap((v, i) => [{ index: { _id: `${segment * perSegment + i}` } }, { group: i % 10, v }])
    if (segment === 2)
      for (let i = 0; i < perSegment / 10; i++) {
        const id = random.below(2 * perSegment)
        lines.push({ index: { _id: `${id}` } }, { group: 10, v: vectors[id]! })
      }
    const { json } = await rest.call(`POST /${index}/_bulk?refresh`, ndjson(...lines))
    expect(json.errors).toBe(false)
  }
}

interface Hit {
  readonly _id: string
  readonly _score: number
}

async function search(
  rest: Rest,
  index: string,
  query: object,
  more: object = {},
): Promise<readonly Hit[]> {
  const { json } = await rest.call(`POST /${index}/_search`, {
    query,
    size: 50,
    _source: false,
    ...more,
  })
  expect(json.error).toBeUndefined()
  expect(json._shards.failed).toBe(0)
  return json.hits.hits.map(({ _id, _score }: Hit) => ({ _id, _score }))
}

const near = (vector: readonly number[], k: number, more: object = {}): object => ({
  knn: { v: { vector, k, ...more } },
})
const ef = (ef_search: number): object => ({ method_parameters: { ef_search } })

/** Part of the exact hits that are found, over all queries. */
async function recall(
  rest: Rest,
  query: (vector: readonly number[]) => object,
  exact: (vector: readonly number[]) => object = query,
): Promise<number> {
  let found = 0
  let all = 0
  for (const vector of queries) {
    const wanted = new Set((await search(rest, 'scan', exact(vector))).map(({ _id }) => _id))
    const own = await search(rest, 'graph', query(vector))
    expect(own.length).toBe(wanted.size)
    found += own.filter(({ _id }) => wanted.has(_id)).length
    all += wanted.size
  }
  return found / all
}

describe('searches by graphs', () => {
  let rest: Rest
  beforeAll(async () => {
    rest = await openRest()
    await create(rest, 'graph', 0)
    await create(rest, 'scan', -1)
    await fill(rest, 'graph')
    await fill(rest, 'scan')
  }, 60_000)
  afterAll(() => rest.close())

  it('explain the walk, and the distance that makes the score', async () => {
    const query = near(queries[0]!, 3, ef(3))
    const [{ _id: id, _score: score }] = (await search(rest, 'graph', query)) as [Hit]
    const explained = async (asked: object): Promise<PrintedStep> =>
      (await rest.call(`POST /graph/_explain/${id}`, { query: asked })).json.explanation
    const whole = await explained(query)
    expect([whole.value, whole.description]).toEqual([
      score,
      'the type of knn search executed was Approximate-NN',
    ])
    const leaf =
      'the type of knn search executed at leaf was Approximate-NN with vectorDataType = FLOAT'
    const [{ details, ...step }] = whole.details as [PrintedStep]
    expect(step).toEqual({
      value: score,
      description: `${leaf}, spaceType = l2 where score is computed as \`1 / (1 + rawScore)\` from:`,
    })
    const [raw] = details as [PrintedStep]
    expect([raw.description, details.length]).toEqual(['rawScore, returned from FAISS library', 1])
    expect(1 / (1 + raw.value)).toBeCloseTo(score, 6)
    const again = await explained(
      near(queries[0]!, 3, { ...ef(3), rescore: { oversample_factor: 2 } }),
    )
    expect([again.description, again.details[0]!.description, again.details[0]!.details]).toEqual([
      'the type of knn search executed was Disk-based and the first pass k was 6 with vector ' +
        'dimension of 20, over sampling factor of 2.0, shard level rescoring enabled',
      `${leaf}, spaceType = l2`,
      [],
    ])
  })

  it('find most of what a scan finds, the more with more candidates, and score it alike', async () => {
    const few = await recall(rest, vector => near(vector, 3, ef(3)))
    const more = await recall(rest, vector => near(vector, 3, ef(25)))
    // Were the graph not walked, none would be missed.
    expect(few).toBeLessThan(1)
    expect(few).toBeGreaterThan(0.5)
    expect(more).toBeGreaterThan(few)
    expect(more).toBeGreaterThanOrEqual(0.95)
    for (const vector of queries) {
      const exact = await search(rest, 'scan', near(vector, 20))
      const scores = new Map(exact.map(({ _id, _score }) => [_id, _score]))
      for (const { _id, _score } of await search(rest, 'graph', near(vector, 5, ef(25))))
        if (scores.has(_id)) expect(_score).toBe(scores.get(_id))
    }
  })

  /** Expects the same hits for every number of slices, with a profile and without. */
  async function expectSame(more: object): Promise<void> {
    const query = (vector: readonly number[]): object => near(vector, 5, { ...ef(5), ...more })
    const found = (body: object = {}): Promise<readonly (readonly Hit[])[]> =>
      Promise.all(queries.map(vector => search(rest, 'graph', query(vector), body)))
    const first = await found()
    for (const slices of [1, 2, 4]) {
      await rest.call('PUT /_cluster/settings', {
        transient: {
          'search.concurrent_segment_search.mode': slices === 1 ? 'none' : 'all',
          'search.concurrent.max_slice_count': Math.max(2, slices),
        },
      })
      expect(await found()).toEqual(first)
      expect(await found({ profile: true })).toEqual(first)
      expect(await found({ size: 2 })).toEqual(first.map(hits => hits.slice(0, 2)))
    }
  }

  it('are the same for every number of slices, with a profile and without', () => expectSame({}))

  it('keep the rules of profiles', async () => {
    const slices = 3
    await rest.call('PUT /_cluster/settings', {
      transient: {
        'search.concurrent_segment_search.mode': 'all',
        'search.concurrent.max_slice_count': slices,
      },
    })
    for (const vector of queries.slice(0, 10)) {
      const started = performance.now()
      const { json } = await rest.call('POST /graph/_search', {
        query: near(vector, 5, ef(5)),
        profile: true,
      })
      const wallTime = 1e6 * (performance.now() - started)
      const [shard] = json.profile.shards
      checkShardProfile(shard, {
        concurrent: true,
        human: false,
        sliceCount: slices,
        wallTime,
        exact: null,
      })
      expect(shard.searches[0].query[0].type).toBe('NativeEngineKnnVectorQuery')
    }
  })

  it('scan where nearly all vectors would be candidates', async () => {
    expect(await recall(rest, vector => near(vector, 50, ef(700)))).toBe(1)
    // The index's own number of candidates, which is 100.
    expect(await recall(rest, vector => near(vector, 5))).toBe(1)
  })

  it('scan what is near enough, however many that are', async () => {
    expect(await recall(rest, vector => ({ knn: { v: { vector, max_distance: 9 } } }))).toBe(1)
    expect(await recall(rest, vector => ({ knn: { v: { vector, min_score: 0.1 } } }))).toBe(1)
  })

  it('find as many as are asked for among those that a filter leaves', async () => {
    const filtered = (group: object) => (vector: readonly number[]) =>
      near(vector, 3, { ...ef(20), filter: { range: { group } } })
    // Half of the documents are walked through, a tenth of them scanned.
    expect(await recall(rest, filtered({ lt: 5 }))).toBeGreaterThanOrEqual(0.9)
    expect(await recall(rest, filtered({ lt: 1 }))).toBe(1)
    expect(await recall(rest, filtered({ gt: 77 }))).toBeNaN()
    for (const { _id } of await search(rest, 'graph', filtered({ lt: 5 })(queries[0]!))) {
      const { json } = await rest.call(`GET /graph/_doc/${_id}`)
      expect(json._source.group).toBeLessThan(5)
    }
  })

  it('look at more candidates where vectors shall be scored again', async () => {
    const plain = await recall(rest, vector => near(vector, 3, ef(3)))
    const rescored = await recall(rest, vector =>
      near(vector, 3, { ...ef(3), rescore: { oversample_factor: 6 } }),
    )
    const off = await recall(rest, vector => near(vector, 3, { ...ef(3), rescore: false }))
    expect(rescored).toBeGreaterThan(plain)
    expect(off).toBe(plain)
  })

  it('take the number of candidates from the query, the mapping and the index, in this order', async () => {
    for (const [name, parameters] of [
      ['mapped', { m: 4, ef_search: 3 }],
      ['set', { m: 4 }],
    ] as const) {
      await rest.call(`PUT /${name}`, {
        settings: {
          'index.knn': true,
          [THRESHOLD]: 0,
          'index.knn.algo_param.ef_search': name === 'set' ? 3 : 100,
        },
        mappings: {
          properties: {
            v: {
              type: 'knn_vector',
              dimension: DIMENSION,
              method: { name: 'hnsw', engine: 'faiss', parameters },
            },
          },
        },
      })
      const lines = vectors.flatMap((v, i) => [{ index: { _id: `${i}` } }, { v }])
      await rest.call(`POST /${name}/_bulk?refresh`, ndjson(...lines))
      const found = (more: object): Promise<readonly (readonly Hit[])[]> =>
        Promise.all(queries.map(vector => search(rest, name, near(vector, 2, more))))
      expect(await found({})).toEqual(await found(ef(3)))
      expect(await found({})).not.toEqual(await found(ef(100)))
    }
  })

  it('find no deleted document, and most of those that are left', async () => {
    const ids = vectors.map((_, i) => `${i}`).filter((_, i) => i % 2 === 0)
    for (const index of ['graph', 'scan'])
      await rest.call(`POST /${index}/_delete_by_query?refresh`, {
        query: { ids: { values: ids } },
      })
    const gone = new Set(ids)
    for (const vector of queries)
      for (const { _id } of await search(rest, 'graph', near(vector, 5, ef(20))))
        expect(gone.has(_id)).toBe(false)
    expect(await recall(rest, vector => near(vector, 3, ef(30)))).toBeGreaterThanOrEqual(0.95)
  })

  it('go on by the graph of a merged segment', async () => {
    for (const index of ['graph', 'scan'])
      await rest.call(`POST /${index}/_forcemerge?max_num_segments=1`)
    expect(await recall(rest, vector => near(vector, 3, ef(3)))).toBeLessThan(1)
    expect(await recall(rest, vector => near(vector, 3, ef(30)))).toBeGreaterThanOrEqual(0.95)
  })

  it('go around what a filter leaves out, the same way for every number of slices', async () => {
    // A fifth of one segment: more than the comparisons of a walk with so few candidates.
    const filter = { range: { group: { lt: 2 } } }
    const few = await recall(rest, vector => near(vector, 3, { ...ef(3), filter }))
    expect(few).toBeLessThan(1)
    expect(few).toBeGreaterThan(0.4)
    await expectSame({ filter })
  })
})

const KINDS = [
  { data_type: 'float', space_type: 'cosinesimil' },
  { data_type: 'float', space_type: 'innerproduct' },
  { data_type: 'byte', space_type: 'l2' },
  { data_type: 'byte', space_type: 'innerproduct' },
  { data_type: 'binary', space_type: 'hamming' },
] as const

describe.each(KINDS)('graphs of $data_type in $space_type', ({ data_type, space_type }) => {
  /** Components of the kind: of bits the signs of the numbers, eight to a byte. */
  const shaped = (vector: readonly number[]): readonly number[] => {
    if (data_type === 'float') return vector
    if (data_type === 'byte')
      return vector.map(value => Math.max(-128, Math.min(127, Math.round(30 * value))))
    return Array.from({ length: 8 }, (_, byte) => {
      let bits = 0
      for (let bit = 0; bit < 8; bit++)
        if (vector[(8 * byte + bit) % 20]! * (byte + 1) > vector[(3 * byte + 5 * bit) % 20]!)
          bits |= 1 << bit
      return (bits << 24) >> 24
    })
  }

  it('are walked in sorted indices of some shards, before a merge and after it', async () => {
    const rest = await openRest()
    try {
      for (const [index, threshold] of [
        ['graph', 0],
        ['scan', -1],
      ] as const) {
        const dimension = data_type === 'binary' ? 64 : DIMENSION
        const { json } = await rest.call(`PUT /${index}`, {
          settings: {
            'index.knn': true,
            'index.sort.field': 'group',
            [THRESHOLD]: threshold,
            number_of_shards: 2,
          },
          mappings: {
            properties: {
              group: { type: 'integer' },
              v: { type: 'knn_vector', dimension, data_type, space_type, method },
            },
          },
        })
        expect(json.acknowledged).toBe(true)
        for (const half of [0, 1]) {
          const lines = vectors
            .slice((half * COUNT) / 2, ((half + 1) * COUNT) / 2)
            .flatMap((v, i) => [
              { index: { _id: `${half}-${i}` } },
              { group: (i * 7) % 100, v: shaped(v) },
            ])
          const bulk = await rest.call(`POST /${index}/_bulk?refresh`, ndjson(...lines))
          expect(bulk.json.errors).toBe(false)
        }
      }
      // Of equal scores any may be found: what counts is how near the hits are.
      const nearness = async (candidates: number): Promise<number> => {
        let good = 0
        for (const vector of queries) {
          const exact = await search(rest, 'scan', near(shaped(vector), 4), { size: 4 })
          const found = await search(rest, 'graph', near(shaped(vector), 4, ef(candidates)), {
            size: 4,
          })
          expect(found.length).toBe(4)
          good += found.filter(({ _score }) => _score >= exact.at(-1)!._score).length
        }
        return good / (4 * queries.length)
      }
      expect(await nearness(4)).toBeLessThan(1)
      expect(await nearness(24)).toBeGreaterThanOrEqual(0.85)
      for (const index of ['graph', 'scan'])
        await rest.call(`POST /${index}/_forcemerge?max_num_segments=1`)
      expect(await nearness(4)).toBeLessThan(1)
      expect(await nearness(24)).toBeGreaterThanOrEqual(0.85)
    } finally {
      await rest.close()
    }
  }, 60_000)
})

describe(`the setting ${THRESHOLD}`, () => {
  it('is 10,000, may change, and takes no number below -1', async () => {
    const rest = await openRest()
    try {
      await rest.call('PUT /i', { settings: { 'index.knn': true } })
      const { json } = await rest.call('GET /i/_settings?include_defaults=true&flat_settings=true')
      expect(json.i.defaults[THRESHOLD]).toBe('10000')
      const changed = await rest.call('PUT /i/_settings', { [THRESHOLD]: 5 })
      expect(changed.json).toEqual({ acknowledged: true })
      for (const [value, words] of [
        [-2, 'must be >= -1'],
        [2147483646, 'must be <= 2147483645'],
      ] as const) {
        const refused = await rest.call('PUT /i/_settings', { [THRESHOLD]: value })
        expect(refused.status).toBe(400)
        expect(refused.json.error.reason).toBe(
          `Failed to parse value [${value}] for setting [${THRESHOLD}] ${words}`,
        )
      }
    } finally {
      await rest.close()
    }
  })
})

describe('graphs on disk', () => {
  it.each(['true', 'checksum'])(
    'refuse no shard that check_on_startup %s finds them damaged in, and are told',
    async check => {
      const folder = mkdtempSync(join(tmpdir(), 'knn-graph-'))
      const lines: { level: string; message: string }[] = []
      const onLog = (line: object): void => void lines.push(line as (typeof lines)[0])
      let rest = await openRest({}, folder)
      try {
        await create(rest, 'graph', 0, 1, { 'index.shard.check_on_startup': check })
        await create(rest, 'scan', -1)
        await fill(rest, 'graph')
        await fill(rest, 'scan')
        await rest.call('POST /graph/_flush')
        const exact = await search(rest, 'scan', near(queries[0]!, 5))
        await rest.close()
        expect(damageGraphs(folder)).toBe(3)
        rest = await openRest({}, folder, { onLog })
        expect(lines.map(({ level }) => level)).toEqual(['WARN', 'WARN', 'WARN'])
        for (const { message } of lines)
          expect(message).toMatch(
            /^corrupt file .* section \[vectorGraph\].*; searches compare all vectors of the segment$/,
          )
        expect((await rest.call('GET /graph/_count')).json.count).toBe(COUNT)
        expect(await search(rest, 'graph', near(queries[0]!, 5, ef(5)))).toEqual(exact)
      } finally {
        await rest.close()
        rmSync(folder, { recursive: true })
      }
    },
  )

  it('answer as before after reopening, and are done without where they are damaged', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'knn-graph-'))
    const lines: string[] = []
    const onLog = (line: object): void => void lines.push(JSON.stringify(line))
    const open = (): Promise<Rest> => openRest({}, folder, { onLog })
    let rest = await open()
    try {
      for (const [index, threshold] of [
        ['graph', 0],
        ['scan', -1],
      ] as const) {
        await create(rest, index, threshold)
        await fill(rest, index)
        await rest.call(`POST /${index}/_flush`)
      }
      const found = (index: string): Promise<readonly (readonly Hit[])[]> =>
        Promise.all(queries.map(vector => search(rest, index, near(vector, 5, ef(5)))))
      const [byGraph, byScan] = [await found('graph'), await found('scan')]
      expect(byGraph).not.toEqual(byScan)
      await rest.close()
      rest = await open()
      expect(await found('graph')).toEqual(byGraph)
      await rest.close()
      expect(damageGraphs(folder)).toBe(3)
      rest = await open()
      expect(await found('graph')).toEqual(byScan)
      const told = lines.filter(line => line.includes('section [vectorGraph]'))
      expect(told.length).toBe(3)
      for (const line of told)
        expect(line).toContain('; searches compare all vectors of the segment')
      // A merge reads what is whole, and makes a graph anew.
      await rest.call('POST /graph/_forcemerge?max_num_segments=1')
      expect(await recall(rest, vector => near(vector, 3, ef(3)))).toBeLessThan(1)
      expect(await recall(rest, vector => near(vector, 3, ef(40)))).toBeGreaterThanOrEqual(0.9)
    } finally {
      await rest.close()
      rmSync(folder, { recursive: true })
    }
  }, 60_000)
})
