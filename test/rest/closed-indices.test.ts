import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../support/rest-calls.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** An index `name` whose field `t` goes through a stop filter without `fox`. */
const ANALYSIS = {
  filter: { few: { type: 'stop', stopwords: ['fox'] } },
  analyzer: { mine: { tokenizer: 'whitespace', filter: ['few'] } },
}
const MAPPINGS = {
  properties: { t: { type: 'text', analyzer: 'mine', search_analyzer: 'whitespace' } },
}

const make = async (rest: Rest, name: string, shards = 1): Promise<void> => {
  const settings = { number_of_shards: shards, analysis: ANALYSIS }
  const made = await rest.call(`PUT /${name}`, { settings, mappings: MAPPINGS })
  expect([made.status, made.json.error]).toEqual([200, undefined])
}

/** Sends a call that must succeed; its answer. */
const ok = (rest: Rest, line: string, body?: object | string) => okOf(() => rest)(line, body)

/** How many documents have a word. */
const total = async (rest: Rest, index: string, word: string): Promise<number> =>
  (await ok(rest, `GET /${index}/_search`, { query: { match: { t: word } } })).hits.total.value

const CLOSED = { type: 'index_closed_exception', reason: 'closed' }

describe('a closed index', () => {
  let rest: Rest

  beforeAll(async () => {
    rest = await openRest()
    await make(rest, 'open')
    await make(rest, 'shut')
    await rest.call('PUT /open/_doc/1?refresh', { t: 'hen' })
    await rest.call('PUT /shut/_doc/1?refresh', { t: 'hen' })
    expect(await ok(rest, 'POST /shut/_close')).toEqual({
      acknowledged: true,
      shards_acknowledged: true,
      indices: { shut: { closed: true } },
    })
  })
  afterAll(() => rest.close())

  it.each<[string, (object | string)?]>([
    ['GET /shut/_search'],
    ['GET /shut,open/_search', { query: { match_all: {} } }],
    ['GET /shut/_count'],
    ['POST /shut/_refresh'],
    ['POST /shut/_flush'],
    ['POST /shut/_forcemerge'],
    ['GET /shut/_stats'],
    ['GET /shut/_analyze', { text: 'a' }],
    ['GET /shut/_doc/1'],
    ['PUT /shut/_doc/2', { t: 'a' }],
    ['PUT /shut/_create/2', { t: 'a' }],
    ['DELETE /shut/_doc/1'],
    ['GET /*/_search?expand_wildcards=open,closed'],
  ])('refuses %s', async (line, body) => {
    const { status, json } = await rest.call(line, body)
    expect([status, json.error.type]).toEqual([400, 'index_closed_exception'])
    expect(json.error).toMatchObject({ ...CLOSED, index: 'shut' })
    expect(json.error.root_cause).toMatchObject([CLOSED])
  })

  it('fails its lines of a bulk and no others', async () => {
    const body = ndjson(
      { index: { _index: 'shut', _id: '9' } },
      { t: 'a' },
      { index: { _index: 'open', _id: '9' } },
      { t: 'a' },
    )
    const { errors, items } = await ok(rest, 'POST /_bulk?refresh', body)
    expect(errors).toBe(true)
    expect(items[0].index).toMatchObject({ status: 400, error: CLOSED })
    expect(items[1].index).toMatchObject({ status: 201 })
  })

  it('is passed over by patterns and by ignore_unavailable', async () => {
    expect((await ok(rest, 'GET /*/_count')).count).toBe(2)
    expect((await ok(rest, 'GET /_count')).count).toBe(2)
    expect((await ok(rest, 'GET /shut,open/_count?ignore_unavailable')).count).toBe(2)
    expect((await ok(rest, 'GET /s*/_count')).count).toBe(0)
    expect((await ok(rest, 'POST /_refresh'))._shards.total).toBe(2)
    expect(Object.keys((await ok(rest, 'GET /_stats')).indices)).toEqual(['open'])
    const stats = await ok(rest, 'GET /shut,open/_stats?forbid_closed_indices=false')
    expect(Object.keys(stats.indices)).toEqual(['shut', 'open'])
  })

  it('shows its settings, mappings and health, and that it was closed', async () => {
    expect(Object.keys(await ok(rest, 'GET /shut'))).toEqual(['shut'])
    expect((await ok(rest, 'GET /shut/_mapping')).shut.mappings).toEqual(MAPPINGS)
    const { settings } = (await ok(rest, 'GET /shut/_settings')).shut
    expect(settings.index.verified_before_close).toBe('true')
    expect(Object.keys(await ok(rest, 'GET /_settings'))).toEqual(['open', 'shut'])
    expect(Object.keys(await ok(rest, 'GET /*'))).toEqual(['open'])
    expect(Object.keys(await ok(rest, 'GET /*?expand_wildcards=closed'))).toEqual(['shut'])
    expect((await rest.call('HEAD /shut')).status).toBe(200)
    const health = await ok(rest, 'GET /_cluster/health?level=indices')
    expect(health.active_primary_shards).toBe(2)
    expect(health.indices.shut.status).toBe('yellow')
  })

  it('is not reached by a pattern that expands to nothing, which means no index', async () => {
    const none = 'expand_wildcards=none'
    expect(await ok(rest, `GET /s*/_mapping?${none}`)).toEqual({})
    const health = await ok(rest, `GET /_cluster/health/s*?${none}`)
    expect([health.status, health.active_shards, health.timed_out]).toEqual(['green', 0, false])
    for (const path of ['s*,open', 'gone', 's*'])
      expect((await rest.call(`GET /${path}/_mapping?${none}&allow_no_indices=false`)).status).toBe(
        404,
      )
    expect((await rest.call(`GET /gone/_mapping?${none}`)).status).toBe(404)
  })

  it('keeps its name and takes fields', async () => {
    const again = await rest.call('PUT /shut')
    expect([again.status, again.json.error.type]).toEqual([
      400,
      'resource_already_exists_exception',
    ])
    await ok(rest, 'PUT /shut/_mapping', { properties: { n: { type: 'long' } } })
    expect((await ok(rest, 'GET /shut/_mapping')).shut.mappings.properties.n.type).toBe('long')
  })

  it('closing it again does nothing, nor does opening an open one', async () => {
    const again = await ok(rest, 'POST /shut/_close')
    expect(again).toEqual({ acknowledged: true, shards_acknowledged: false, indices: {} })
    expect(await ok(rest, 'POST /open/_open')).toEqual({
      acknowledged: true,
      shards_acknowledged: true,
    })
  })

  it('answers again once it is open', async () => {
    await ok(rest, 'POST /shut/_open')
    expect(await total(rest, 'shut', 'hen')).toBe(1)
    expect((await ok(rest, 'GET /shut/_doc/1'))._source).toEqual({ t: 'hen' })
    await ok(rest, 'PUT /shut/_doc/3?refresh', { t: 'hen', n: 3 })
    expect(await total(rest, 'shut', 'hen')).toBe(2)
    const { settings } = (await ok(rest, 'GET /shut/_settings')).shut
    expect(settings.index.verified_before_close).toBeUndefined()
  })

  it.each([
    ['POST /_close', 'action_request_validation_exception', '1: index is missing;'],
    ['POST /_open', 'action_request_validation_exception', '1: index is missing;'],
    ['POST /open/_close?wait_for_active_shards=x', 'illegal_argument_exception', 'cannot parse'],
  ])('%s is refused', async (line, type, reason) => {
    const { status, json } = await rest.call(line)
    expect([status, json.error.type]).toEqual([400, type])
    expect(json.error.reason).toContain(reason)
  })

  it('missing names are errors, patterns without a match are not', async () => {
    for (const verb of ['_close', '_open']) {
      const missing = await rest.call(`POST /nope/${verb}`)
      expect([missing.status, missing.json.error.reason]).toEqual([404, 'no such index [nope]'])
      expect((await ok(rest, `POST /nope*/${verb}`)).acknowledged).toBe(true)
      const refused = await rest.call(`POST /nope*/${verb}?allow_no_indices=false`)
      expect(refused.status).toBe(404)
    }
  })

  it('closing may be forbidden, and patterns for it', async () => {
    const put = (key: string, value: boolean | null) =>
      ok(rest, 'PUT /_cluster/settings', { persistent: { [key]: value } })
    await put('cluster.indices.close.enable', false)
    const disabled = await rest.call('POST /open/_close')
    expect([disabled.status, disabled.json.error]).toMatchObject([
      500,
      {
        type: 'illegal_state_exception',
        reason:
          'index close is disabled - set [cluster.indices.close.enable: true] to enable it. NOTE: ' +
          'closed indices still consume a significant amount of diskspace',
      },
    ])
    await put('cluster.indices.close.enable', null)
    await put('action.destructive_requires_name', true)
    for (const line of ['POST /o*/_close', 'POST /_all/_open'])
      expect((await rest.call(line)).json.error.reason).toBe(
        'Wildcard expressions or all indices are not allowed',
      )
    await put('action.destructive_requires_name', null)
    expect(await total(rest, 'open', 'hen')).toBe(1)
  })

  it('opening counts against the shards that may be open', async () => {
    await ok(rest, 'POST /open/_close')
    await ok(rest, 'PUT /_cluster/settings', { persistent: { 'cluster.max_shards_per_node': 3 } })
    const refused = await rest.call('POST /open/_open')
    expect(refused.json.error).toMatchObject({
      type: 'validation_exception',
      reason:
        'Validation Failed: 1: this action would add [2] total shards, but this cluster currently has [2]/[3] maximum shards open;',
    })
    await ok(rest, 'PUT /_cluster/settings', {
      persistent: { 'cluster.max_shards_per_node': null },
    })
    await ok(rest, 'POST /_all/_open')
    expect(await total(rest, 'open', 'hen')).toBe(1)
  })

  it('can be deleted', async () => {
    await make(rest, 'doomed')
    await ok(rest, 'POST /doomed/_close')
    await ok(rest, 'DELETE /doomed')
    expect((await rest.call('HEAD /doomed')).status).toBe(404)
    await make(rest, 'doomed')
    expect(await total(rest, 'doomed', 'hen')).toBe(0)
    await ok(rest, 'DELETE /doomed')
  })
})

