import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failureOf, okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

const aliasesOf = async (): Promise<object> => ok('GET /_alias')

beforeEach(async () => {
  await rest.call('DELETE /*?expand_wildcards=all')
  await rest.call('DELETE /_index_template/*')
  await rest.call('DELETE /_template/*')
})

describe('a rollover', () => {
  it('counts the name up and moves the alias', async () => {
    await ok('PUT /logs-1', { aliases: { a: {}, other: {} } })
    expect(await ok('POST /a/_rollover')).toEqual({
      acknowledged: true,
      shards_acknowledged: true,
      old_index: 'logs-1',
      new_index: 'logs-000002',
      rolled_over: true,
      dry_run: false,
      conditions: {},
    })
    expect(await aliasesOf()).toEqual({
      'logs-1': { aliases: { other: {} } },
      'logs-000002': { aliases: { a: {} } },
    })
    await ok('PUT /a/_doc/1?refresh', { t: 1 })
    expect((await ok('GET /a/_search')).hits.hits[0]._index).toBe('logs-000002')
  })

  it('moves the flag of an explicit write index, and keeps both under the alias', async () => {
    await ok('PUT /logs-000099', { aliases: { a: { is_write_index: true } } })
    expect((await ok('POST /a/_rollover')).new_index).toBe('logs-000100')
    expect(await aliasesOf()).toEqual({
      'logs-000099': { aliases: { a: { is_write_index: false } } },
      'logs-000100': { aliases: { a: { is_write_index: true } } },
    })
    expect((await ok('PUT /a/_doc/1', { t: 1 }))._index).toBe('logs-000100')
  })

  it('takes a name, and parts of the new index over those of its template', async () => {
    await ok('PUT /_index_template/k', {
      index_patterns: ['n*'],
      template: { settings: { number_of_shards: 2 }, aliases: { given: {} } },
    })
    await ok('PUT /logs', { aliases: { a: {} } })
    const body = {
      settings: { number_of_replicas: 0 },
      mappings: { properties: { k: { type: 'keyword' } } },
      aliases: { more: { filter: { term: { k: 'x' } } } },
    }
    expect((await ok('POST /a/_rollover/next', body)).rolled_over).toBe(true)
    const { next } = await ok('GET /next')
    expect(next.mappings).toEqual(body.mappings)
    expect(Object.keys(next.aliases)).toEqual(['a', 'given', 'more'])
    expect(next.settings.index).toMatchObject({ number_of_shards: '2', number_of_replicas: '0' })
  })

  it('evaluates the dates of a name afresh', async () => {
    const day = new Date().toISOString().slice(0, 10).replaceAll('-', '.')
    await ok(`PUT /${encodeURIComponent('<logs-{now/d}-000007>')}`, { aliases: { a: {} } })
    expect((await ok('POST /a/_rollover')).new_index).toBe(`logs-${day}-000008`)
    const settings = await ok(`GET /logs-${day}-000008/_settings`)
    expect(settings[`logs-${day}-000008`].settings.index.provided_name).toBe(
      '<logs-{now/d}-000008>',
    )
  })

  it.each([
    [{ max_docs: 2 }, { '[max_docs: 2]': true }],
    [
      { max_docs: 3, max_age: '7d' },
      { '[max_docs: 3]': false, '[max_age: 7d]': false },
    ],
    [
      { max_docs: 3, max_age: '0ms' },
      { '[max_docs: 3]': false, '[max_age: 0ms]': true },
    ],
    [{ max_size: '10b' }, { '[max_size: 10b]': true }],
    [{ max_size: '100mb' }, { '[max_size: 100mb]': false }],
  ])('asks whether one of its conditions is met: %j', async (conditions, outcome) => {
    await ok('PUT /logs-1', { aliases: { a: {} } })
    for (const id of [1, 2]) await ok(`PUT /logs-1/_doc/${id}?refresh`, { t: id })
    const isMet = Object.values(outcome).includes(true)
    const dry = await ok('POST /a/_rollover?dry_run=true', { conditions })
    expect(dry).toEqual({
      acknowledged: false,
      shards_acknowledged: false,
      old_index: 'logs-1',
      new_index: 'logs-000002',
      rolled_over: false,
      dry_run: true,
      conditions: outcome,
    })
    expect((await rest.call('HEAD /logs-000002')).status).toBe(404)
    const answer = await ok('POST /a/_rollover', { conditions })
    expect(answer).toMatchObject({ rolled_over: isMet, acknowledged: isMet, conditions: outcome })
    expect((await rest.call('HEAD /logs-000002')).status).toBe(isMet ? 200 : 404)
  })

  it('stays on record with the old index', async () => {
    await ok('PUT /logs-1', { aliases: { a: {}, b: {} } })
    await ok('POST /a/_rollover', { conditions: { max_docs: 0, max_size: '1gb' } })
    await ok('POST /b/_rollover/other')
    const { metadata } = await ok('GET /_cluster/state/metadata')
    const time = expect.any(Number)
    expect(metadata.indices['logs-1'].rollover_info).toEqual({
      a: { met_conditions: { max_docs: 0 }, time },
      b: { met_conditions: {}, time },
    })
    expect(metadata.indices['logs-000002'].rollover_info).toEqual({})
  })

  it('is one of two that start at once, where a condition was met for the old index', async () => {
    await ok('PUT /logs-1', { aliases: { a: {} } })
    await ok('PUT /logs-1/_doc/1?refresh', { t: 1 })
    const conditions = { max_docs: 1 }
    const answers = await Promise.all([1, 2].map(() => ok('POST /a/_rollover', { conditions })))
    expect(answers.map(answer => answer.rolled_over).sort()).toEqual([false, true])
    expect(Object.keys(await aliasesOf())).toEqual(['logs-000002', 'logs-1'])
    // Without conditions each is one.
    const more = await Promise.all([1, 2].map(() => ok('POST /a/_rollover')))
    expect(more.map(answer => answer.new_index)).toEqual(['logs-000003', 'logs-000004'])
  })

  it.each<[string, object | undefined, number, string, string]>([
    ['no', undefined, 400, 'illegal_argument_exception', 'rollover target [no] does not exist'],
    [
      'plain',
      undefined,
      400,
      'illegal_argument_exception',
      'rollover target is a [concrete index] but one of [alias,data_stream] was expected',
    ],
    [
      'both',
      undefined,
      400,
      'illegal_argument_exception',
      'rollover target [both] does not point to a write index',
    ],
    [
      'word',
      undefined,
      400,
      'illegal_argument_exception',
      "index name [plain] does not match pattern '^.*-\\d+$'",
    ],
    [
      'doubled',
      undefined,
      400,
      'illegal_argument_exception',
      'Rollover alias [doubled] can point to multiple indices, found duplicated alias [doubled] in index template [k]',
    ],
    [
      'a/_rollover/b|c?dry_run',
      undefined,
      400,
      'invalid_index_name_exception',
      'Invalid index name [b|c], must not contain the following characters [ , ", *, \\, <, |, ,, >, /, ?]',
    ],
    [
      'a/_rollover/both',
      undefined,
      400,
      'invalid_index_name_exception',
      'Invalid index name [both], already exists as alias',
    ],
    [
      'a',
      { condition: {} },
      400,
      'x_content_parse_exception',
      '[1:2] [rollover] unknown field [condition] did you mean [conditions]?',
    ],
    [
      'a',
      { conditions: { max_doc: 1 } },
      400,
      'x_content_parse_exception',
      '[1:16] [rollover] failed to parse field [conditions]',
    ],
    [
      'a',
      { conditions: { max_age: 'x' } },
      400,
      'x_content_parse_exception',
      '[1:2] [rollover] failed to parse field [conditions]',
    ],
    [
      'a',
      { settings: { nope: 1 } },
      400,
      'illegal_argument_exception',
      'unknown setting [index.nope]',
    ],
  ])('of %s %j is refused, and nothing has changed', async (path, body, ...expected) => {
    await ok('PUT /_index_template/k', {
      index_patterns: ['d-*'],
      template: { aliases: { doubled: {} } },
    })
    await ok('PUT /d-1', { aliases: { doubled: {} } })
    await ok('PUT /logs-1', { aliases: { a: {}, both: {} } })
    await ok('PUT /plain', { aliases: { both: {}, word: {} } })
    const before = await aliasesOf()
    const line = path.includes('/') ? path : `${path}/_rollover`
    const [status, type, reason] = await failure(`POST /${line}`, body)
    expect([status, type]).toEqual(expected.slice(0, 2))
    expect(reason).toContain(String(expected[2]).replace(/^\[[\d:]+\] /, ''))
    expect(await aliasesOf()).toEqual(before)
  })

  it('is refused where the new name is taken, in a dry run too', async () => {
    await ok('PUT /logs-1', { aliases: { a: {} } })
    await ok('PUT /logs-000002')
    for (const dry of ['false', 'true'])
      expect(await failure(`POST /a/_rollover?dry_run=${dry}`)).toEqual([
        400,
        'resource_already_exists_exception',
        expect.stringMatching(/^index \[logs-000002\/.*\] already exists$/),
      ])
  })
})
