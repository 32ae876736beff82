import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failureOf, okOf, openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)
const ACK = { acknowledged: true }

beforeEach(async () => {
  await ok('DELETE /*')
  for (const kind of ['_index_template', '_component_template', '_template'])
    await rest.call(`DELETE /${kind}/*`)
})

describe('component templates', () => {
  it('are put, shown with nested or flat settings, found by patterns, and deleted', async () => {
    const template = {
      settings: { number_of_shards: 2, index: { refresh_interval: '5s' } },
      mappings: { properties: { a: { type: 'keyword' } } },
      aliases: { x: { routing: '1' } },
    }
    expect(
      await ok('PUT /_component_template/one', { template, version: 3, _meta: { by: 'me' } }),
    ).toEqual(ACK)
    await ok('POST /_component_template/two', { template: {}, deprecated: true })
    const one = {
      name: 'one',
      component_template: {
        template: {
          settings: { index: { number_of_shards: '2', refresh_interval: '5s' } },
          mappings: { properties: { a: { type: 'keyword' } } },
          aliases: { x: { index_routing: '1', search_routing: '1' } },
        },
        version: 3,
        _meta: { by: 'me' },
      },
    }
    const two = { name: 'two', component_template: { template: {}, deprecated: true } }
    expect(await ok('GET /_component_template')).toEqual({ component_templates: [one, two] })
    expect(await ok('GET /_component_template/o*')).toEqual({ component_templates: [one] })
    expect(await ok('GET /_component_template/none*')).toEqual({ component_templates: [] })
    const flat = await ok('GET /_component_template/one?flat_settings')
    expect(flat.component_templates[0].component_template.template.settings).toEqual({
      'index.number_of_shards': '2',
      'index.refresh_interval': '5s',
    })
    expect((await rest.call('HEAD /_component_template/one')).status).toBe(200)
    expect((await rest.call('HEAD /_component_template/none')).status).toBe(404)
    expect(await ok('DELETE /_component_template/one')).toEqual(ACK)
    expect((await rest.call('HEAD /_component_template/one')).status).toBe(404)
  })

  it.each<[string, string, object | undefined, number, string, string]>([
    [
      'GET',
      'none',
      undefined,
      404,
      'resource_not_found_exception',
      'component template matching [none] not found',
    ],
    [
      'DELETE',
      'none',
      undefined,
      404,
      'index_template_missing_exception',
      'index_template [none] missing',
    ],
    ['PUT', 'c', {}, 400, 'illegal_argument_exception', 'Required [template]'],
    [
      'PUT',
      'c',
      { template: {}, templat: 1 },
      400,
      'x_content_parse_exception',
      '[1:16] [component_template] unknown field [templat] did you mean [template]?',
    ],
    [
      'PUT',
      'c',
      { template: { settings: { number_of_shard: 1 } } },
      400,
      'illegal_argument_exception',
      'unknown setting [index.number_of_shard] did you mean [index.number_of_shards]?',
    ],
  ])('%s %s refuses %j', async (method, name, body, status, type, reason) => {
    expect(await failure(`${method} /_component_template/${name}`, body)).toEqual([
      status,
      type,
      reason,
    ])
  })

  it('are neither made twice with create, nor deleted while they are in use', async () => {
    await ok('PUT /_component_template/c', { template: {} })
    expect(await failure('PUT /_component_template/c?create=true', { template: {} })).toEqual([
      400,
      'illegal_argument_exception',
      'component template [c] already exists',
    ])
    await ok('PUT /_index_template/t', { index_patterns: ['t*'], composed_of: ['c'] })
    expect(await failure('DELETE /_component_template/c')).toEqual([
      400,
      'illegal_argument_exception',
      'component templates [c] cannot be removed as they are still in use by index templates [t]',
    ])
  })

  it('are not changed so that a template that uses them becomes invalid', async () => {
    await ok('PUT /_component_template/c', { template: {} })
    const mappings = { properties: { f: { type: 'text', analyzer: 'mine' } } }
    const settings = { analysis: { analyzer: { mine: { tokenizer: 'standard' } } } }
    await ok('PUT /_component_template/d', { template: { settings } })
    await ok('PUT /_index_template/t', {
      index_patterns: ['t*'],
      composed_of: ['d'],
      template: { mappings },
    })
    expect(await failure('PUT /_component_template/d', { template: {} })).toEqual([
      400,
      'illegal_argument_exception',
      'updating component template [d] results in invalid composable template [t] after templates are merged',
    ])
  })
})

