import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../../support/rest-calls.ts'
import { tempFolder } from '../../support/temp-folder.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
beforeEach(() => rest.call('DELETE /_ingest/pipeline/*'))
afterAll(() => rest.close())

const SET = { processors: [{ set: { field: 'a', value: 1.0 } }] }

describe('ingest pipelines', () => {
  it('are shown as they were put', async () => {
    const text =
      '{"version":10,"description":"d","_meta":{"k":1.0},"processors":[{"set":{"value":1.0,"field":"a"}}],"on_failure":[{"drop":{}}]}'
    const put = await rest.call('PUT /_ingest/pipeline/p', text)
    expect([put.status, put.text]).toEqual([200, '{"acknowledged":true}'])
    const got = await rest.call('GET /_ingest/pipeline/p')
    expect([got.status, got.text]).toEqual([200, `{"p":${text}}`])
  })

  it('are replaced, whatever their versions', async () => {
    await rest.call('PUT /_ingest/pipeline/p', { version: 10, processors: [] })
    await rest.call('PUT /_ingest/pipeline/p', { version: 9, processors: [] })
    expect((await rest.call('GET /_ingest/pipeline/p')).json).toEqual({
      p: { version: 9, processors: [] },
    })
  })

  it('are found by lists and patterns of ids', async () => {
    for (const id of ['b1', 'b2', 'a']) await rest.call(`PUT /_ingest/pipeline/${id}`, SET)
    const ids = async (part: string): Promise<string[]> =>
      Object.keys((await rest.call(`GET /_ingest/pipeline${part}`)).json)
    expect(await ids('')).toEqual(['a', 'b1', 'b2'])
    expect(await ids('/*')).toEqual(['a', 'b1', 'b2'])
    expect(await ids('/b*')).toEqual(['b1', 'b2'])
    expect(await ids('/b2,a,none')).toEqual(['a', 'b2'])
  })

  it('answer 404 where none has the name', async () => {
    for (const part of ['/none', '/n*']) {
      const got = await rest.call(`GET /_ingest/pipeline${part}`)
      expect([got.status, got.text]).toEqual([404, '{}'])
    }
    expect((await rest.call('GET /_ingest/pipeline')).status).toBe(200)
  })

  it('are deleted by id and by pattern', async () => {
    for (const id of ['b1', 'b2', 'a']) await rest.call(`PUT /_ingest/pipeline/${id}`, SET)
    const gone = await rest.call('DELETE /_ingest/pipeline/b*')
    expect([gone.status, gone.text]).toEqual([200, '{"acknowledged":true}'])
    expect(Object.keys((await rest.call('GET /_ingest/pipeline')).json)).toEqual(['a'])
    for (const id of ['b1', 'b*']) {
      const missing = await rest.call(`DELETE /_ingest/pipeline/${id}`)
      expect(missing.status).toBe(404)
      expect(missing.json.error).toMatchObject({
        type: 'resource_not_found_exception',
        reason: `pipeline [${id}] is missing`,
      })
    }
    await rest.call('DELETE /_ingest/pipeline/*')
    expect((await rest.call('DELETE /_ingest/pipeline/*')).status).toBe(200)
  })

  it('that cannot be leave what was there', async () => {
    await rest.call('PUT /_ingest/pipeline/p', SET)
    const bad = await rest.call('PUT /_ingest/pipeline/p', {
      processors: [{ set: { tag: 'fritag' } }],
    })
    expect(bad.status).toBe(400)
    const error = {
      type: 'parse_exception',
      reason: '[field] required property is missing',
      processor_type: 'set',
      processor_tag: 'fritag',
      property_name: 'field',
    }
    expect(bad.json.error).toEqual({ root_cause: [error], ...error })
    expect((await rest.call('GET /_ingest/pipeline/p')).json.p.processors).toHaveLength(1)
  })

  it.each([
    ['[1]', 'a pipeline must be an object, found an array'],
    ['"x"', 'a pipeline must be an object, found a string'],
    [
      '{"processors":[],"invalid_field":{}}',
      "pipeline [p] doesn't support one or more provided configuration parameters [invalid_field]",
    ],
  ])('cannot be %s', async (body, reason) => {
    const answer = await rest.call('PUT /_ingest/pipeline/p', body)
    expect([answer.status, answer.json.error.type, answer.json.error.reason]).toEqual([
      400,
      'parse_exception',
      reason,
    ])
  })

  it('want a body', async () => {
    expect((await rest.call('PUT /_ingest/pipeline/p')).status).toBe(400)
  })

  it('have ids of any name, and processors of any name are looked for', async () => {
    for (const id of ['__proto__', 'constructor', 'ä%20b']) {
      expect((await rest.call(`PUT /_ingest/pipeline/${id}`, SET)).status).toBe(200)
      expect(Object.keys((await rest.call(`GET /_ingest/pipeline/${id}`)).json)).toHaveLength(1)
    }
  })

  it('are part of the cluster state and are counted', async () => {
    await rest.call('PUT /_ingest/pipeline/p', SET)
    const state = await rest.call('GET /_cluster/state/metadata')
    expect(state.json.metadata.ingest).toEqual({ pipeline: [{ id: 'p', config: SET }] })
    const stats = await rest.call('GET /_cluster/stats')
    expect(stats.json.nodes.ingest.number_of_pipelines).toBe(1)
    expect(Object.keys(stats.json.nodes.ingest.processor_stats)).toEqual(['set'])
    const nodes = Object.values((await rest.call('GET /_nodes/ingest')).json.nodes)
    expect((nodes[0] as { ingest: { processors: object[] } }).ingest.processors).toContainEqual({
      type: 'grok',
    })
  })
})

