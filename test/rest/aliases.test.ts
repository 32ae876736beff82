import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failureOf, okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

const aliases = async (...actions: object[]) => ok('POST /_aliases', { actions })
const refused = async (...actions: object[]) => failure('POST /_aliases', { actions })
const ids = async (line: string, body: object = {}): Promise<string[]> =>
  (await ok(line, body)).hits.hits.map((hit: { _id: string }) => hit._id).sort()

beforeEach(async () => {
  await rest.call('DELETE /*?expand_wildcards=all')
  for (const index of ['a', 'b']) {
    await ok(`PUT /${index}`, { mappings: { properties: { c: { type: 'keyword' } } } })
    for (const c of ['red', 'blue'])
      await ok(`PUT /${index}/_doc/${index}-${c}?refresh`, { c, n: 1 })
  }
})

describe('an alias', () => {
  it('stands for its indices in searches, counts, gets and mappings', async () => {
    await aliases({ add: { indices: ['a', 'b'], alias: 'both' } })
    expect(await ids('GET /both/_search')).toEqual(['a-blue', 'a-red', 'b-blue', 'b-red'])
    expect((await ok('GET /both/_count')).count).toBe(4)
    expect(Object.keys(await ok('GET /both/_mapping'))).toEqual(['a', 'b'])
    await aliases({ add: { index: 'a', alias: 'one' } })
    expect((await ok('GET /one/_doc/a-red'))._index).toBe('a')
    expect(await failure('GET /both/_doc/a-red')).toEqual([
      400,
      'illegal_argument_exception',
      "Alias [both] has more than one index associated with it [a, b], can't execute a single index op",
    ])
  })

  it('narrows its index by a filter, which scores nothing and shows in no hit', async () => {
    const filter = { term: { c: 'red' } }
    await aliases({ add: { indices: ['a', 'b'], alias: 'reds', filter } })
    expect(await ids('GET /reds/_search')).toEqual(['a-red', 'b-red'])
    expect((await ok('GET /reds/_count')).count).toBe(2)
    expect(await ids('GET /reds/_search', { query: { term: { c: 'blue' } } })).toEqual([])
    const { hits } = await ok('GET /reds/_search', { query: { match_all: {} } })
    expect(hits.max_score).toBe(1)
  })

  it('is OR-ed with others that led to its index, and lifted by one without a filter', async () => {
    await aliases(
      { add: { index: 'a', alias: 'red', filter: { term: { c: 'red' } } } },
      { add: { index: 'a', alias: 'none', filter: { term: { c: 'green' } } } },
      { add: { index: 'a', alias: 'all' } },
    )
    expect(await ids('GET /none/_search')).toEqual([])
    expect(await ids('GET /none,red/_search')).toEqual(['a-red'])
    expect(await ids('GET /red,all/_search')).toEqual(['a-blue', 'a-red'])
    expect(await ids('GET /red,a/_search')).toEqual(['a-blue', 'a-red'])
    expect(await ids('GET /r*,no*/_search')).toEqual(['a-red'])
    expect(await ids('GET /r*,-red/_search')).toEqual([])
  })

  it('routes writes, gets and searches', async () => {
    await ok('PUT /many', { settings: { number_of_shards: 5 } })
    await aliases({
      add: { index: 'many', alias: 'routed', index_routing: 'x', search_routing: 'x,y' },
    })
    expect(await ok('PUT /routed/_doc/1?refresh', { n: 1 })).toMatchObject({ _index: 'many' })
    expect(await ok('GET /many/_doc/1?routing=x')).toMatchObject({ _routing: 'x', found: true })
    expect(await ok('GET /routed/_doc/1')).toMatchObject({ found: true })
    const search = await ok('GET /routed/_search')
    expect(search._shards.total).toBeLessThanOrEqual(2)
    expect(search.hits.total.value).toBe(1)
    expect((await ok('GET /routed/_search?routing=z'))._shards.total).toBe(0)
    expect(await failure('PUT /routed/_doc/1?routing=z', { n: 1 })).toEqual([
      400,
      'illegal_argument_exception',
      'Alias [routed] has index routing associated with it [x], and was provided with routing value [z], rejecting operation',
    ])
  })

  it('takes writes where one index is its write index', async () => {
    await aliases({ add: { index: 'a', alias: 'w' } })
    expect((await ok('PUT /w/_doc/1', {}))._index).toBe('a')
    await aliases({ add: { index: 'b', alias: 'w' } })
    const none = [
      400,
      'illegal_argument_exception',
      'no write index is defined for alias [w]. The write index may be explicitly disabled using is_write_index=false or the alias points to multiple indices without one being designated as a write index',
    ]
    expect(await failure('PUT /w/_doc/1', {})).toEqual(none)
    await aliases({ add: { index: 'b', alias: 'w', is_write_index: true } })
    expect((await ok('PUT /w/_doc/1', {}))._index).toBe('b')
    const bulk = await ok('POST /_bulk', '{"index":{"_index":"w","_id":"2"}}\n{}\n')
    expect(bulk.items[0].index._index).toBe('b')
    expect((await ok('DELETE /w/_doc/2'))._index).toBe('b')
    await aliases(
      { remove: { index: 'b', alias: 'w' } },
      { add: { index: 'a', alias: 'w', is_write_index: false } },
    )
    expect(await failure('PUT /w/_doc/1', {})).toEqual(none)
  })

  it('is demanded by require_alias, in single writes and in bulks', async () => {
    await aliases({ add: { index: 'a', alias: 'w' } })
    expect((await ok('PUT /w/_doc/1?require_alias=true', {}))._index).toBe('a')
    const reason =
      'no such index [a] and [require_alias] request flag is [true] and [a] is not an alias'
    expect(await failure('PUT /a/_doc/1?require_alias=true', {})).toEqual([
      404,
      'index_not_found_exception',
      reason,
    ])
    const { items } = await ok(
      'POST /_bulk',
      '{"index":{"_index":"a","require_alias":true}}\n{}\n{"index":{"_index":"a"}}\n{}\n',
    )
    expect([items[0].index.error.reason, items[1].index.status]).toEqual([reason, 201])
  })

  it('is no name for an index, nor is one of an index for it', async () => {
    await aliases({ add: { index: 'a', alias: 'w' } })
    expect(await failure('PUT /w')).toEqual([
      400,
      'invalid_index_name_exception',
      'Invalid index name [w], already exists as alias',
    ])
    expect(await refused({ add: { index: 'a', alias: 'b' } })).toEqual([
      400,
      'invalid_alias_name_exception',
      'Invalid alias name [b], an index exists with the same name as the alias',
    ])
    expect(await failure('DELETE /w')).toEqual([
      400,
      'illegal_argument_exception',
      'The provided expression [w] matches an alias, specify the corresponding concrete indices instead.',
    ])
    await ok('DELETE /w?ignore_unavailable=true')
    expect((await rest.call('HEAD /a')).status).toBe(200)
  })

  it('is hidden from patterns where it is so on all its indices', async () => {
    await aliases({ add: { index: 'a', alias: 'dark', is_hidden: true } })
    expect(await ids('GET /da*/_search')).toEqual([])
    expect(await ids('GET /da*/_search?expand_wildcards=open,hidden')).toHaveLength(2)
    expect(await ids('GET /dark/_search')).toHaveLength(2)
    expect(await refused({ add: { index: 'b', alias: 'dark' } })).toEqual([
      400,
      'illegal_state_exception',
      'alias [dark] has is_hidden set to true on indices [a] but does not have is_hidden set to true on indices [b]; alias must have the same is_hidden setting on all indices',
    ])
  })
})