describe('settings of a closed index', () => {
  let rest: Rest

  beforeAll(async () => {
    rest = await openRest()
    await make(rest, 'i', 3)
    for (let i = 0; i < 9; i++) await ok(rest, `PUT /i/_doc/${i}`, { t: 'fox hen' })
    await ok(rest, 'POST /i/_refresh')
  })
  afterAll(() => rest.close())

  const change = (body: object) => rest.call('PUT /i/_settings', body)

  it('analysis is refused while it is open', async () => {
    const { uuid } = (await ok(rest, 'GET /i/_settings')).i.settings.index
    const { status, json } = await change({ analysis: { filter: { few: { stopwords: ['hen'] } } } })
    expect([status, json.error.type, json.error.reason]).toEqual([
      400,
      'illegal_argument_exception',
      `Can't update non dynamic settings [[index.analysis.filter.few.stopwords]] for open indices [[i/${uuid}]]`,
    ])
  })

  it('all targets have to be closed, or none is changed', async () => {
    await make(rest, 'other')
    await ok(rest, 'POST /i/_close')
    const { status } = await rest.call('PUT /i,other/_settings', {
      'index.analysis.filter.few.stopwords': ['hen'],
    })
    expect(status).toBe(400)
    const { analysis } = (await ok(rest, 'GET /i/_settings')).i.settings.index
    expect(analysis.filter.few.stopwords).toEqual(['fox'])
    await ok(rest, 'DELETE /other')
    await ok(rest, 'POST /i/_open')
  })

  it('a new chain holds for what is written and searched from then on, in all threads', async () => {
    expect(await total(rest, 'i', 'fox')).toBe(0)
    expect(await total(rest, 'i', 'hen')).toBe(9)
    await ok(rest, 'POST /i/_close')
    expect(
      await change({
        analysis: {
          filter: { few: { stopwords: ['hen'] } },
          analyzer: { added: { tokenizer: 'keyword' } },
        },
      }),
    ).toMatchObject({ status: 200, json: { acknowledged: true } })
    await ok(rest, 'POST /i/_open')
    // What was written before stays as it was analysed.
    expect(await total(rest, 'i', 'hen')).toBe(9)
    for (let i = 10; i < 19; i++) await ok(rest, `PUT /i/_doc/${i}`, { t: 'fox hen' })
    await ok(rest, 'POST /i/_refresh')
    expect(await total(rest, 'i', 'fox')).toBe(9)
    expect(await total(rest, 'i', 'hen')).toBe(9)
    const analyzed = await ok(rest, 'GET /i/_analyze', { analyzer: 'mine', text: 'fox hen' })
    expect(analyzed.tokens).toMatchObject([{ token: 'fox', position: 0 }])
    expect(
      (await ok(rest, 'GET /i/_analyze', { analyzer: 'added', text: 'a b' })).tokens,
    ).toHaveLength(1)
  })

  it.each<[object, string]>([
    [{ 'analysis.filter.few.type': 'nope' }, 'Unknown filter type [nope] for [few]'],
    [
      { 'analysis.analyzer.mine.tokenizer': 'nope' },
      'Custom Analyzer [mine] failed to find tokenizer under name [nope]',
    ],
    [
      { 'analysis.analyzer.mine.tokenizer': null, 'analysis.analyzer.mine.filter': null },
      'analyzer [mine] has not been configured in mappings',
    ],
    [{ 'index.number_of_shards': 2 }, 'final i setting [index.number_of_shards], not updateable'],
    [{ 'index.uuid': 'x' }, 'private index setting [index.uuid] can not be set explicitly'],
    [{ 'index.nope': 'x' }, 'unknown setting [index.nope]'],
  ])('%j is refused and leaves the old ones', async (body, reason) => {
    await ok(rest, 'POST /i/_close')
    const before = await ok(rest, 'GET /i/_settings')
    const { status, json } = await change(body)
    expect(status).toBe(400)
    expect(json.error.reason).toContain(reason)
    expect(await ok(rest, 'GET /i/_settings')).toEqual(before)
    await ok(rest, 'POST /i/_open')
    const { tokens } = await ok(rest, 'GET /i/_analyze', { analyzer: 'mine', text: 'a hen' })
    expect(tokens).toMatchObject([{ token: 'a' }])
  })

  it('other static settings take effect too, and routing stays as it was', async () => {
    await ok(rest, 'POST /i/_close')
    expect((await change({ 'mapping.ignore_malformed': true })).status).toBe(200)
    expect((await change({ number_of_routing_shards: 6 })).status).toBe(200)
    await ok(rest, 'PUT /i/_mapping', { properties: { n: { type: 'long' } } })
    await ok(rest, 'POST /i/_open')
    await ok(rest, 'PUT /i/_doc/bad?refresh', { n: 'x', t: 'fox' })
    expect(await total(rest, 'i', 'fox')).toBe(10)
    for (let i = 0; i < 9; i++) expect((await ok(rest, `GET /i/_doc/${i}`)).found).toBe(true)
  })

  it('dynamic settings may be changed as well', async () => {
    await ok(rest, 'POST /i/_close')
    expect((await change({ refresh_interval: '7s' })).status).toBe(200)
    await ok(rest, 'POST /i/_open')
    expect((await ok(rest, 'GET /i/_settings')).i.settings.index.refresh_interval).toBe('7s')
  })
})

