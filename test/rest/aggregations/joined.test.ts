import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

/** Questions with their tags, and answers with their owners. */
const QUESTIONS = {
  q1: { tags: ['disk', 'raid'], votes: 3 },
  q2: { tags: ['disk'], votes: 1 },
  q3: { tags: ['mail'], votes: 2 },
}
const ANSWERS = {
  a1: { to: 'q1', owner: 'Sam', points: 5 },
  a2: { to: 'q1', owner: 'Troy', points: 2 },
  a3: { to: 'q2', owner: 'Sam', points: 7 },
  a4: { to: 'q2', owner: 'Sam', points: 1 },
  a5: { to: 'gone', owner: 'Ann', points: 9 },
}

beforeAll(async () => {
  rest = await openRest()
  const properties = {
    join: { type: 'join', relations: { question: ['answer', 'comment'] } },
    tags: { type: 'keyword' },
    owner: { type: 'keyword' },
    points: { type: 'long' },
    votes: { type: 'long' },
    parts: { type: 'nested', properties: { w: { type: 'long' } } },
  }
  for (const [name, shards] of [
    ['i', 1],
    ['two', 2],
  ] as const) {
    await ok(`PUT /${name}`, { settings: { number_of_shards: shards }, mappings: { properties } })
    const lines: object[] = []
    // Answers first: they are in other segments than their questions.
    for (const [_id, { to, ...rest }] of Object.entries(ANSWERS))
      lines.push({ index: { _id, routing: to } }, { ...rest, join: { name: 'answer', parent: to } })
    await rest.call(`POST /${name}/_bulk?refresh`, ndjson(...lines))
    for (const [_id, source] of Object.entries(QUESTIONS))
      await ok(`PUT /${name}/_doc/${_id}?routing=${_id}&refresh`, {
        ...source,
        join: 'question',
        parts: [{ w: 1 }],
      })
  }
  await ok('PUT /bare', { mappings: { properties: { tags: { type: 'keyword' } } } })
  await ok('PUT /bare/_doc/1?refresh', { tags: ['disk'] })
})
afterAll(() => rest.close())

// biome-ignore lint/suspicious/noExplicitAny: an answer as JSON
const agg = async (x: object, index = 'i', more: object = {}): Promise<any> =>
  (await ok(`POST /${index}/_search`, { size: 0, aggs: { x }, ...more })).aggregations.x

const refused = async (x: object): Promise<readonly [string, string]> => {
  const answer = await rest.call('POST /i/_search', { size: 0, aggs: { x } })
  expect(answer.status).toBe(400)
  const { type, reason } = answer.json.error
  return [type, reason]
}

const owners = { terms: { field: 'owner' } }
const bucket = (key: string, doc_count: number): object => ({ key, doc_count })