describe('index templates', () => {
  it('are put, shown and deleted', async () => {
    await ok('PUT /_component_template/c', { template: {} })
    const body = {
      index_patterns: ['logs-*'],
      composed_of: ['c'],
      priority: '7',
      template: { settings: { number_of_replicas: 0 } },
      allow_auto_create: true,
    }
    expect(await ok('PUT /_index_template/logs', body)).toEqual(ACK)
    await ok('PUT /_index_template/plain', { index_patterns: 'p*' })
    expect(await ok('GET /_index_template')).toEqual({
      index_templates: [
        {
          name: 'logs',
          index_template: {
            index_patterns: ['logs-*'],
            template: { settings: { index: { number_of_replicas: '0' } } },
            composed_of: ['c'],
            priority: 7,
            allow_auto_create: true,
          },
        },
        { name: 'plain', index_template: { index_patterns: ['p*'], composed_of: [] } },
      ],
    })
    expect(await ok('DELETE /_index_template/logs')).toEqual(ACK)
    expect(await failure('GET /_index_template/logs')).toEqual([
      404,
      'resource_not_found_exception',
      'index template matching [logs] not found',
    ])
    expect(await failure('DELETE /_index_template/logs')).toEqual([
      404,
      'index_template_missing_exception',
      'index_template [logs] missing',
    ])
  })

  it.each<[string, object, string, string]>([
    ['t', { priority: 1 }, 'illegal_argument_exception', 'Required [index_patterns]'],
    [
      't',
      { index_patterns: ['a'], priorit: 1 },
      'x_content_parse_exception',
      '[1:25] [index_template] unknown field [priorit] did you mean [priority]?',
    ],
    [
      't',
      { index_patterns: ['a'], composed_of: ['x', 'y'] },
      'invalid_index_template_exception',
      'index_template [t] invalid, cause [index template [t] specifies component templates [x, y] that do not exist]',
    ],
    [
      't',
      { index_patterns: ['a'], priority: -1 },
      'illegal_argument_exception',
      'index template priority must be >= 0',
    ],
    [
      '_t',
      { index_patterns: ['_a b'] },
      'invalid_index_template_exception',
      "index_template [_t] invalid, cause [Validation Failed: 1: name must not start with '_';2: index_patterns must not contain a space;3: index_pattern must not start with '_';]",
    ],
    [
      't',
      { index_patterns: ['*'], template: { settings: { hidden: true } } },
      'invalid_index_template_exception',
      'index_template [t] invalid, cause [global composable templates may not specify the setting index.hidden]',
    ],
    [
      't',
      { index_patterns: ['a'], template: { mappings: { properties: { f: { type: 'odd' } } } } },
      'illegal_argument_exception',
      'composable template [t] template after composition is invalid',
    ],
  ])('named %s refuse %j', async (name, body, type, reason) => {
    expect(await failure(`PUT /_index_template/${name}`, body)).toEqual([400, type, reason])
  })

  it('give way to flags of nested objects that the request switches off', async () => {
    const nested = (flags: object): object => ({
      properties: { o: { properties: { n: { type: 'nested', ...flags } } } },
    })
    await ok('PUT /_index_template/t', {
      index_patterns: ['t*'],
      template: { mappings: nested({ include_in_root: true }) },
    })
    await ok('PUT /t1', {
      mappings: nested({ include_in_root: false, include_in_parent: true }),
    })
    expect((await ok('GET /t1/_mapping')).t1.mappings.properties.o.properties.n).toEqual({
      type: 'nested',
      include_in_parent: true,
    })
    await ok('PUT /t2', { mappings: nested({}) })
    expect((await ok('GET /t2/_mapping')).t2.mappings.properties.o.properties.n).toEqual({
      type: 'nested',
      include_in_root: true,
    })
  })

  it('of one priority may not match the shortest name of each other', async () => {
    await ok('PUT /_index_template/a', { index_patterns: ['x-*', 'foo*'] })
    expect(await failure('PUT /_index_template/b', { index_patterns: ['x*y*', 'x-y-*'] })).toEqual([
      400,
      'illegal_argument_exception',
      'index template [b] has index patterns [x*y*, x-y-*] matching patterns from existing templates [a] with patterns (a => [x-*, foo*]) that have the same priority [0], multiple index templates may not match during index creation, please use a different priority',
    ])
    await ok('PUT /_index_template/b', { index_patterns: ['*-y'], priority: 1 })
    // Both match `x-z`: the first by name is taken.
    await ok('PUT /_index_template/d', {
      index_patterns: ['*-z'],
      template: { aliases: { 'of-d': {} } },
    })
    expect((await ok('POST /_index_template/_simulate_index/x-z')).template.aliases).toEqual({})
    await ok('PUT /_index_template/c', { index_patterns: ['z-*'] })
    await ok('PUT /_index_template/a', { index_patterns: ['x-*'] })
    expect((await failure('PUT /_index_template/a?create', { index_patterns: ['x-*'] }))[2]).toBe(
      'index template [a] already exists',
    )
  })

  it('warn of deprecated parts', async () => {
    await ok('PUT /_component_template/old', { template: {}, deprecated: true })
    const body = { index_patterns: ['a*'], composed_of: ['old'] }
    const { headers } = await rest.call('PUT /_index_template/t', body)
    expect(headers['warning']).toMatch(
      /^299 .* "index template \[t\] uses deprecated component template \[old\]"$/,
    )
  })

  it('give a new index their layers, over which the request wins', async () => {
    await ok('PUT /_component_template/one', {
      template: {
        settings: { number_of_shards: 2, refresh_interval: '5s', number_of_replicas: 0 },
        mappings: {
          dynamic: 'strict',
          _meta: { a: 1 },
          properties: { o: { properties: { x: { type: 'keyword' } } }, f: { type: 'long' } },
          dynamic_templates: [{ d: { match: 'x', mapping: { type: 'keyword' } } }],
        },
        aliases: { all: {}, '{index}-alias': { filter: { term: { _index: '{index}' } } } },
      },
    })
    await ok('PUT /_component_template/two', {
      template: {
        settings: { number_of_shards: 3 },
        mappings: {
          properties: { 'o.y': { type: 'long' }, f: { type: 'text', store: false } },
          dynamic_templates: [{ d: { match: 'y', mapping: { type: 'long' } } }],
        },
      },
    })
    await ok('PUT /_index_template/low', {
      index_patterns: ['*'],
      template: { aliases: { no: {} } },
    })
    await ok('PUT /_index_template/t', {
      index_patterns: ['t-*'],
      priority: 5,
      composed_of: ['one', 'two'],
      template: {
        settings: { 'index.refresh_interval': '7s' },
        aliases: { all: { routing: 'r' } },
      },
    })
    await ok('PUT /t-1', {
      settings: { refresh_interval: null, hidden: false },
      mappings: { properties: { f: { type: 'keyword' } } },
    })
    const made = (await ok('GET /t-1'))['t-1']
    expect(made.settings.index).toMatchObject({ number_of_shards: '3', number_of_replicas: '0' })
    expect(made.settings.index.refresh_interval).toBeUndefined()
    expect(made.mappings).toEqual({
      dynamic: 'strict',
      _meta: { a: 1 },
      dynamic_templates: [{ d: { match: 'y', mapping: { type: 'long' } } }],
      properties: {
        f: { type: 'keyword' },
        o: { properties: { x: { type: 'keyword' }, y: { type: 'long' } } },
      },
    })
    expect(made.aliases).toEqual({
      all: { index_routing: 'r', search_routing: 'r' },
      't-1-alias': { filter: { term: { _index: 't-1' } } },
    })
    await ok('PUT /t-2/_doc/1', { f: 'x' })
    expect((await ok('GET /t-2'))['t-2'].settings.index.number_of_shards).toBe('3')
  })

  it('allow or forbid that a write makes an index', async () => {
    await ok('PUT /_cluster/settings', { transient: { 'action.auto_create_index': 'false' } })
    expect((await failure('PUT /yes-1/_doc/1', {}))[2]).toBe(
      'no such index [yes-1] and [action.auto_create_index] is [false]',
    )
    await ok('PUT /_index_template/y', { index_patterns: ['yes-*'], allow_auto_create: true })
    await ok('PUT /yes-1/_doc/1', {})
    await ok('PUT /_cluster/settings', { transient: { 'action.auto_create_index': null } })
    await ok('PUT /_index_template/n', { index_patterns: ['no-*'], allow_auto_create: false })
    expect(await failure('PUT /no-1/_doc/1', {})).toEqual([
      404,
      'index_not_found_exception',
      'no such index [no-1] and composable template [n] forbids index auto creation',
    ])
  })
})

