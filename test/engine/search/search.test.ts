import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EngineApi } from '../../../src/engine/api/engine-api.ts'
import { trusted } from '../../../src/task/call-context.ts'
import { Random } from '../../../src/util/random.ts'
import { bulk, createIndex, engineWith, search, targetOf } from '../../support/engine-calls.ts'
import { checkShardOrder, checkShardProfile } from '../../support/profile-invariants.ts'

const WORDS = ['the', 'sea', 'ship', 'sail', 'wind', 'gull', 'rope', 'oar', 'reef', 'kelp']
const KEY = 'index.search.concurrent.max_slice_count'

let engine: EngineApi

beforeAll(async () => {
  engine = await engineWith(null, { 'lamella.threads.search': '2' })
  await createIndex(engine, 'films')
  const titles = ['The wind rises', 'Gone with the wind']
  const lines = titles.flatMap((title, i) => [{ index: { _id: `${i + 1}` } }, { title }])
  await bulk(engine, 'films', lines, 'true')
  const random = new Random(5)
  await createIndex(engine, 'tales', { 'index.number_of_shards': '2' })
  for (let batch = 0; batch < 6; batch++) {
    const lines = Array.from({ length: 4000 }, (_, i) => {
      const length = 1 + random.below(12)
      const text = Array.from({ length }, () => WORDS[Math.floor(random.next() ** 2 * 10)]).join(
        ' ',
      )
      const tag = `t${random.below(9)}`
      return [{ index: { _id: `${batch}-${i}` } }, { text, tag, n: random.below(50) }]
    }).flat()
    await bulk(engine, 'tales', lines, 'true')
  }
})

afterAll(() => engine.close())

async function withSlices(count: number): Promise<void> {
  await engine.indices.putSettings(
    {
      target: targetOf('tales'),
      changes: new Map([[KEY, `${count}`]]),
      preserveExisting: false,
    },
    trusted('indices:admin/settings/update'),
  )
}