describe('children', () => {
  it('are those of the parents in each bucket, whichever segments hold them', async () => {
    const top = { children: { type: 'answer' }, aggs: { owners } }
    for (const index of ['i', 'two', 'i,bare']) {
      const { buckets } = await agg({ terms: { field: 'tags' }, aggs: { top } }, index)
      const found = buckets.map((each: { key: string; top: { doc_count: number } }) => [
        each.key,
        each.top.doc_count,
      ])
      expect(found).toEqual([
        ['disk', 4],
        ['mail', 0],
        ['raid', 2],
      ])
      expect(buckets[0].top.owners.buckets).toEqual([bucket('Sam', 3), bucket('Troy', 1)])
      expect(buckets[1].top.owners.buckets).toEqual([])
    }
  })

  it('stand at the top, where the query finds their parents, and below all documents', async () => {
    const children = { children: { type: 'answer' } }
    expect(await agg(children)).toEqual({ doc_count: 4 })
    expect(await agg(children, 'i', { query: { ids: { values: ['q1'] } } })).toEqual({
      doc_count: 2,
    })
    expect(await agg(children, 'i', { query: { ids: { values: ['a1', 'a3'] } } })).toEqual({
      doc_count: 0,
    })
    const none = { query: { match_none: {} } }
    const c = { ...children, aggs: { s: { sum: { field: 'points' } } } }
    expect(await agg({ global: {}, aggs: { c } }, 'i', none)).toEqual({
      doc_count: 8,
      c: { doc_count: 4, s: { value: 15 } },
    })
    expect(await agg(c, 'i', none)).toEqual({ doc_count: 0, s: { value: 0 } })
  })

  it('are none of relations without documents, of nested objects, and of what is no child', async () => {
    for (const type of ['comment', 'question', 'none', ''])
      expect(await agg({ children: { type } })).toEqual({ doc_count: 0 })
    expect(await agg({ parent: { type: 'question' } })).toEqual({ doc_count: 0 })
    expect(await agg({ children: { type: 'answer' } }, 'bare')).toEqual({ doc_count: 0 })
    const c = { children: { type: 'answer' } }
    expect(await agg({ nested: { path: 'parts' }, aggs: { c } })).toEqual({
      doc_count: 3,
      c: { doc_count: 0 },
    })
  })

  it('are none in an index without documents', async () => {
    const join = { type: 'join', relations: { question: 'answer' } }
    await ok('PUT /empty', { mappings: { properties: { join } } })
    const aggs = { s: { sum: { field: 'n' } } }
    for (const profile of [false, true])
      for (const type of ['children', 'parent'])
        expect(await agg({ [type]: { type: 'answer' }, aggs }, 'empty', { profile })).toEqual({
          doc_count: 0,
          s: { value: 0 },
        })
  })

  it('go for as many documents as their own weights say, and not once they are deleted', async () => {
    await ok('PUT /life', {
      mappings: { properties: { join: { type: 'join', relations: { p: 'c' } } } },
    })
    const put = (id: string, source: object): Promise<unknown> =>
      ok(`PUT /life/_doc/${id}?routing=1&refresh`, source)
    await put('p', { join: 'p', _doc_count: 5 })
    await put('c1', { join: { name: 'c', parent: 'p' }, _doc_count: 3 })
    await put('c2', { join: { name: 'c', parent: 'p' } })
    const both = async (): Promise<number[]> => {
      const { aggregations } = await ok('POST /life/_search', {
        size: 0,
        aggs: { c: { children: { type: 'c' } }, p: { parent: { type: 'c' } } },
      })
      return [aggregations.c.doc_count, aggregations.p.doc_count]
    }
    expect(await both()).toEqual([4, 5])
    await ok('DELETE /life/_doc/c1?routing=1&refresh')
    expect(await both()).toEqual([1, 5])
    await ok('DELETE /life/_doc/p?routing=1&refresh')
    expect(await both()).toEqual([0, 0])
  })
})

describe('parents', () => {
  it('are those of the children in each bucket, each once', async () => {
    const up = { parent: { type: 'answer' }, aggs: { tags: { terms: { field: 'tags' } } } }
    for (const index of ['i', 'two']) {
      const { buckets } = await agg({ ...owners, aggs: { up } }, index)
      expect(
        buckets.map((each: { key: string; up: { doc_count: number; tags: object } }) => [
          each.key,
          each.up.doc_count,
          (each.up.tags as { buckets: object[] }).buckets,
        ]),
      ).toEqual([
        ['Sam', 2, [bucket('disk', 2), bucket('raid', 1)]],
        ['Ann', 0, []],
        ['Troy', 1, [bucket('disk', 1), bucket('raid', 1)]],
      ])
    }
  })

  it('may be looked for from children of parents, and so on', async () => {
    const s = { sum: { field: 'votes' } }
    const up = { parent: { type: 'answer' }, aggs: { s } }
    const down = { children: { type: 'answer' }, aggs: { up } }
    expect(await agg({ parent: { type: 'answer' }, aggs: { down, s } })).toEqual({
      doc_count: 2,
      down: { doc_count: 4, up: { doc_count: 2, s: { value: 4 } } },
      s: { value: 4 },
    })
  })
})