describe('simulation', () => {
  beforeEach(async () => {
    await ok('PUT /_component_template/c', { template: { settings: { number_of_shards: 2 } } })
    await ok('PUT /_index_template/t', {
      index_patterns: ['t-*'],
      composed_of: ['c'],
      template: { aliases: { '{index}-a': {} } },
    })
    await ok('PUT /_template/old', { index_patterns: ['t-1*'] })
  })

  it('of an index shows what it would get, with its name', async () => {
    expect(await ok('POST /_index_template/_simulate_index/t-1')).toEqual({
      template: {
        settings: { index: { number_of_shards: '2' } },
        mappings: {},
        aliases: { 't-1-a': {} },
      },
      overlapping: [{ name: 'old', index_patterns: ['t-1*'] }],
    })
    expect(await ok('POST /_index_template/_simulate_index/other')).toEqual({})
  })

  it('of an index considers a definition as if it were stored', async () => {
    const body = {
      index_patterns: ['t-*'],
      priority: 9,
      template: { settings: { codec: 'default' } },
    }
    expect(await ok('POST /_index_template/_simulate_index/t-1', body)).toEqual({
      template: { settings: { index: { codec: 'default' } }, mappings: {}, aliases: {} },
      overlapping: [
        { name: 'old', index_patterns: ['t-1*'] },
        { name: 't', index_patterns: ['t-*'] },
      ],
    })
    expect((await ok('GET /_index_template')).index_templates).toHaveLength(1)
  })

  it('of a template shows it without a name, stored or as it is given', async () => {
    expect((await ok('POST /_index_template/_simulate/t')).template.aliases).toEqual({
      '{index}-a': {},
    })
    const body = {
      index_patterns: ['q'],
      template: { mappings: { properties: { f: { type: 'ip' } } } },
    }
    expect((await failure('POST /_index_template/_simulate/t', { index_patterns: [] }))[2]).toBe(
      'Required [index_patterns]',
    )
    expect((await rest.call('POST /_index_template/_simulate', body)).status).toBeLessThan(500)
    expect(await failure('POST /_index_template/_simulate/none')).toEqual([
      400,
      'illegal_argument_exception',
      'unable to simulate template [none] that does not exist',
    ])
  })
})