describe('through a restart', () => {
  const folder = join(tempFolder('closed'), 'data')

  it('closed indices stay closed, with the settings that they were given', async () => {
    let rest = await openRest({}, folder)
    await make(rest, 'i', 2)
    await make(rest, 'open')
    for (let i = 0; i < 6; i++) await ok(rest, `PUT /i/_doc/${i}`, { t: 'fox hen' })
    await ok(rest, 'POST /i/_close')
    await ok(rest, 'PUT /i/_settings', { 'analysis.filter.few.stopwords': ['hen'] })
    await rest.close()

    rest = await openRest({}, folder)
    expect((await rest.call('GET /i/_search')).json.error).toMatchObject(CLOSED)
    expect(await total(rest, 'open', 'hen')).toBe(0)
    await ok(rest, 'POST /i/_open')
    expect(await total(rest, 'i', 'hen')).toBe(6)
    await ok(rest, 'PUT /i/_doc/9?refresh', { t: 'fox hen' })
    expect(await total(rest, 'i', 'fox')).toBe(1)
    await rest.close()

    rest = await openRest({}, folder)
    expect(await total(rest, 'i', 'hen')).toBe(6)
    expect(await total(rest, 'i', 'fox')).toBe(1)
    await ok(rest, 'PUT /i/_doc/10?refresh', { t: 'fox hen' })
    expect(await total(rest, 'i', 'fox')).toBe(2)
    await rest.close()
  })
})

