import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /i', {
    settings: { number_of_shards: 2 },
    mappings: { properties: { n: { type: 'long' }, k: { type: 'keyword' } } },
  })
  for (let from = 0; from < 40; from += 10) {
    const rows = Array.from({ length: 10 }, (_, i) => ({ n: from + i, k: `k${i % 3}` }))
    await ok('POST /i/_bulk?refresh', ndjson(...rows.flatMap(row => [{ index: {} }, row])))
  }
  await ok('PUT /empty', {})
})
afterAll(() => rest.close())

const SUM = {
  init_script: 'state.sum = 0',
  map_script: "state.sum += doc['n'].value",
  combine_script: 'return state.sum',
  reduce_script: 'def total = 0; for (s in states) { total += s } return total',
}

async function answer(
  aggs: object,
  index = 'i',
  body: object = {},
): Promise<Record<string, never>> {
  const answers: Record<string, never>[] = []
  for (const slices of [1, 2, 4])
    for (const profile of [false, true]) {
      await ok(`PUT /${index}/_settings`, { 'index.search.concurrent.max_slice_count': slices })
      const { aggregations } = await ok(`POST /${index}/_search`, {
        size: 0,
        aggs,
        profile,
        ...body,
      })
      answers.push(aggregations)
    }
  for (const other of answers) expect(other).toEqual(answers[0])
  return answers[0]!
}

const value = async (keys: object, body: object = {}): Promise<unknown> =>
  (await answer({ m: { scripted_metric: keys } }, 'i', body))['m']!['value']

describe('scripted_metric', () => {
  it('adds up what scripts make of documents', async () => {
    expect(await value(SUM)).toBe(780)
  })

  it('gives all scripts the parameters of the aggregation, and each its own', async () => {
    const keys = {
      params: { by: 2 },
      init_script: 'state.list = []',
      map_script: {
        source: "state.list.add(params.by * params.f * doc['n'].value)",
        params: { f: 3 },
      },
      combine_script: 'long t = 0; for (v in state.list) { t += v } return [t, params.by]',
      reduce_script:
        "long t = 0; for (s in states) { t += s[0] } return ['total': t, 'by': params.by]",
    }
    expect(await value(keys)).toEqual({ total: 4680, by: 2 })
  })

  it('keeps a state for each bucket, and reads scores', async () => {
    const { k } = await answer({
      k: { terms: { field: 'k', order: { _key: 'asc' } }, aggs: { m: { scripted_metric: SUM } } },
    })
    const buckets = k!['buckets'] as unknown as { key: string; m: { value: number } }[]
    const sums = [0, 1, 2].map(of =>
      Array.from({ length: 40 }, (_, n) => n)
        .filter(n => (n % 10) % 3 === of)
        .reduce((a, b) => a + b, 0),
    )
    expect(buckets.map(({ m }) => m.value)).toEqual(sums)
    const scored = { ...SUM, map_script: 'state.sum += _score' }
    const query = { constant_score: { filter: { match_all: {} }, boost: 2 } }
    expect(await value(scored, { query })).toBe(80)
  })

  it('sends maps, sets, arrays and numbers of all kinds from its slices', async () => {
    const keys = {
      map_script:
        "state.computeIfAbsent(doc['k'].value, x -> new HashSet()).add(doc['n'].value % 2)",
      combine_script: "return ['m': state, 'a': new int[] {1, 2}, 'd': 1.0, 'f': 1.5f, 'b': null]",
      reduce_script:
        'def all = [:]; for (s in states) { for (e in s.m.entrySet()) { all.computeIfAbsent(e.getKey(), x -> new TreeSet()).addAll(e.getValue()) } } return [all, states[0].a.length, states[0].d, states[0].f, states[0].b]',
    }
    expect(await value(keys)).toEqual([{ k0: [0, 1], k1: [0, 1], k2: [0, 1] }, 2, 1, 1.5, null])
  })

  it('begins and ends without a document too', async () => {
    const { m } = await answer({ m: { scripted_metric: SUM } }, 'empty')
    expect(m!['value']).toBe(0)
    expect(await value(SUM, { query: { match_none: {} } })).toBe(0)
  })

  it('is read by pipelines where it is a number', async () => {
    const { h } = await answer({
      h: {
        histogram: { field: 'n', interval: 20 },
        aggs: {
          m: { scripted_metric: SUM },
          p: { bucket_script: { buckets_path: { a: 'm.value' }, script: 'params.a * 2' } },
        },
      },
    })
    const buckets = h!['buckets'] as unknown as { p: { value: number } }[]
    expect(buckets.map(({ p }) => p.value)).toEqual([380, 1180])
  })

  it('prints its type', async () => {
    const { aggregations } = await ok('POST /i/_search?typed_keys=true&size=0', {
      aggs: { m: { scripted_metric: SUM } },
    })
    expect(aggregations).toEqual({ 'scripted_metric#m': { value: 780 } })
  })

  it.each<[object, string]>([
    [{}, '[mapScript] must not be null: [m]'],
    [{ ...SUM, combine_script: undefined }, '[combineScript] must not be null: [m]'],
    [{ ...SUM, reduce_script: undefined }, '[reduceScript] must not be null: [m]'],
    [
      { ...SUM, params: { a: 1 }, map_script: { source: '1', params: { a: 2 } } },
      'Parameter name "a" used in both aggregation and script parameters',
    ],
    [{ ...SUM, map_script: 'foo' }, 'compile error'],
    [{ ...SUM, map_script: "state.x = doc['none'].value" }, 'runtime error'],
    [
      { ...SUM, combine_script: 'state.me = state; return state' },
      'Iterable object is self-referencing itself',
    ],
    [
      { ...SUM, combine_script: 'return Instant.EPOCH' },
      'Cannot write type [java.time.Instant] to stream',
    ],
    [{ ...SUM, reduce_script: 'states[0].nope()' }, 'runtime error'],
    [
      { ...SUM, params: 1 },
      "[scripted_metric] params doesn't support values of type: VALUE_NUMBER",
    ],
  ])('refuses %j', async (keys, reason) => {
    const aggs = { m: { scripted_metric: keys } }
    const { json, status } = await rest.call('POST /i/_search?size=0', { aggs })
    expect(status).toBe(400)
    expect(json.error.root_cause[0].reason).toContain(reason)
  })
})
