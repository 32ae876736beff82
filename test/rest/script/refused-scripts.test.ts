import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureOf, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)

beforeAll(async () => {
  rest = await openRest()
  await ok('PUT /i/_doc/1?refresh', { n: 1 })
})
afterAll(() => rest.close())

describe('the language of a script', () => {
  it.each(['expression', 'mustache'])('%s changes no documents', async lang => {
    const script = { source: '1', lang }
    const calls: [string, object][] = [
      ['POST /_reindex', { source: { index: 'i' }, dest: { index: 'to' }, script }],
      [
        'POST /_reindex?wait_for_completion=false',
        { source: { index: 'i' }, dest: { index: 'to' }, script },
      ],
      ['POST /i/_update_by_query', { script }],
      ['POST /i/_update/1', { script }],
    ]
    for (const [call, body] of calls) {
      const { status, json } = await rest.call(call, body)
      const error =
        json.error.type === 'illegal_argument_exception' ? json.error.caused_by : json.error
      expect([call, status, error.type, error.reason, error.caused_by]).toEqual([
        call,
        400,
        'general_script_exception',
        `Failed to compile inline script [1] using lang [${lang}]`,
        {
          type: 'illegal_argument_exception',
          reason: `${lang} engine does not know how to handle script context [update]`,
        },
      ])
    }
    expect((await rest.call('HEAD /to')).status).toBe(404)
  })

  it('java is a name of painless in updates alone', async () => {
    const script = { source: 'ctx._source.n += 1', lang: 'java' }
    expect((await ok('POST /i/_update/1?refresh', { script })).result).toBe('updated')
    const { updated } = await ok('POST /i/_update_by_query?refresh', { script })
    expect(updated).toBe(1)
    expect((await ok('GET /i/_source/1')).n).toBe(3)
    const query = { script: { script: { source: 'true', lang: 'java' } } }
    const { status, json } = await rest.call('POST /i/_search', { query })
    const [root] = json.error.root_cause
    const reasons = JSON.stringify(json.error)
    expect([status, root.type]).toEqual([
      400,
      expect.stringMatching(/illegal_argument|query_shard/),
    ])
    expect(reasons).toContain('script_lang not supported [java]')
  })
})

describe('settings', () => {
  it('keep scripts from running in other contexts and of other types', async () => {
    const own = await openRest({
      'script.allowed_contexts': 'update',
      'script.allowed_types': 'inline',
    })
    const refused = failureOf(() => own)
    try {
      await own.call('PUT /i/_doc/1?refresh', { n: 1 })
      expect(
        (await own.call('POST /i/_update/1', { script: 'ctx._source.n = 2' })).json.result,
      ).toBe('updated')
      expect(await refused('POST /_scripts/painless/_execute', { script: '1' })).toEqual([
        400,
        'illegal_argument_exception',
        'cannot execute scripts using [painless_test] context',
      ])
      await own.call('PUT /_scripts/s', { script: { lang: 'painless', source: '1' } })
      const { status, json } = await own.call('POST /i/_update/1', { script: { id: 's' } })
      expect([status, json.error.reason]).toEqual([400, 'cannot execute [stored] scripts'])
    } finally {
      await own.close()
    }
  })

  it('let a context compile 75 sources at once unless they say otherwise', async () => {
    const own = await openRest()
    try {
      await own.call('PUT /i/_doc/1?refresh', { n: 1 })
      const run = (number: number): ReturnType<Rest['call']> =>
        own.call('POST /i/_update/1?retry_on_conflict=200', {
          script: `ctx._source.n = ${number}`,
        })
      expect((await run(0)).status).toBe(200)
      // A busy machine gives back one in four seconds.
      const answers = await Promise.all(Array.from({ length: 150 }, (_, i) => run(1 + i)))
      const refused = answers.filter(({ status }) => status === 429)
      expect(refused.length).toBeGreaterThan(0)
      expect(refused.length).toBeLessThanOrEqual(151 - 75)
      expect(answers.filter(({ status }) => status !== 429 && status !== 200)).toEqual([])
      for (const { json } of refused)
        expect(json.error.root_cause).toEqual([
          expect.objectContaining({
            type: 'circuit_breaking_exception',
            reason:
              '[script] Too many dynamic script compilations within, max: [75/5m]; please use indexed, or ' +
              'scripts with parameters instead; this limit can be changed by the ' +
              '[script.context.update.max_compilations_rate] setting',
          }),
        ])
      // One that is there costs nothing.
      expect((await run(0)).status).toBe(200)
    } finally {
      await own.close()
    }
  })

  it('bound how many sources a context compiles, not those that it has', async () => {
    await ok('PUT /_cluster/settings', {
      transient: { 'script.context.update.max_compilations_rate': '2/10m' },
    })
    const update = (source: string): [string, object] => ['POST /i/_update/1', { script: source }]
    try {
      await ok(...update('ctx._source.a = 1'))
      await ok(...update('ctx._source.a = 2'))
      const { status, json } = await rest.call(...update('ctx._source.a = 3'))
      const error =
        json.error.type === 'general_script_exception' ? json.error : json.error.caused_by
      expect([status, error.type, json.error.root_cause[0].type]).toEqual([
        429,
        'general_script_exception',
        'circuit_breaking_exception',
      ])
      expect(json.error.root_cause[0].reason).toBe(
        '[script] Too many dynamic script compilations within, max: [2/10m]; please use indexed, or ' +
          'scripts with parameters instead; this limit can be changed by the ' +
          '[script.context.update.max_compilations_rate] setting',
      )
      await ok(...update('ctx._source.a = 2'))
    } finally {
      await ok('PUT /_cluster/settings', {
        transient: { 'script.context.update.max_compilations_rate': null },
      })
    }
  })
})

describe('sources', () => {
  it.each([
    [
      "'a\\q'",
      "unexpected character ['a\\q]. The only valid escape sequences in strings starting with ['] are [\\\\] and [\\'].",
    ],
    ['params.a.x', 'dynamic getter [java.lang.Integer, x] not found'],
    ['params.a.x = 5', 'dynamic setter [java.lang.Integer, x] not found'],
  ])('%s', async (source, reason) => {
    const { status, json } = await rest.call('POST /_scripts/painless/_execute', {
      script: { source, params: { a: 1 } },
    })
    expect([status, json.error.type, json.error.caused_by.reason]).toEqual([
      400,
      'script_exception',
      reason,
    ])
  })
})
