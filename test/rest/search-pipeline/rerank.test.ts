import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answered, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /r', { settings: { number_of_shards: 2 } })
  await rest.call('PUT /r/_doc/1', { k: 'a', stars: 2, o: { n: 3 }, t: ['x'], m: 'few' })
  await rest.call('PUT /r/_doc/2', { k: 'a a', stars: 7.5, o: { n: 1, p: 'q' }, m: null })
  await rest.call('PUT /r/_doc/3', { k: 'a', stars: '4e0', o: { n: 2 }, l: [{ n: 1 }, { n: 2 }] })
  await rest.call('POST /r/_refresh')
})
afterAll(() => rest.close())

/** A search through the processor, by whose fault it may fail. */
function through(options: object, body: object = {}): Promise<Answered> {
  const search_pipeline = { response_processors: [{ rerank: { by_field: options } }] }
  return rest.call('GET /r/_search', {
    query: { match: { k: 'a' } },
    sort: ['_id'],
    ...body,
    search_pipeline,
  })
}

type Hit = { _id: string; _score: number; _source: Record<string, unknown> }

const ranked = ({ json }: Answered): unknown[] =>
  json.hits.hits.map(({ _id, _score }: Hit) => [_id, _score])

const reasonOf = ({ status, json }: Answered): string =>
  `${status} ${json.error.type}: ${json.error.reason}`

describe('rerank by a field', () => {
  it('puts hits in order of its values, numbers or texts of numbers, which are their scores', async () => {
    const answer = await through({ target_field: 'stars' })
    expect(ranked(answer)).toEqual([
      ['2', 7.5],
      ['3', 4],
      ['1', 2],
    ])
    expect(answer.json.hits.max_score).toBe(7.5)
    expect(answer.json.hits.hits[1]._source.stars).toBe('4e0')
    expect(ranked(await through({ target_field: 'o.n.' }, { size: 2 }))).toEqual([
      ['1', 3],
      ['2', 1],
    ])
  })

  it('keeps the score from before, and takes the field out with the objects that are empty then', async () => {
    const options = { target_field: 'o.n', remove_target_field: true, keep_previous_score: true }
    const plain = await rest.call('GET /r/_search', { query: { match: { k: 'a' } } })
    const before = new Map(plain.json.hits.hits.map((hit: Hit) => [hit._id, hit._score]))
    const { json } = await through(options, { sort: undefined })
    const sources = json.hits.hits.map(({ _source }: Hit) => _source)
    expect(sources.map((each: Hit['_source']) => each['previous_score'])).toEqual(
      ['1', '3', '2'].map(id => before.get(id)),
    )
    expect(sources.map((each: Hit['_source']) => each['o'])).toEqual([
      undefined,
      undefined,
      { p: 'q' },
    ])
    const sorted = await through({ target_field: 'stars', keep_previous_score: true })
    expect(sorted.json.hits.hits[0]._source.previous_score).toBe('NaN')
  })

  it('leaves answers without hits as they are', async () => {
    const none = await through({ target_field: 'stars' }, { query: { term: { k: 'none' } } })
    expect([none.status, none.json.hits.max_score, none.json.hits.hits]).toEqual([200, null, []])
    expect((await through({ target_field: 'stars' }, { size: 0 })).json.hits.total.value).toBe(3)
  })

  it.each([
    [{ target_field: 'none' }, {}, 'The field to rerank by is not found at hit [1]'],
    [{ target_field: 'k.x' }, {}, 'The field to rerank by is not found at hit [1]'],
    [
      { target_field: 'm' },
      {},
      'The field mapping to rerank by [few] is not Numerical, instead of type [String]',
    ],
    [
      { target_field: 't' },
      {},
      'The field mapping to rerank by [[x]] is not Numerical, instead of type [ArrayList]',
    ],
    [
      { target_field: 'o' },
      {},
      'The field mapping to rerank by [{n=3}] is not Numerical, instead of type [HashMap]',
    ],
    [
      { target_field: 'l.n' },
      { query: { ids: { values: ['3'] } } },
      'The field mapping to rerank by [[1, 2]] is not Numerical, instead of type [ArrayList]',
    ],
    [
      { target_field: 'stars' },
      { _source: false },
      'There is no source field to be able to perform rerank on hit [1]',
    ],
  ])('fails for %j of %j', async (options, body, reason) => {
    expect(reasonOf(await through(options, body))).toBe(`400 illegal_argument_exception: ${reason}`)
  })

  it('leaves the hits alone where its failure is ignored', async () => {
    const rerank = { by_field: { target_field: 'm' }, ignore_failure: true }
    const { json } = await rest.call('GET /r/_search', {
      query: { match: { k: 'a' } },
      sort: ['_id'],
      search_pipeline: { response_processors: [{ rerank }] },
    })
    expect(json.hits.hits.map(({ _id }: Hit) => _id)).toEqual(['1', '2', '3'])
    expect(json.hits.max_score).toBeNull()
  })

  it.each([
    [{}, 'No rerank type found. Possible rerank types are: [ml_opensearch, by_field]'],
    [
      { by_field: { target_field: 'a' }, ml_opensearch: { model_id: 'm' } },
      'Multiple rerank types found: [ml_opensearch, by_field]. Only one is permitted.',
    ],
    [{ ml_opensearch: {} }, '[processor rerank of ml_opensearch] is not supported yet'],
    [{ by_field: 5 }, "[by_field] property isn't a map, but of type [java.lang.Integer]"],
    [{ by_field: {} }, '[target_field] required property is missing'],
    [
      { by_field: { target_field: 'a', remove_target_field: 'x' } },
      "[remove_target_field] property isn't a boolean, but of type [java.lang.String]",
    ],
    [
      { by_field: { target_field: 'a', other: 1 } },
      "processor [rerank] with [by_field] doesn't support one or more provided configuration parameters [other]",
    ],
    [
      { by_field: { target_field: 'a' }, context: {} },
      "processor [rerank] doesn't support one or more provided configuration parameters [context]",
    ],
  ])('refuses %j', async (rerank, reason) => {
    const { status, json } = await rest.call('PUT /_search/pipeline/p', {
      response_processors: [{ rerank }],
    })
    expect([status, json.error.reason]).toEqual([400, reason])
  })
})