describe('aggregations over joins', () => {
  const down = { children: { type: 'answer' }, aggs: { s: { sum: { field: 'points' } } } }

  it('sort buckets, which shards do not cut before', async () => {
    for (const index of ['i', 'two']) {
      const keys = async (path: string): Promise<string[]> => {
        const order = { [path]: 'asc' }
        const terms = { field: 'tags', size: 1, shard_size: 1, order }
        const { buckets } = await agg({ terms, aggs: { down } }, index)
        return buckets.map(({ key }: { key: string }) => key)
      }
      expect(await keys('down')).toEqual(['mail'])
      expect(await keys('down>s')).toEqual(['mail'])
      expect(await keys('down.doc_count')).toEqual(['mail'])
    }
  })

  it('are read by pipelines', async () => {
    const { aggregations } = await ok('POST /i/_search', {
      size: 0,
      aggs: {
        t: { terms: { field: 'tags' }, aggs: { down } },
        best: { max_bucket: { buckets_path: 't>down>s' } },
        most: { max_bucket: { buckets_path: 't>down>_count' } },
      },
    })
    expect(aggregations.best).toEqual({ value: 15, keys: ['disk'] })
    expect(aggregations.most).toEqual({ value: 4, keys: ['disk'] })
  })

  it('show documents with a score of 1, and stand among samplers', async () => {
    const hits = { top_hits: { size: 1, sort: ['_score', { points: 'desc' }], track_scores: true } }
    const { hits: shown } = await agg({ children: { type: 'answer' }, aggs: { hits } }, 'i', {
      query: { function_score: { query: { exists: { field: 'votes' } }, boost: 7 } },
    })
    expect(shown.hits.hits).toMatchObject([{ _id: 'a3', _score: 1, sort: [1, 7] }])
    const sampled = { sampler: { shard_size: 1 }, aggs: { down } }
    expect((await agg(sampled, 'i', { query: { ids: { values: ['q1'] } } })).down.doc_count).toBe(2)
    const below = { children: { type: 'answer' }, aggs: { few: { sampler: { shard_size: 3 } } } }
    expect(await agg(below)).toEqual({ doc_count: 4, few: { doc_count: 3 } })
  })

  it('have names of types, and classes in profiles', async () => {
    const up = { parent: { type: 'answer' }, aggs: { down } }
    const answer = await ok('POST /i/_search?typed_keys=true', { profile: true, aggs: { up } })
    expect(answer.aggregations).toEqual({
      'parent#up': {
        doc_count: 2,
        'children#down': { doc_count: 4, 'sum#s': { value: 15 } },
      },
    })
    const [node] = answer.profile.shards[0].aggregations
    expect([node.type, node.description]).toEqual(['ChildrenToParentAggregator', 'up'])
    const [child] = node.children
    expect([child.type, child.description]).toEqual(['ParentToChildrenAggregator', 'down'])
    expect(child.children[0].type).toBe('SumAggregator')
    expect(child.children[0].breakdown.collect_count).toBe(4)
    expect(node.breakdown.collect_count).toBe(8)
    const empty = await ok('POST /i/_search', {
      profile: true,
      query: { match_none: {} },
      aggs: { down, x: { children: { type: 'none' } } },
    })
    const [none, unmapped] = empty.profile.shards[0].aggregations
    expect(none.children[0].type).toBe('SumAggregator')
    expect(unmapped.type).toBe('NonCollectingAggregator')
  })

  it('refuse bodies that make no sense', async () => {
    for (const type of ['children', 'parent']) {
      const why = async (body: object): Promise<string> => {
        const [error, reason] = await refused({ [type]: body })
        expect(error).toBe('parsing_exception')
        return reason
      }
      expect(await why({})).toBe(`Missing [child_type] field for ${type} aggregation [x]`)
      expect(await why({ typ: 'answer' })).toBe('Unknown key for a VALUE_STRING in [x]: [typ].')
      expect(await why({ type: 1 })).toBe('Unexpected token VALUE_NUMBER in [x].')
      expect(await why({ type: ['answer'] })).toBe('Unexpected token START_ARRAY in [x].')
      expect(await why({ type: null })).toBe('Unexpected token VALUE_NULL in [x].')
      const composite = { composite: { sources: [{ k: { terms: { field: 'tags' } } }] } }
      const [, reason] = await refused({ [type]: { type: 'answer' }, aggs: { composite } })
      expect(reason).toBe(
        '[composite] aggregation cannot be used with a parent aggregation of type: ' +
          `[${type === 'parent' ? 'Parent' : 'Children'}AggregatorFactory]`,
      )
      const order = { 'x.other': 'asc' }
      const aggs = { x: { [type]: { type: 'answer' } } }
      expect((await refused({ terms: { field: 'tags', order }, aggs }))[1]).toContain(
        'Ordering on a single-bucket aggregation can only be done on its doc_count.',
      )
    }
  })
})
