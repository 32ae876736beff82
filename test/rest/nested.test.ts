import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

let rest: Rest

const BLOG = {
  settings: { number_of_replicas: 0, 'index.refresh_interval': '-1' },
  mappings: {
    properties: {
      title: { type: 'text' },
      comments: {
        type: 'nested',
        properties: {
          author: { type: 'keyword' },
          stars: { type: 'integer' },
          text: { type: 'text' },
          votes: { type: 'nested', properties: { user: { type: 'keyword' } } },
        },
      },
    },
  },
}

const POSTS = [
  {
    title: 'tides',
    comments: [
      { author: 'ann', stars: 5, text: 'good', votes: [{ user: 'x' }, { user: 'y' }] },
      { author: 'bob', stars: 1, text: 'bad good' },
    ],
  },
  { title: 'winds', comments: { author: 'ann', stars: 1, text: 'bad' } },
  { title: 'no comments' },
  { title: 'empty', comments: [] },
]

beforeAll(async () => {
  rest = await openRest()
  await rest.call('PUT /blog', BLOG)
  const lines = POSTS.flatMap((post, i) => [{ index: { _id: String(i) } }, post])
  await rest.call('POST /blog/_bulk?refresh', ndjson(...lines))
})
afterAll(() => rest.close())

const idsOf = async (index: string, query: object): Promise<string[]> => {
  const { status, json } = await rest.call(`POST /${index}/_search?size=100`, { query })
  expect(status, JSON.stringify(json)).toBe(200)
  const ids = json.hits.hits.map((hit: { _id: string }) => hit._id)
  expect(json.hits.total.value).toBe(ids.length)
  return ids.sort()
}
const both = (author: string, stars: number): object => ({
  bool: {
    must: [{ term: { 'comments.author': author } }, { term: { 'comments.stars': stars } }],
  },
})
const nested = (path: string, query: object, more = {}): object => ({
  nested: { path, query, ...more },
})
const reasonOf = async (query: object): Promise<unknown[]> => {
  const { status, json } = await rest.call('POST /blog/_search', { query })
  const error = json.error.root_cause[0]
  return [status, error.type, error.reason]
}