describe('the patterns of grok', () => {
  it('are shown by name, in their order or sorted', async () => {
    const { patterns } = (await rest.call('GET /_ingest/processor/grok')).json
    expect(patterns).toMatchObject({ PATH: '(?:%{UNIXPATH}|%{WINPATH})', USER: '%{USERNAME}' })
    const sorted = Object.keys(
      (await rest.call('GET /_ingest/processor/grok?s=true')).json.patterns,
    )
    expect(sorted).toEqual(Object.keys(patterns).sort())
  })
})

describe('pipelines on disk', () => {
  it('are there again after a restart, and run', async () => {
    const folder = tempFolder('pipelines')
    const first = await openRest({}, folder)
    await first.call('PUT /_ingest/pipeline/kept', SET)
    await first.call('PUT /_ingest/pipeline/gone', SET)
    await first.call('DELETE /_ingest/pipeline/gone')
    await first.close()
    const second = await openRest({}, folder)
    expect((await second.call('GET /_ingest/pipeline')).text).toBe(
      '{"kept":{"processors":[{"set":{"field":"a","value":1}}]}}',
    )
    await second.call('PUT /i/_doc/1?pipeline=kept', {})
    expect((await second.call('GET /i/_source/1')).json).toEqual({ a: 1 })
    await second.close()
  })
})

describe('settings of ingest', () => {
  it.each(['index.default_pipeline', 'index.final_pipeline'])('%s is not empty', async key => {
    const answer = await rest.call('PUT /settings', { settings: { [key]: '' } })
    expect([answer.status, answer.json.error.reason]).toEqual([
      400,
      `Value for [${key}] must be a non-empty string.`,
    ])
  })

  it('bound the number of processors', async () => {
    const limit = (value: number | null): Promise<unknown> =>
      rest.call('PUT /_cluster/settings', {
        persistent: { 'cluster.ingest.max_number_processors': value },
      })
    await limit(2)
    const processors = [{ drop: { on_failure: [{ drop: {} }] } }]
    expect((await rest.call('PUT /_ingest/pipeline/p', { processors })).status).toBe(200)
    const answer = await rest.call('PUT /_ingest/pipeline/p', {
      processors,
      on_failure: [{ drop: {} }],
    })
    expect([answer.status, answer.json.error.reason]).toEqual([
      400,
      'Cannot use more than the maximum processors allowed. Number of processors being configured ' +
        'is [3] which exceeds the maximum allowed configuration of [2] processors.',
    ])
    await limit(null)
  })

  it('bound the time of a match', async () => {
    const own = await openRest({ 'ingest.grok.watchdog.max_execution_time': '200ms' })
    const grok = { field: 'm', patterns: ['^(?:a+)+$'] }
    const { json } = await own.call('POST /_ingest/pipeline/_simulate', {
      pipeline: { processors: [{ grok }] },
      docs: [{ _source: { m: `${'a'.repeat(40)}!` } }],
    })
    expect(json.docs[0].error.reason).toBe('grok pattern matching was interrupted after [200] ms')
    await own.close()
  })

  it('let others go on while a match takes its time', async () => {
    await rest.call('PUT /_ingest/pipeline/slow', {
      processors: [{ grok: { field: 'm', patterns: ['^(?:a+)+$'] } }],
    })
    let isOver = false
    const slow = rest
      .call('PUT /others/_doc/1?pipeline=slow', { m: `${'a'.repeat(40)}!` })
      .finally(() => {
        isOver = true
      })
    for (let id = 2; id < 20; id++)
      expect((await rest.call(`PUT /others/_doc/${id}`, {})).status).toBe(201)
    expect(isOver).toBe(false)
    expect((await slow).status).toBe(400)
  })
})