describe('search', () => {
  it('agrees with the published scores, less the factor k1 + 1', async () => {
    const { hits } = await search(engine, 'films', { query: { match: { title: 'wind' } } })
    expect(hits.hits.map((hit: { _id: string }) => hit._id)).toEqual(['1', '2'])
    expect(hits.hits[0]._score * 2.2).toBeCloseTo(0.19363807, 7)
    expect(hits.hits[1]._score * 2.2).toBeCloseTo(0.17225474, 7)
    expect(hits.max_score).toBe(hits.hits[0]._score)
    // The documentation's match_phrase examples: `the wind`, and `wind rises the` with slop 3.
    const phrase = { query: 'wind rises the', slop: 3 }
    const sloppy = await search(engine, 'films', { query: { match_phrase: { title: phrase } } })
    expect(sloppy.hits.total.value).toBe(1)
    expect(sloppy.hits.hits[0]._score * 2.2).toBeCloseTo(0.44026947, 7)
    const exact = await search(engine, 'films', {
      query: { match_phrase: { title: 'wind rises the' } },
    })
    expect(exact.hits.hits).toEqual([])
  })

  it('answers in the documented key order', async () => {
    const answer = await search(engine, 'films', {
      query: { match: { title: 'wind' } },
      sort: ['_score', '_doc'],
      version: true,
      seq_no_primary_term: true,
      explain: true,
      profile: true,
    })
    expect(Object.keys(answer)).toEqual(['took', 'timed_out', '_shards', 'hits', 'profile'])
    expect(Object.keys(answer.hits)).toEqual(['total', 'max_score', 'hits'])
    expect(Object.keys(answer.hits.hits[0])).toEqual([
      '_shard',
      '_node',
      '_index',
      '_id',
      '_version',
      '_seq_no',
      '_primary_term',
      '_score',
      '_source',
      'sort',
      '_explanation',
    ])
  })

  it('gives the same answer for 1, 2 and 4 slices, profiled or not', async () => {
    const bodies: Record<string, unknown>[] = [
      { query: { match: { text: 'kelp reef' } }, track_total_hits: false },
      { query: { match: { text: { query: 'sea wind oar', minimum_should_match: 2 } } } },
      {
        query: {
          bool: {
            must: { match: { text: 'rope' } },
            should: { match: { text: 'sea' } },
            filter: { range: { n: { gte: 10 } } },
          },
        },
      },
      { query: { match_phrase: { text: 'sea ship' } }, track_total_hits: true },
      { query: { match_phrase: { text: { query: 'gull sea', slop: 3 } } } },
      {
        query: {
          bool: {
            must: { match: { text: 'sail' } },
            must_not: { prefix: { 'tag.keyword': 't1' } },
          },
        },
        min_score: 0.5,
      },
      { query: { match_all: {} }, sort: [{ 'tag.keyword': 'desc' }, { n: 'asc' }], size: 30 },
      {
        query: {
          dis_max: {
            queries: [{ match: { text: 'kelp' } }, { match: { text: 'oar' } }],
            tie_breaker: 0.3,
          },
        },
        post_filter: { term: { n: 3 } },
      },
    ]
    for (const body of bodies) {
      const answers: unknown[] = []
      for (const slices of [1, 2, 4]) {
        await withSlices(slices)
        for (const profile of [false, true]) {
          const start = performance.now()
          const answer = await search(engine, 'tales', { ...body, profile })
          const wallTime = (performance.now() - start) * 1e6
          answers.push({ hits: answer.hits, _shards: answer._shards })
          if (!profile) continue
          checkShardOrder(answer.profile.shards)
          for (const shard of answer.profile.shards) {
            const { slice_count: sliceCount } = shard.searches[0].collector[0]
            expect(sliceCount).toBe(slices)
            checkShardProfile(shard, {
              concurrent: true,
              human: false,
              sliceCount,
              wallTime,
              exact: null,
            })
          }
        }
      }
      for (const answer of answers) expect(answer, JSON.stringify(body)).toEqual(answers[0])
    }
  })

  it('gives the same answer for ranges of one merged segment', async () => {
    const bodies = [
      { query: { match: { text: 'kelp reef oar' } } },
      { query: { match_phrase: { text: 'sea ship' } }, track_total_hits: true },
      {
        query: {
          bool: { must: { match: { text: 'wind' } }, filter: { range: { n: { lt: 20 } } } },
        },
      },
      { query: { match_all: {} }, sort: [{ n: 'desc' }], size: 25 },
    ]
    await withSlices(1)
    const before = []
    for (const body of bodies) before.push((await search(engine, 'tales', body)).hits)
    const target = targetOf('tales')
    await engine.indices.forceMerge(
      {
        target,
        maxSegmentCount: 1,
        onlyExpungeDeletes: false,
        primaryOnly: false,
        flush: false,
      },
      trusted('indices:admin/forcemerge'),
    )
    await engine.indices.putSettings(
      {
        target,
        changes: new Map([['index.search.concurrent.intra_segment_min_docs', '1000']]),
        preserveExisting: false,
      },
      trusted('indices:admin/settings/update'),
    )
    for (const slices of [1, 2]) {
      await withSlices(slices)
      for (const [i, body] of bodies.entries()) {
        const answer = await search(engine, 'tales', {
          ...body,
          profile: true,
          profile_slices: true,
        })
        expect(answer.hits, JSON.stringify(body)).toEqual(before[i])
        for (const shard of answer.profile.shards) {
          const [root] = shard.searches[0].query
          const ranges = root.slices.map((slice: { partitions: unknown }) => slice.partitions)
          expect(ranges).toHaveLength(slices)
          expect(ranges[0][0]).toMatchObject({ segment_ord: 0 })
          expect(ranges[0][0].doc_range[0]).toBe(0)
          if (slices > 1) expect(ranges[0][0].doc_range[1]).toBe(ranges[1][0].doc_range[0])
        }
      }
    }
  })

  it('explains each hit by the score that it has', async () => {
    for (const query of [
      { match: { text: 'kelp reef' } },
      { match_phrase: { text: { query: 'sea ship', slop: 2 } } },
      {
        bool: {
          must: { match: { text: { query: 'rope', boost: 2 } } },
          should: { term: { n: 3 } },
          filter: { exists: { field: 'tag' } },
        },
      },
      {
        dis_max: {
          queries: [{ match: { text: 'kelp' } }, { match: { text: 'oar' } }],
          tie_breaker: 0.3,
        },
      },
      {
        boosting: {
          positive: { match: { text: 'wind' } },
          negative: { match: { text: 'the' } },
          negative_boost: 0.2,
        },
      },
      { constant_score: { filter: { match: { text: 'gull' } }, boost: 1.5 } },
    ]) {
      const { hits } = await search(engine, 'tales', { query, explain: true, size: 5 })
      expect(hits.hits).toHaveLength(5)
      for (const hit of hits.hits) expect(hit._explanation.value).toBe(hit._score)
    }
    const { hits } = await search(engine, 'films', {
      query: { match: { title: 'wind' } },
      explain: true,
    })
    expect(hits.hits[0]._explanation).toMatchObject({
      description: 'weight(title:wind in 0) [PerFieldSimilarity], result of:',
      details: [
        {
          description: 'score(freq=1.0), computed as boost * idf * tf from:',
          details: [
            {
              description: 'idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:',
              details: [
                { value: 2, description: 'n, number of documents containing term' },
                { value: 2, description: 'N, total number of documents with field' },
              ],
            },
            { description: 'tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:' },
          ],
        },
      ],
    })
  })

  it('fails with the error of its shards', async () => {
    await expect(search(engine, 'tales', { query: { term: { n: 'x' } } })).rejects.toMatchObject({
      record: {
        type: 'search_phase_execution_exception',
        reason: 'all shards failed',
        status: 400,
        rootCause: [
          {
            type: 'query_shard_exception',
            reason: 'failed to create query: For input string: "x"',
          },
        ],
      },
    })
    await expect(search(engine, 'tales', { sort: 'absent' })).rejects.toMatchObject({
      record: { rootCause: [{ reason: 'No mapping found for [absent] in order to sort on' }] },
    })
  })
})