describe('nested objects', () => {
  it('are documents of their own in statistics and in nothing else', async () => {
    const stats = await rest.call('GET /blog/_stats/docs')
    // Four posts, three comments, two votes.
    expect(stats.json._all.primaries.docs).toEqual({ count: 9, deleted: 0 })
    expect((await rest.call('GET /blog/_count')).json.count).toBe(4)
    expect(await idsOf('blog', { match_all: {} })).toEqual(['0', '1', '2', '3'])
    expect(await idsOf('blog', { term: { 'comments.author': 'ann' } })).toEqual([])
    expect(await idsOf('blog', { exists: { field: 'comments' } })).toEqual([])
    const page = await rest.call('POST /blog/_search', { size: 1, sort: [{ _doc: 'asc' }] })
    expect(page.json.hits.hits[0]).toMatchObject({ _id: '0', _source: POSTS[0] })
  })

  it('match one by one, unlike objects', async () => {
    expect(await idsOf('blog', nested('comments', both('ann', 5)))).toEqual(['0'])
    expect(await idsOf('blog', nested('comments', both('ann', 1)))).toEqual(['1'])
    expect(await idsOf('blog', nested('comments', both('bob', 5)))).toEqual([])
    expect(await idsOf('blog', nested('comments', { match_all: {} }))).toEqual(['0', '1'])
    expect(
      await idsOf('blog', nested('comments', { exists: { field: 'comments.stars' } })),
    ).toEqual(['0', '1'])
    const notAnn = { bool: { must_not: { term: { 'comments.author': 'ann' } } } }
    expect(await idsOf('blog', nested('comments', notAnn))).toEqual(['0'])
    const noAnn = {
      bool: { must_not: nested('comments', { term: { 'comments.author': 'ann' } }) },
    }
    expect(await idsOf('blog', noAnn)).toEqual(['2', '3'])
  })

  it('match at any depth, through the levels or past them', async () => {
    const user = { term: { 'comments.votes.user': 'x' } }
    expect(await idsOf('blog', nested('comments.votes', user))).toEqual(['0'])
    expect(await idsOf('blog', nested('comments', nested('comments.votes', user)))).toEqual(['0'])
    const byBob = {
      bool: {
        must: [{ term: { 'comments.author': 'bob' } }, nested('comments.votes', user)],
      },
    }
    expect(await idsOf('blog', nested('comments', byBob))).toEqual([])
    const byAnn = {
      bool: {
        must: [{ term: { 'comments.author': 'ann' } }, nested('comments.votes', user)],
      },
    }
    expect(await idsOf('blog', nested('comments', byAnn))).toEqual(['0'])
    // A root query inside never matches nested documents.
    expect(await idsOf('blog', nested('comments', { match: { title: 'tides' } }))).toEqual([])
  })

  it('score by their mode', async () => {
    const scored = (mode: string): object =>
      nested(
        'comments',
        {
          bool: {
            should: [
              { constant_score: { filter: { term: { 'comments.author': 'ann' } }, boost: 3 } },
              { constant_score: { filter: { term: { 'comments.author': 'bob' } }, boost: 8 } },
            ],
          },
        },
        { score_mode: mode },
      )
    const scores = async (mode: string): Promise<number[]> => {
      const { json } = await rest.call('POST /blog/_search', { query: scored(mode) })
      return json.hits.hits
        .sort((a: { _id: string }, b: { _id: string }) => (a._id < b._id ? -1 : 1))
        .map((hit: { _score: number }) => hit._score)
    }
    expect(await scores('avg')).toEqual([5.5, 3])
    expect(await scores('sum')).toEqual([11, 3])
    expect(await scores('min')).toEqual([3, 3])
    expect(await scores('max')).toEqual([8, 3])
    expect(await scores('none')).toEqual([0, 0])
  })

  it('explain and profile as the reference server does', async () => {
    const query = nested('comments', { match: { 'comments.text': 'bad' } })
    const { json } = await rest.call('POST /blog/_search', { query, explain: true, profile: true })
    const hit = json.hits.hits.find((each: { _id: string }) => each._id === '0')
    expect(hit._explanation.description).toBe(
      'Score based on 1 child docs in range from 0 to 3, using score mode Avg',
    )
    expect(hit._explanation.value).toBe(hit._score)
    expect(hit._explanation.details[0].description).toMatch(/^weight\(comments.text:bad/)
    const [root] = json.profile.shards[0].searches[0].query
    expect([root.type, root.description]).toEqual([
      'OpenSearchToParentBlockJoinQuery',
      'ToParentBlockJoinQuery (comments.text:bad)',
    ])
    expect(root.children[0].description).toBe('comments.text:bad')
    const all = await rest.call('POST /blog/_search', {
      query: nested('comments', { match_all: {} }),
      profile: true,
    })
    expect(all.json.profile.shards[0].searches[0].query[0].description).toBe(
      'ToParentBlockJoinQuery (ConstantScore(_nested_path:comments))',
    )
  })

  it('refuses what no nested query can be', async () => {
    const any = { match_all: {} }
    expect(await reasonOf(nested('nope', any))).toEqual([
      400,
      'query_shard_exception',
      'failed to create query: [nested] failed to find nested object under path [nope]',
    ])
    expect(await idsOf('blog', nested('nope', any, { ignore_unmapped: true }))).toEqual([])
    await rest.call('PUT /plain', {
      mappings: { properties: { o: { properties: { x: { type: 'long' } } } } },
    })
    const plain = await rest.call('POST /plain/_search', { query: nested('o', any) })
    expect(plain.json.error.root_cause[0].reason).toBe(
      'failed to create query: [nested] nested object under path [o] is not of nested type',
    )
    expect((await reasonOf(nested('comments', any, { score_mode: 'best' })))[2]).toBe(
      'No score mode for child query [best] found',
    )
    expect((await reasonOf({ nested: { query: any } }))[2]).toBe("[nested] requires 'path' field")
    expect((await reasonOf({ nested: { path: 'comments' } }))[2]).toBe(
      "[nested] requires 'query' field",
    )
    expect((await reasonOf(nested('comments', any, { wat: 1 })))[2]).toBe(
      '[nested] query does not support [wat]',
    )
    expect((await reasonOf({ nested: { path: {}, query: any } }))[2]).toBe(
      '[nested] query does not support [path]',
    )
    let deep: object = any
    for (let i = 0; i < 21; i++) deep = nested('comments', deep)
    expect((await reasonOf(deep))[2]).toBe(
      'failed to create query: The depth of Nested Query is [21] has exceeded the allowed maximum ' +
        'of [20]. This maximum can be set by changing the [index.query.max_nested_depth] index ' +
        'level setting.',
    )
  })

  it('are indexed in the documents around them where the mapping says so', async () => {
    const levels = (inParent: object, inRoot: object): object => ({
      mappings: {
        properties: {
          a: {
            type: 'nested',
            ...inParent,
            properties: {
              x: { type: 'keyword' },
              b: { type: 'nested', ...inRoot, properties: { y: { type: 'keyword' } } },
            },
          },
        },
      },
    })
    const source = { a: [{ x: 'one', b: [{ y: 'two' }, { y: 'three' }] }] }
    const cases: [string, object, object, [boolean, boolean, boolean]][] = [
      ['none', {}, {}, [false, false, false]],
      ['parent', { include_in_parent: true }, { include_in_parent: true }, [true, true, true]],
      ['root', { include_in_root: true }, { include_in_root: true }, [true, true, false]],
      ['inner', {}, { include_in_parent: true }, [false, false, true]],
      ['twice', { include_in_parent: true }, { include_in_root: true }, [true, true, false]],
    ]
    for (const [name, a, b, [x, y, inA]] of cases) {
      await rest.call(`PUT /include-${name}`, levels(a, b))
      await rest.call(`PUT /include-${name}/_doc/1?refresh`, source)
      const found = async (query: object): Promise<boolean> =>
        (await idsOf(`include-${name}`, query)).length > 0
      expect([
        name,
        await found({ term: { 'a.x': 'one' } }),
        await found({ term: { 'a.b.y': 'two' } }),
        await found(nested('a', { term: { 'a.b.y': 'three' } })),
      ]).toEqual([name, x, y, inA])
      expect(await found(nested('a.b', { term: { 'a.b.y': 'two' } }))).toBe(true)
    }
    const { json } = await rest.call('GET /include-twice/_mapping')
    expect(JSON.stringify(json['include-twice'].mappings)).toBe(
      '{"properties":{"a":{"type":"nested","include_in_parent":true,"properties":{' +
        '"b":{"type":"nested","include_in_root":true,"properties":{"y":{"type":"keyword"}}},' +
        '"x":{"type":"keyword"}}}}}',
    )
  })

  it('copy values upwards, never into another nested object', async () => {
    const { status } = await rest.call('PUT /copy', {
      mappings: {
        properties: {
          all: { type: 'keyword' },
          a: {
            type: 'nested',
            properties: {
              x: { type: 'keyword', copy_to: ['all', 'a.z'] },
              z: { type: 'keyword' },
            },
          },
        },
      },
    })
    expect(status).toBe(200)
    await rest.call('PUT /copy/_doc/1?refresh', { a: [{ x: 'one' }, { x: 'two' }], all: 'own' })
    for (const value of ['one', 'two', 'own'])
      expect(await idsOf('copy', { term: { all: value } })).toEqual(['1'])
    const own = (z: string): object => ({
      bool: { must: [{ term: { 'a.x': 'one' } }, { term: { 'a.z': z } }] },
    })
    expect(await idsOf('copy', nested('a', own('one')))).toEqual(['1'])
    expect(await idsOf('copy', nested('a', own('two')))).toEqual([])
    const refused = await rest.call('PUT /copy/_mapping', {
      properties: { title: { type: 'text', copy_to: 'a.z' } },
    })
    expect(refused.json.error.reason).toBe(
      'Illegal combination of [copy_to] and [nested] mappings: [copy_to] may only copy data to ' +
        'the current nested document or any of its parents, however one [copy_to] directive is ' +
        'trying to copy data from nested object [null] to [a]',
    )
  })

  it('hold the limits of mappings and documents', async () => {
    await rest.call('PUT /few', {
      settings: { 'index.mapping.nested_objects.limit': 3, 'index.mapping.nested_fields.limit': 1 },
      mappings: { properties: { n: { type: 'nested', properties: { x: { type: 'long' } } } } },
    })
    const objects = (count: number): object => ({ n: Array.from({ length: count }, () => ({})) })
    expect((await rest.call('PUT /few/_doc/1', objects(3))).status).toBe(201)
    const { json } = await rest.call('PUT /few/_doc/2', objects(4))
    expect([json.error.type, json.error.reason]).toEqual([
      'mapper_parsing_exception',
      'The number of nested documents has exceeded the allowed limit of [3]. This limit can be set ' +
        'by changing the [index.mapping.nested_objects.limit] index level setting.',
    ])
    const more = await rest.call('PUT /few/_mapping', { properties: { m: { type: 'nested' } } })
    expect(more.json.error.reason).toBe('Limit of nested fields [1] has been exceeded')
  })

  it('stay what they are', async () => {
    const put = async (properties: object): Promise<string> =>
      (await rest.call('PUT /blog/_mapping', { properties })).json.error.reason
    expect(await put({ comments: { type: 'object' } })).toBe(
      'cannot change object mapping from nested to non-nested',
    )
    await rest.call('PUT /objects', { mappings: { properties: { o: { type: 'object' } } } })
    const turned = await rest.call('PUT /objects/_mapping', {
      properties: { o: { type: 'nested' } },
    })
    expect(turned.json.error.reason).toBe('cannot change object mapping from non-nested to nested')
    expect(await put({ comments: { type: 'nested', include_in_root: true } })).toBe(
      "the [include_in_root] parameter can't be updated on a nested object mapping",
    )
    const dotted = await rest.call('PUT /blog/_doc/9', { 'comments.author': 'x' })
    expect(dotted.json.error.reason).toBe(
      'Cannot add a value for field [comments.author] since one of the intermediate objects is ' +
        'mapped as a nested object: [comments]',
    )
    const concrete = await rest.call('PUT /blog/_doc/9', { comments: 'x' })
    expect(concrete.json.error.reason).toBe(
      'object mapping for [comments] tried to parse field [comments] as object, but found a ' +
        'concrete value',
    )
  })

  it('leave with their document, and come back with the log and with merges', async () => {
    const folder = tempFolder('nested')
    let own = await openRest({}, folder)
    const count = async (): Promise<number[]> => {
      await own.call('POST /blog/_refresh')
      const { json } = await own.call('POST /blog/_search', {
        query: nested('comments', { term: { 'comments.author': 'ann' } }),
      })
      const stats = await own.call('GET /blog/_stats/docs')
      return [json.hits.total.value, stats.json._all.primaries.docs.count]
    }
    try {
      await own.call('PUT /blog', BLOG)
      const lines = POSTS.flatMap((post, i) => [{ index: { _id: String(i) } }, post])
      await own.call('POST /blog/_bulk', ndjson(...lines))
      expect(await count()).toEqual([2, 9])
      // A second segment: one is replaced by one without comments, in the segment and the buffer.
      await own.call('PUT /blog/_doc/4', POSTS[0])
      await own.call('PUT /blog/_doc/5', POSTS[0])
      await own.call('DELETE /blog/_doc/5')
      await own.call('PUT /blog/_doc/1', { title: 'winds' })
      expect(await count()).toEqual([2, 13])
      await own.close()
      own = await openRest({}, folder)
      expect(await count()).toEqual([2, 13])
      await own.call('DELETE /blog/_doc/0')
      await own.call('POST /blog/_forcemerge?max_num_segments=1')
      expect(await count()).toEqual([1, 8])
      await own.call('PUT /blog/_doc/6', POSTS[1])
      await own.close()
      own = await openRest({}, folder)
      expect(await count()).toEqual([2, 10])
    } finally {
      await own.close()
    }
  })
})

it('lets each nested object have a rank feature of its own, and no more', async () => {
  const rest = await openRest()
  const properties = { o: { type: 'nested', properties: { r: { type: 'rank_feature' } } } }
  await rest.call('PUT /ranked', { mappings: { properties } })
  const two = await rest.call('PUT /ranked/_doc/1', { o: [{ r: 1 }, { r: 2 }] })
  expect([two.status, two.json.error]).toEqual([201, undefined])
  const twice = await rest.call('PUT /ranked/_doc/2', { o: [{ r: [1, 2] }] })
  expect(twice.status).toBe(400)
  await rest.close()
})