describe('closing beside other calls', () => {
  it.each([null, join(tempFolder('beside'), 'data')])(
    'writes are acknowledged and there, or refused, in %s',
    async folder => {
      const rest = await openRest({}, folder)
      await make(rest, 'i', 2)
      const acknowledged: string[] = []
      const refused = new Set<string>()
      for (let round = 0; round < 5; round++) {
        const writes = Array.from({ length: 40 }, async (_, i) => {
          const id = `${round}-${i}`
          // Every second document brings a field, which makes a write wait for a metadata change.
          const body = i % 2 === 0 ? { t: 'hen' } : { t: 'hen', [`f${round}-${i}`]: i }
          if (i % 5 === 0) await new Promise(resolve => setImmediate(resolve))
          const { status, json } = await rest.call(`PUT /i/_doc/${id}`, body)
          if (status === 201) acknowledged.push(id)
          else refused.add(`${status} ${json.error.type}`)
        })
        const searches = Array.from({ length: 10 }, async () => {
          const { status, json } = await rest.call('GET /i/_search?size=100')
          if (status !== 200) refused.add(`${status} ${json.error.type}`)
        })
        const moves = [
          rest.call('POST /i/_close'),
          rest.call('POST /i/_open'),
          rest.call('POST /i/_close'),
          rest.call('POST /i/_open'),
        ]
        await Promise.all([...writes, ...searches, ...moves])
        await ok(rest, 'POST /i/_open')
      }
      expect([...refused].filter(each => each !== '400 index_closed_exception')).toEqual([])
      expect(acknowledged.length).toBeGreaterThan(0)
      for (const id of acknowledged)
        expect((await rest.call(`GET /i/_doc/${id}`)).json.found).toBe(true)
      await ok(rest, 'POST /i/_refresh')
      expect(await total(rest, 'i', 'hen')).toBeGreaterThanOrEqual(acknowledged.length)
      // Deleted while it moves, it is gone.
      await Promise.all([
        rest.call('POST /i/_close'),
        rest.call('POST /i/_open'),
        rest.call('DELETE /i'),
        rest.call('POST /i/_open'),
      ])
      expect((await rest.call('HEAD /i')).status).toBe(404)
      await make(rest, 'i')
      // Nor does a node that closes wait for what never ends.
      const last = [rest.call('POST /i/_close'), rest.call('POST /i/_open')]
      await rest.close()
      await Promise.all(last)
    },
  )
})
