import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FieldIndex, fieldIndex } from '../support/field-index.ts'
import { explained, outlineOf, profiled, scored } from '../support/search-shapes.ts'

let index: FieldIndex
beforeAll(async () => {
  index = await fieldIndex({
    t: { type: 'text' },
    k: { type: 'keyword' },
    n: { type: 'integer' },
    f: { type: 'float' },
    d: { type: 'date' },
    p: { type: 'geo_point' },
    many: { type: 'text', fielddata: true },
  })
  await index.add(
    { t: 'a', k: ['x', 'y'], n: 1, f: 2.5, d: '2024-01-01', p: [0, 0], many: 'red blue' },
    { t: 'a b', k: 'y', n: [10, 4], d: '2024-02-11', p: [0, 1], many: 'green' },
    { t: 'a', k: 'x' },
  )
})
afterAll(() => index.close())

/** A failed search's reason of the first shard. */
async function refused(body: object): Promise<{ reason: string; caused_by?: object }> {
  const { json, status, text } = await index.rest.call('POST /i/_search', body)
  if (json.error?.failed_shards === undefined) throw new Error(text)
  expect(status).toBe(400)
  return json.error.failed_shards[0].reason
}

async function error(body: object): Promise<string> {
  const { json, status } = await index.rest.call('POST /i/_search', body)
  expect(status).toBe(400)
  return json.error.root_cause[0].reason
}

async function ids(query: object): Promise<string[]> {
  return (await scored(index, query)).map(([id]) => id).sort()
}

const script = (source: string, params?: object): object => ({
  script: { script: { source, ...(params !== undefined && { params }) } },
})

const TEXT = (source: string): string =>
  `Script{type=inline, lang='painless', idOrCode='${source}', options={}, params={}}`