describe('legacy templates', () => {
  it('are put, shown with all their parts, and deleted', async () => {
    await ok('PUT /_template/a', {
      index_patterns: ['a*'],
      order: 2,
      settings: { number_of_shards: 2 },
      mappings: { properties: { f: { type: 'long' } } },
    })
    expect(await ok('GET /_template/a')).toEqual({
      a: {
        order: 2,
        index_patterns: ['a*'],
        settings: { index: { number_of_shards: '2' } },
        mappings: { properties: { f: { type: 'long' } } },
        aliases: {},
      },
    })
    const missing = await rest.call('GET /_template/none')
    expect([missing.status, missing.json]).toEqual([404, {}])
    expect((await rest.call('HEAD /_template/a')).status).toBe(200)
    expect((await failure('PUT /_template/a?create', { index_patterns: ['a*'] }))[2]).toBe(
      'index_template [a] already exists',
    )
    await ok('DELETE /_template/a')
    expect(await failure('DELETE /_template/a')).toEqual([
      404,
      'index_template_missing_exception',
      'index_template [a] missing',
    ])
    expect(await failure('PUT /_template/b', {})).toEqual([
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: index patterns are missing;',
    ])
    expect(
      (await failure('PUT /_template/b', { index_patterns: ['x'], aliases: { x: {} } }))[2],
    ).toBe('Alias [x] cannot be the same as any pattern in [x]')
  })

  it('are laid over each other by order, where no index template matches', async () => {
    const put = (name: string, order: number, settings: object) =>
      ok(`PUT /_template/${name}`, { index_patterns: ['l-*'], order, settings })
    await put('high', 9, { number_of_shards: 4 })
    await put('low', 1, { number_of_shards: 2, refresh_interval: '9s' })
    await ok('PUT /l-1')
    const { index } = (await ok('GET /l-1/_settings'))['l-1'].settings
    expect([index.number_of_shards, index.refresh_interval]).toEqual(['4', '9s'])
    await ok('PUT /_index_template/t', { index_patterns: ['l-*'] })
    await ok('PUT /l-2')
    expect((await ok('GET /l-2/_settings'))['l-2'].settings.index.number_of_shards).toBe('1')
  })
})

it('keeps templates over a restart', async () => {
  const folder = tempFolder('templates')
  const first = await openRest({}, folder)
  await ok('PUT /_component_template/c', { template: { aliases: { x: { routing: 'r' } } } }, first)
  const body = { index_patterns: ['a*'], composed_of: ['c'], data_stream: {}, version: 4 }
  await ok('PUT /_index_template/t', body, first)
  await ok(
    'PUT /_template/l',
    { index_patterns: ['b*'], settings: { 'index.codec': 'default' } },
    first,
  )
  const shown = async (on: Rest) =>
    await Promise.all(
      ['_component_template', '_index_template', '_template'].map(kind =>
        ok(`GET /${kind}`, undefined, on),
      ),
    )
  const before = await shown(first)
  expect(before[1].index_templates[0].index_template.data_stream).toEqual({
    timestamp_field: { name: '@timestamp' },
  })
  await first.close()
  const second = await openRest({}, folder)
  expect(await shown(second)).toEqual(before)
  await second.close()
})
