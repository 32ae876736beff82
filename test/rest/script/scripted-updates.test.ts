import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { failureOf, ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

const ok = okOf(() => rest)
const failure = failureOf(() => rest)

const sourceOf = async (id: string): Promise<unknown> => (await ok(`GET /i/_doc/${id}`))._source

beforeEach(async () => {
  await rest.call('DELETE /i')
  await ok('PUT /i/_doc/1?routing=r', { n: 1, tags: ['a'], o: { x: 1.5 } })
})

const update = (script: unknown): ReturnType<typeof ok> =>
  ok('POST /i/_update/1?routing=r', { script })

describe('an update by script', () => {
  it('changes the source, with parameters, in painless and its other name', async () => {
    const source = 'ctx._source.n += params.by; ctx._source.tags.add(ctx._id + ctx._routing)'
    const found = await update({ source, params: { by: 2 } })
    expect([found.result, found._version]).toEqual(['updated', 2])
    await update({ source: 'ctx._source.o.x *= 2', lang: 'java' })
    expect((await ok('GET /i/_doc/1?routing=r'))._source).toEqual({
      n: 3,
      tags: ['a', '1r'],
      o: { x: 3 },
    })
  })

  it('keeps the kinds of numbers', async () => {
    await update('ctx._source.d = 1.0; ctx._source.l = 9007199254740993L')
    const { json } = await rest.call('GET /i/_source/1?routing=r')
    expect(JSON.stringify(json)).toContain('"d":1')
    const found = await ok('POST /i/_update/1?routing=r', {
      script: "ctx._source.t = '' + ctx._source.d + ctx._source.l + ctx._source.n",
      _source: true,
    })
    expect(found.get._source.t).toBe('1.090071992547409931')
  })

  it.each([
    ["ctx.op = 'none'", 'noop', 1],
    ["ctx.op = 'noop'", 'noop', 1],
    ["ctx.op = 'bogus'", 'noop', 1],
    ['ctx.op = null', 'noop', 1],
    ["ctx.op = 'delete'", 'deleted', 2],
    ['ctx._version = 7; ctx._id = "x"', 'updated', 2],
  ])('does what %s says', async (source, result, version) => {
    const found = await update(source)
    expect([found._id, found.result, found._version]).toEqual(['1', result, version])
    const { status } = await rest.call('GET /i/_doc/1?routing=r')
    expect(status).toBe(result === 'deleted' ? 404 : 200)
  })

  it('puts the upsert where there is no document, through the script where it is asked to', async () => {
    const script = 'ctx._source.n = 5; ctx._source.op = ctx.op; ctx._source.keys = ctx.size()'
    await ok('POST /i/_update/2', { script, upsert: { a: 1 } })
    expect(await sourceOf('2')).toEqual({ a: 1 })
    await ok('POST /i/_update/3', { script, upsert: { a: 1 }, scripted_upsert: true })
    expect(await sourceOf('3')).toEqual({ a: 1, n: 5, op: 'create', keys: 3 })
    const none = await ok('POST /i/_update/4', {
      script: "ctx.op = 'none'",
      upsert: {},
      scripted_upsert: true,
    })
    expect(none.result).toBe('noop')
    expect((await rest.call('GET /i/_doc/4')).status).toBe(404)
    expect(await failure('POST /i/_update/5', { script: '' })).toEqual([
      404,
      'document_missing_exception',
      '[5]: document missing',
    ])
  })

  it('uses stored scripts', async () => {
    await ok('PUT /_scripts/plus', {
      script: { lang: 'painless', source: 'ctx._source.n += params.by' },
    })
    await update({ id: 'plus', params: { by: 4 } })
    expect((await ok('GET /i/_doc/1?routing=r'))._source.n).toBe(5)
    const { json } = await rest.call('POST /i/_update/1?routing=r', { script: { id: 'plus' } })
    expect(json.error.caused_by).toMatchObject({ type: 'script_exception', script: 'plus' })
  })

  it('runs again where another write came between', async () => {
    const calls = Array.from({ length: 20 }, () =>
      ok('POST /i/_update/1?routing=r&retry_on_conflict=20', { script: 'ctx._source.n++' }),
    )
    await Promise.all(calls)
    expect((await ok('GET /i/_doc/1?routing=r'))._source.n).toBe(21)
  })

  it('stands in a bulk, each with its own outcome', async () => {
    const { items } = await ok(
      'POST /i/_bulk?routing=r',
      ndjson(
        { update: { _id: '1' } },
        { script: { source: 'ctx._source.n = 7' } },
        { update: { _id: '1' } },
        { script: 'ctx._source.n = ' },
        { update: { _id: '1' } },
        { script: "ctx._source.n++; ctx._source.m = 'x'" },
        { update: { _id: '9' } },
        { script: '', upsert: { n: 0 } },
      ),
    )
    const outcomes = items.map(
      ({ update }: { update: { result?: string; error: { type: string } } }) =>
        update.result ?? update.error.type,
    )
    expect(outcomes).toEqual(['updated', 'illegal_argument_exception', 'updated', 'created'])
    const { n, m } = (await ok('GET /i/_doc/1?routing=r'))._source
    expect([n, m]).toEqual([8, 'x'])
  })
})

describe('a refused update', () => {
  it.each([
    [{ script: 'ctx._source.n = ' }, 400, 'illegal_argument_exception', 'failed to execute script'],
    [{ script: 'params.x = 1' }, 400, 'illegal_argument_exception', 'failed to execute script'],
    [
      { script: 'for (;;) {ctx._source.n++;}' },
      400,
      'illegal_argument_exception',
      'failed to execute script',
    ],
    [
      { script: '', doc: {} },
      400,
      'action_request_validation_exception',
      "Validation Failed: 1: can't provide both script and doc;",
    ],
    [
      {},
      400,
      'action_request_validation_exception',
      'Validation Failed: 1: script or doc is missing;',
    ],
    [
      { script: {} },
      400,
      'illegal_argument_exception',
      'must specify either [source] for an inline script or [id] for a stored script',
    ],
    [
      { script: { source: 'a', id: 'b' } },
      400,
      'illegal_argument_exception',
      'must only use one of [source, id] when specifying a script',
    ],
    [
      { script: { id: 'b', lang: 'painless' } },
      400,
      'illegal_argument_exception',
      'illegally specified <lang> for a stored script',
    ],
    [
      { script: { id: 'b' } },
      404,
      'resource_not_found_exception',
      'unable to find script [b] in cluster state',
    ],
    [
      { script: { source: '1', lang: 'expression' } },
      400,
      'general_script_exception',
      'Failed to compile inline script [1] using lang [expression]',
    ],
    [
      { script: { source: '1', lang: 'groovy' } },
      400,
      'illegal_argument_exception',
      'script_lang not supported [groovy]',
    ],
    [
      { script: { source: 'x'.repeat(65_536) } },
      400,
      'illegal_argument_exception',
      `exceeded max allowed inline script size in bytes [65535] with size [65536] for script [${'x'.repeat(65_536)}]`,
    ],
  ])('%# answers %j', async (body, status, type, reason) => {
    expect(await failure('POST /i/_update/1?routing=r', body)).toEqual([status, type, reason])
    expect((await ok('GET /i/_doc/1?routing=r'))._version).toBe(1)
  })

  it('tells where the script failed, and why', async () => {
    const { json } = await rest.call('POST /i/_update/1?routing=r', { script: 'params.that = 3' })
    expect(json.error.caused_by).toEqual({
      type: 'script_exception',
      reason: 'runtime error',
      script_stack: ['params.that = 3', '      ^---- HERE'],
      script: 'params.that = 3',
      lang: 'painless',
      position: { offset: 6, start: 0, end: 15 },
      caused_by: { type: 'unsupported_operation_exception', reason: expect.any(String) },
    })
  })

  it.each([
    ['ctx._source = null', 'null'],
    ['ctx._source = [1]', 'java.util.ArrayList'],
    ["ctx.remove('_source')", 'null'],
  ])('that takes the source away by %s leaves the document alone', async (script, type) => {
    const { status, json } = await rest.call('POST /i/_update/1?routing=r', { script })
    expect([status, json.error.caused_by.reason]).toEqual([
      400,
      `the script left [_source] of type [${type}]; it must be a map`,
    ])
    expect((await ok('GET /i/_doc/1?routing=r'))._source.n).toBe(1)
    const dropped = await update(`${script}; ctx.op = 'none'`)
    expect(dropped.result).toBe('noop')
  })

  it('that makes a document hold itself leaves it alone', async () => {
    const { json } = await rest.call('POST /i/_update/1?routing=r', {
      script: 'ctx._source.self = ctx._source',
    })
    expect(json.error.caused_by.reason).toBe('Iterable object is self-referencing itself')
  })
})

it('scripts can be forbidden', async () => {
  const strict = await openRest({ 'script.allowed_types': 'none' })
  try {
    await strict.call('PUT /i/_doc/1', { n: 1 })
    const { status, json } = await strict.call('POST /i/_update/1', { script: 'ctx._source.n = 2' })
    expect([status, json.error.reason]).toEqual([400, 'cannot execute [inline] scripts'])
  } finally {
    await strict.close()
  }
})