describe('POST /_aliases', () => {
  it('does all of a batch or nothing', async () => {
    await aliases({ add: { index: 'a', alias: 'live' } })
    expect(
      await refused(
        { add: { index: 'b', alias: 'live' } },
        { remove: { index: 'a', alias: 'gone', must_exist: true } },
      ),
    ).toEqual([404, 'aliases_not_found_exception', 'aliases [gone] missing'])
    expect(await ids('GET /live/_search')).toHaveLength(2)
    await aliases(
      { remove: { index: 'a', alias: 'live' } },
      { add: { index: 'b', alias: 'live' } },
      { remove_index: { index: 'a' } },
    )
    expect(await ok('GET /live/_alias')).toEqual({ b: { aliases: { live: {} } } })
    expect((await rest.call('HEAD /a')).status).toBe(404)
  })

  it('may give an alias the name of an index that goes with the same batch', async () => {
    await aliases({ remove_index: { index: 'a' } }, { add: { index: 'b', alias: 'a' } })
    expect(await ids('GET /a/_search')).toEqual(['b-blue', 'b-red'])
  })

  it('removes by patterns, and passes what may be missing', async () => {
    await aliases({ add: { indices: ['a', 'b'], aliases: ['x1', 'x2', 'y'] } })
    await aliases({ remove: { index: '*', alias: 'x*' } })
    expect(Object.keys((await ok('GET /a/_alias')).a.aliases)).toEqual(['y'])
    await aliases({ remove: { index: 'a', alias: 'none', must_exist: false } })
    expect(await refused({ remove: { index: 'a', alias: 'none' } })).toEqual([
      404,
      'aliases_not_found_exception',
      'aliases [none] missing',
    ])
  })

  it.each<[object[], string]>([
    [[{ add: { alias: 'x' } }], 'One of [index] or [indices] is required'],
    [[{ add: { index: 'a' } }], 'One of [alias] or [aliases] is required'],
    [
      [{ add: { index: 'a', alias: 'x', aliases: ['y'] } }],
      'Only one of [alias] and [aliases] is supported',
    ],
    [
      [{ add: { index: 'a', indices: ['b'], alias: 'x' } }],
      'Only one of [index] and [indices] is supported',
    ],
    [
      [{ add: { index: 'a', alias: 'x' }, remove: { index: 'a', alias: 'x' } }],
      'Too many operations declared on operation entry',
    ],
    [[{ add: { indices: [], alias: 'x' } }], "[indices] can't be empty"],
    [[{ add: { index: '', alias: 'x' } }], "[index] can't be empty string"],
    [[{ add: { index: 'a', aliases: ['x', ''] } }], "[aliases] can't contain empty string"],
    [
      [{ remove: { index: 'a', alias: 'x', routing: '1' } }],
      '[routing] is unsupported for [REMOVE]',
    ],
    [[{ remove_index: { index: 'a', alias: 'x' } }], '[alias] is unsupported for [REMOVE_INDEX]'],
    [
      [{ add: { index: 'a', alias: 'x', index_routing: '1,2' } }],
      'alias [x] has several index routing values associated with it',
    ],
    [
      [{ add: { index: 'a', alias: 'x', filter: { odd: {} } } }],
      'failed to parse filter for alias [x]',
    ],
  ])('refuses %j', async (actions, reason) => {
    expect(await refused(...actions)).toEqual([400, 'illegal_argument_exception', reason])
  })

  it('refuses an empty batch, unknown keys, and two write indices', async () => {
    expect(await refused()).toEqual([
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: Must specify at least one alias action;',
    ])
    const reasonsOf = async (action: object): Promise<string[]> => {
      const { json } = await rest.call('POST /_aliases', { actions: [action] })
      const { caused_by: cause, root_cause, reason } = json.error
      const inner = cause.caused_by === undefined ? [] : [cause.caused_by.reason]
      return [reason, cause.reason, ...inner, root_cause[0].reason]
    }
    const unknown = '[1:14] [alias_action] unknown field [ad] did you mean [add]?'
    expect(await reasonsOf({ ad: { index: 'a', alias: 'x' } })).toEqual([
      '[1:12] [aliases] failed to parse field [actions]',
      unknown,
      unknown,
    ])
    const inAdd = '[1:45] [add] unknown field [filtr] did you mean [filter]?'
    expect(await reasonsOf({ add: { index: 'a', alias: 'x', filtr: {} } })).toEqual([
      '[1:12] [aliases] failed to parse field [actions]',
      '[1:20] [alias_action] failed to parse field [add]',
      inAdd,
      inAdd,
    ])
    expect(
      await refused({ add: { indices: ['a', 'b'], alias: 'x', is_write_index: true } }),
    ).toEqual([400, 'illegal_state_exception', 'alias [x] has more than one write index [a,b]'])
    expect(await refused({ add: { index: 'a', alias: 'Bad,name' } })).toEqual([
      400,
      'invalid_alias_name_exception',
      'Invalid alias name [Bad,name]: must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]',
    ])
    expect((await refused({ add: { index: 'none', alias: 'x' } }))[2]).toBe('no such index [none]')
  })
})