describe('script', () => {
  it.each<[string, string[]]>([
    ["doc['n'].size() > 0 && doc['n'].value > 3", ['1']],
    ["doc['n'].length == 2", ['1']],
    ["!doc.containsKey('n') || doc['n'].empty", ['2']],
    ["doc.containsKey('nowhere')", []],
    ["doc['k'].contains('x')", ['0', '2']],
    ["doc['f'].size() == 1 && doc['f'].value == 2.5", ['0']],
    ["doc['d'].size() == 1 && doc['d'].value.getMonthValue() == 2", ['1']],
    ["doc['p'].size() == 1 && doc['p'].lat > 0.5", ['1']],
    ["doc['many'].contains('blue')", ['0']],
    ["for (f in ['n', 'f']) { if (doc[f].empty) return false } return true", ['0']],
  ])('takes the documents for which %s holds', async (source, expected) => {
    expect(await ids(script(source))).toEqual(expected)
  })

  it('gives parameters to the script, which cannot change them', async () => {
    expect(await ids(script('doc[params.f].size() == params.n', { f: 'k', n: 2 }))).toEqual(['0'])
    const { reason, caused_by: cause } = await refused({ query: script('params.x = 1; true') })
    expect(reason).toBe('runtime error')
    expect(cause).toMatchObject({ type: 'unsupported_operation_exception' })
  })

  it('runs on no document that another clause excludes', async () => {
    const missing = script("doc['n'].value > 0")
    const filter = { exists: { field: 'n' } }
    for (const clauses of [{ filter: [missing, filter] }, { must: [missing], filter }])
      expect(await ids({ bool: clauses })).toEqual(['0', '1'])
    expect(await refused({ query: missing })).toMatchObject({ reason: 'runtime error' })
    const functions = [{ filter: missing, weight: 2 }]
    expect(await ids({ function_score: { query: filter, functions } })).toEqual(['0', '1'])
    const { json } = await index.rest.call('POST /i/_search', {
      query: filter,
      post_filter: missing,
      aggs: { f: { filter: missing }, m: { filters: { filters: { m: missing } } } },
    })
    expect([json.hits.total.value, json.aggregations.f.doc_count]).toEqual([2, 2])
  })

  it('takes an expression, where any number but 0 holds', async () => {
    expect(
      await ids({ script: { script: { lang: 'expression', source: "doc['n'].max() - 1" } } }),
    ).toEqual(['1', '2'])
  })

  it('takes a boost, and prints itself in profiles and explanations', async () => {
    const query = { script: { script: 'true', boost: 2 } }
    expect(await scored(index, query)).toEqual([
      ['0', 2],
      ['1', 2],
      ['2', 2],
    ])
    expect(await profiled(index, { script: { script: 'true' } })).toEqual([
      'ScriptQuery',
      `ScriptQuery(${TEXT('true')})`,
    ])
    expect(outlineOf(await explained(index, query, '0'))).toEqual([
      `ScriptQuery(${TEXT('true')})^2.0`,
    ])
  })

  it('says where a script failed', async () => {
    expect(await refused({ query: script("doc['nowhere'].value > 0") })).toEqual({
      type: 'script_exception',
      reason: 'runtime error',
      script_stack: ["doc['nowhere'].value > 0", '   ^---- HERE'],
      script: "doc['nowhere'].value > 0",
      lang: 'painless',
      position: { offset: 3, start: 0, end: 24 },
      caused_by: {
        type: 'illegal_argument_exception',
        reason: 'No field found for [nowhere] in mapping',
      },
    })
  })

  it('tells a script that does not compile as the root of the failure', async () => {
    const { json } = await index.rest.call('POST /i/_search', { query: script('foo') })
    expect(json.error.root_cause[0]).toMatchObject({
      type: 'script_exception',
      reason: 'compile error',
    })
    expect(json.error.failed_shards[0].reason).toMatchObject({
      type: 'query_shard_exception',
      reason: 'failed to create query: compile error',
      caused_by: { caused_by: { reason: 'cannot resolve symbol [foo]' } },
    })
  })

  it('ends a script that loops within a second', async () => {
    const started = performance.now()
    const source =
      'int f(int n) { int x = 0; for (int i = 0; i < 500000; i++) { x++ } return n == 0 ? x : f(n - 1) + f(n - 1) } ' +
      'return f(40) > 0'
    const { json, status } = await index.rest.call('POST /i/_search', { query: script(source) })
    expect(status).toBe(429)
    expect(json.error.root_cause[0]).toMatchObject({
      type: 'circuit_breaking_exception',
      reason: '[script] time limit of [1000] exceeded',
    })
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('stops at the timeout of the search, with what it has found', async () => {
    const source =
      'int f(int n) { int x = 0; for (int i = 0; i < 500000; i++) { x++ } return n == 0 ? x : f(n - 1) + f(n - 1) } ' +
      'return f(40) > 0'
    const body = { query: script(source), timeout: '50ms' }
    const { json } = await index.rest.call('POST /i/_search', body)
    expect([json.timed_out, json.hits.hits]).toEqual([true, []])
    expect(json.took).toBeLessThan(5000)
  })

  it.each<[object, string]>([
    [
      { script: { script: ['true'] } },
      '[script] query does not support an array of scripts. Use a bool query with a clause per script instead.',
    ],
    [{ script: { script: 'true', other: 1 } }, '[script] query does not support [other]'],
    [{ script: {} }, 'script must be provided with a [script] query'],
    [
      { script: { script: { params: {} } } },
      'must specify either [source] for an inline script or [id] for a stored script',
    ],
    [
      { script: { script: { id: 'none' } } },
      'failed to create query: unable to find script [none] in cluster state',
    ],
  ])('refuses %j', async (query, reason) => {
    expect(await error({ query })).toBe(reason)
  })
})

describe('script_score', () => {
  const query = { match: { t: 'a' } }

  it('gives documents the scores of a script', async () => {
    const source = "doc['n'].size() == 0 ? 0.5 : doc['n'].value"
    expect(await scored(index, { script_score: { query, script: { source } } })).toEqual([
      ['1', 4],
      ['0', 1],
      ['2', 0.5],
    ])
  })

  it('reads the score of its query', async () => {
    const constant = { constant_score: { filter: query, boost: 3 } }
    const of = (source: string, more: object = {}): object => ({
      script_score: { query: constant, script: { source }, ...more },
    })
    expect(await scored(index, of('_score * 2'))).toEqual([
      ['0', 6],
      ['1', 6],
      ['2', 6],
    ])
    expect((await scored(index, of('_score + doc["k"].size()', { boost: 2 })))[0]).toEqual([
      '0',
      10,
    ])
  })

  it('passes over documents below min_score', async () => {
    const script = "doc['n'].size() == 0 ? 0.5 : doc['n'].value"
    expect(await ids({ script_score: { query, script, min_score: 1 } })).toEqual(['0', '1'])
    expect(
      await ids({ bool: { filter: { script_score: { query, script, min_score: 1 } } } }),
    ).toEqual(['0', '1'])
  })

  it('offers the functions of scores', async () => {
    const score = async (source: string): Promise<number | undefined> =>
      (
        await scored(index, { script_score: { query: { ids: { values: ['0'] } }, script: source } })
      )[0]?.[1]
    expect(await score("saturation(doc['n'].value, 3)")).toBe(0.25)
    expect(await score("sigmoid(doc['n'].value, 2, 1)")).toBe(0.33333334)
    expect(await score("decayNumericLinear(0, 2, 0, 0.5, doc['n'].value)")).toBe(0.75)
    expect(await score('randomScore(7)')).toBe(await score('randomScore(7)'))
    for (const field of ['k', '_seq_no'])
      expect(await score(`randomScore(7, '${field}')`)).not.toBe(
        await score(`randomScore(8, '${field}')`),
      )
  })

  it('counts terms in documents and in the shard', async () => {
    const score = async (source: string, id = '1', params = {}): Promise<number | undefined> => {
      const filtered = { bool: { must: { match: { t: 'a' } }, filter: { ids: { values: [id] } } } }
      return (
        await scored(index, { script_score: { query: filtered, script: { source, params } } })
      )[0]?.[1]
    }
    expect(await score("termFreq('t', 'b')")).toBe(1)
    expect(await score("termFreq('t', 'b')", '0')).toBe(0)
    expect(await score('termFreq(params.f, params.w) * 3', '0', { f: 't', w: 'a' })).toBe(3)
    expect(await score("tf('t', 'a') + 1")).toBe(2)
    expect(await score("totalTermFreq('t', 'a')")).toBe(3)
    expect(await score("totalTermFreq('t', 'none') + sumTotalTermFreq('t')")).toBe(4)
    const { caused_by: cause } = await refused({
      query: { script_score: { query, script: "termFreq('gone', 'a')" } },
    })
    expect(cause).toMatchObject({ reason: 'No field found for [gone] in mapping' })
    const { caused_by: other } = await refused({
      query: { script_score: { query, script: "totalTermFreq('t', 'a'.concat('b'))" } },
    })
    expect(other).toMatchObject({
      reason:
        '[totalTermFreq] takes terms that the script or its parameters hold, but [ab] is none',
    })
  })

  it('prints itself in profiles and explanations', async () => {
    const own = { script_score: { query, script: '_score + 1', boost: 2 } }
    expect(await profiled(index, { script_score: { query, script: '_score + 1' } })).toEqual([
      'ScriptScoreQuery',
      `script_score (t:a, script: {${TEXT('_score + 1')}})`,
    ])
    expect(outlineOf(await explained(index, own, '0')).slice(0, 4)).toEqual([
      'Boosted score, product of:',
      ' boost',
      ` script score function, computed with script:"${TEXT('_score + 1')}"`,
      '  _score: ',
    ])
  })

  it('lets a script word its explanation', async () => {
    const script = "if (explanation != null) { explanation.set('because') } return 4"
    const step = await explained(index, { script_score: { query, script } }, '0')
    expect(step).toMatchObject({ value: 4, description: 'because' })
  })

  it.each(['-1', '0.0 / 0'])('refuses a score of %s', async source => {
    const { reason } = await refused({ query: { script_score: { query, script: { source } } } })
    expect(reason).toBe(
      `script_score script returned an invalid score [${source === '-1' ? '-1.0' : 'NaN'}] for doc [0]. ` +
        'Must be a non-negative score!',
    )
  })

  it.each<[object, string]>([
    [{ script_score: { script: '1' } }, 'Required [query]'],
    [{ script_score: { query } }, 'Required [script]'],
    [
      { script_score: { query, script: '1', other: 1 } },
      '[1:68] [script_score] unknown field [other]',
    ],
  ])('refuses %j', async (body, reason) => {
    expect(await error({ query: body })).toBe(reason)
  })
})

describe('the function script_score', () => {
  const of = (more: object): object => ({
    function_score: { query: { constant_score: { filter: { match_all: {} }, boost: 2 } }, ...more },
  })

  it('gives what a script gives', async () => {
    const script = "doc['n'].size() + 1"
    expect(await scored(index, of({ script_score: { script } }))).toEqual([
      ['1', 6],
      ['0', 4],
      ['2', 2],
    ])
  })

  it('reads the score of the query, whatever becomes of that', async () => {
    const functions = [{ script_score: { script: '_score + 5' }, weight: 2 }]
    expect((await scored(index, of({ functions, boost_mode: 'replace' })))[0]).toEqual(['0', 14])
  })

  it('prints itself in profiles and explanations', async () => {
    const own = of({ script_score: { script: '3' } })
    expect((await profiled(index, own))[1]).toContain(`functions: [{script${TEXT('3')}}]`)
    expect(outlineOf(await explained(index, own, '0'))).toContain(
      `  script score function, computed with script:"${TEXT('3')}"`,
    )
  })

  it.each<[object, string]>([
    [
      { script_score: { script: '-3' } },
      'script score function must not produce negative scores, but got: [-3.0]',
    ],
    [{ script_score: {} }, "script_score requires 'script' field"],
    [{ script_score: { other: '1' } }, 'script_score query does not support [other]'],
  ])('refuses %j', async (more, reason) => {
    expect(await error({ query: of(more) })).toBe(reason)
  })
})

describe('terms_set with a script', () => {
  const of = (source: string, more: object = {}): object => ({
    terms_set: {
      k: { terms: ['x', 'y', 'z'], minimum_should_match_script: { source }, ...more },
    },
  })

  it('asks for as many terms as the script says', async () => {
    expect(await ids(of('2'))).toEqual(['0'])
    expect(await ids(of('params.num_terms - 2'))).toEqual(['0', '1', '2'])
    expect(await ids(of("Math.min(params.num_terms, doc['k'].size())"))).toEqual(['0', '1', '2'])
  })

  it('prints itself in profiles', async () => {
    const [type, description] = await profiled(index, of('2'))
    expect(type).toBe('CoveringQuery')
    expect(description).toContain(`minimumNumberMatch=script(${TEXT('2')})`)
  })

  it.each<[string, object, string[]]>([
    ['a filter', { filter: { exists: { field: 'n' } } }, ['0', '1']],
    ['a prohibited clause', { must_not: { term: { _id: '2' } } }, ['0', '1']],
  ])('runs on no document that %s leaves out', async (_title, more, expected) => {
    const strict = of("if (doc['n'].empty) { throw new IllegalStateException('ran') } return 1")
    expect(await ids({ bool: { must: strict, ...more } })).toEqual(expected)
    expect((await refused({ query: strict })).caused_by).toBeDefined()
  })

  it('runs as an optional clause on the documents of the required ones alone', async () => {
    const strict = of("if (doc['n'].empty) { throw new IllegalStateException('ran') } return 1")
    const query = { bool: { must: { terms: { _id: ['0', '1'] } }, should: strict } }
    const scores = await scored(index, query)
    expect(scores.map(([id]) => id)).toEqual(['0', '1'])
    for (const [, score] of scores) expect(score).toBeGreaterThan(1)
  })

  it('refuses a field beside it', async () => {
    expect(await error({ query: of('2', { minimum_should_match_field: 'n' }) })).toBe(
      'A script has already been specified. Cannot specify both a field and script',
    )
  })
})

describe('expensive queries', () => {
  it.each<[string, object]>([
    ['script', { script: { script: 'true' } }],
    ['script score', { script_score: { query: { match_all: {} }, script: '1' } }],
  ])('refuses %s where settings say so', async (name, query) => {
    const settings = (value: boolean | null): object => ({
      transient: { 'search.allow_expensive_queries': value },
    })
    await index.rest.call('PUT /_cluster/settings', settings(false))
    const { json } = await index.rest.call('POST /i/_search', { query })
    await index.rest.call('PUT /_cluster/settings', settings(null))
    expect(json.error.failed_shards[0].reason.caused_by.reason).toBe(
      `[${name}] queries cannot be executed when 'search.allow_expensive_queries' is set to false.`,
    )
  })
})

describe('aliases', () => {
  it('filter by scripts, which are compiled when they are searched through', async () => {
    const add = (alias: string, source: string): Promise<unknown> =>
      index.rest.call('POST /_aliases', {
        actions: [{ add: { index: 'i', alias, filter: script(source) } }],
      })
    await add('some', "doc['n'].size() == 2")
    await add('broken', 'foo')
    const { json } = await index.rest.call('POST /some/_search', {})
    expect(json.hits.hits.map((hit: { _id: string }) => hit._id)).toEqual(['1'])
    const broken = await index.rest.call('POST /broken/_search', {})
    expect([broken.status, broken.json.error.root_cause[0].reason]).toEqual([400, 'compile error'])
  })
})