describe('GET /_alias', () => {
  beforeEach(() =>
    aliases(
      { add: { index: 'a', alias: 'x', routing: '1' } },
      { add: { index: 'a', alias: 'y', filter: { term: { c: 'red' } }, is_write_index: true } },
    ),
  )

  it('shows all indices without a name, and those that have it with one', async () => {
    const x = { index_routing: '1', search_routing: '1' }
    const y = { filter: { term: { c: 'red' } }, is_write_index: true }
    expect(await ok('GET /_alias')).toEqual({ a: { aliases: { x, y } }, b: { aliases: {} } })
    expect(await ok('GET /_alias/x')).toEqual({ a: { aliases: { x } } })
    expect(await ok('GET /*/_alias/*,-x')).toEqual({ a: { aliases: { y } } })
    expect(await ok('GET /b/_alias')).toEqual({ b: { aliases: {} } })
    expect(await ok('GET /b/_alias/*')).toEqual({})
    expect((await ok('GET /a')).a.aliases).toEqual({ x, y })
    expect((await rest.call('GET /_cat/aliases?h=a,i,f,ri,rs,w&s=a')).text).toBe(
      'x a - 1 1 -\ny a * - - true\n',
    )
  })

  it('answers 404 with the names that are missing, beside what was found', async () => {
    const one = await rest.call('GET /_alias/x,gone')
    expect([one.status, one.json]).toEqual([
      404,
      {
        error: 'alias [gone] missing',
        status: 404,
        a: { aliases: { x: { index_routing: '1', search_routing: '1' } } },
      },
    ])
    const two = await rest.call('GET /_alias/z,gone')
    expect(two.json).toEqual({ error: 'aliases [gone,z] missing', status: 404 })
    expect((await rest.call('HEAD /_alias/x')).status).toBe(200)
    expect((await rest.call('HEAD /_alias/gone')).status).toBe(404)
  })

  it('is put and deleted by the path or by the body', async () => {
    await ok('PUT /b/_alias/z', { filter: { term: { c: 'red' } }, routing: 'r' })
    await ok('PUT /_alias', { index: 'b', alias: 'q' })
    expect(await ok('GET /b/_alias')).toEqual({
      b: {
        aliases: {
          q: {},
          z: { filter: { term: { c: 'red' } }, index_routing: 'r', search_routing: 'r' },
        },
      },
    })
    await ok('PUT /b/_alias/z')
    expect((await ok('GET /b/_alias/z')).b.aliases.z).toEqual({})
    await ok('DELETE /b/_alias/z')
    expect(await failure('DELETE /b/_alias/z')).toEqual([
      404,
      'aliases_not_found_exception',
      'aliases [z] missing',
    ])
    expect((await failure('PUT /b/_alias/z', { odd: 1 }))[2]).toBe('[1:2] unknown field [odd]')
  })
})

describe('PUT /{index} with aliases', () => {
  it('makes a new index with them, or none of it', async () => {
    await ok('PUT /new', { aliases: { x: {}, y: { routing: '1' } } })
    expect(Object.keys((await ok('GET /new')).new.aliases)).toEqual(['x', 'y'])
    const bad = { aliases: { a: {} } }
    expect((await failure('PUT /newer', bad))[2]).toBe(
      'Invalid alias name [a], an index exists with the same name as the alias',
    )
    expect((await rest.call('HEAD /newer')).status).toBe(404)
  })

  it('changes the aliases of an index that is there, if the body has nothing else', async () => {
    expect(await ok('PUT /a', { aliases: { x: { is_write_index: true } } })).toEqual({
      acknowledged: true,
      shards_acknowledged: true,
      index: 'a',
    })
    expect((await ok('GET /a/_alias')).a.aliases).toEqual({ x: { is_write_index: true } })
    expect((await failure('PUT /b', { aliases: { x: { is_write_index: true } } }))[2]).toBe(
      'alias [x] has more than one write index [a,b]',
    )
    expect((await failure('PUT /a', { aliases: { x: {} }, settings: { a: 1 } }))[1]).toBe(
      'resource_already_exists_exception',
    )
  })
})
