import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LogLine } from '../../src/engine/api/log-line.ts'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
const lines: LogLine[] = []

beforeAll(async () => {
  rest = await openRest({}, null, { onLog: line => lines.push(line) })
  await rest.call('PUT /i', { settings: { 'index.refresh_interval': '-1' } })
  await rest.call('PUT /i/_doc/1?refresh', { t: 'sea' })
})
beforeEach(() => {
  lines.length = 0
})
afterAll(() => rest.close())

const SEARCH = 'index.search.slowlog'
const INDEXING = 'index.indexing.slowlog'
const set = async (settings: object): Promise<void> => {
  const { status, text } = await rest.call('PUT /i/_settings', settings)
  expect(status, text).toBe(200)
}
const noThresholds = (log: string, work: string): object =>
  Object.fromEntries(
    ['warn', 'info', 'debug', 'trace'].map(level => [`${log}.threshold.${work}.${level}`, null]),
  )
const TOOK = 'took\\[[0-9.]+(nanos|micros|ms|s)\\], took_millis\\[\\d+\\], '

describe('slow logs of searches', () => {
  it('tell the query and the fetch of each shard that took longer than a threshold', async () => {
    await set({ [`${SEARCH}.threshold.query.warn`]: '0ms', [`${SEARCH}.threshold.fetch.info`]: 0 })
    const body = { query: { match: { t: 'sea' } }, stats: ['a', 'b'] }
    await rest.call('POST /i/_search', body, { 'x-opaque-id': 'me' })
    expect(lines.map(({ logger, level }) => [logger, level])).toEqual([
      ['index.search.slowlog.query', 'WARN'],
      ['index.search.slowlog.fetch', 'INFO'],
    ])
    const details =
      'total_hits\\[1 hits\\], stats\\[a,b\\], search_type\\[QUERY_THEN_FETCH\\], ' +
      'total_shards\\[1\\], source\\[\\{"query":\\{"match":\\{"t":"sea"\\}\\},"stats":\\["a","b"\\]\\}\\], ' +
      'id\\[me\\], $'
    for (const { message } of lines)
      expect(message).toMatch(new RegExp(`^\\[i\\]\\[0\\] ${TOOK}${details}`))
  })

  it('are of the most severe level whose threshold is passed, none below that of the log', async () => {
    await set({
      ...noThresholds(SEARCH, 'fetch'),
      [`${SEARCH}.threshold.query.warn`]: '1h',
      [`${SEARCH}.threshold.query.debug`]: '0ms',
      [`${SEARCH}.threshold.query.trace`]: '0ms',
    })
    await rest.call('GET /i/_count')
    expect(lines.map(({ level }) => level)).toEqual(['DEBUG'])
    expect(lines[0]!.message).toContain('total_hits[1 hits], stats[], ')
    expect(lines[0]!.message).toContain('source[], id[], ')
    await set({ [`${SEARCH}.level`]: 'info' })
    await rest.call('GET /i/_search')
    expect(lines.length).toBe(1)
    await set({ ...noThresholds(SEARCH, 'query'), [`${SEARCH}.level`]: null })
    await rest.call('GET /i/_search')
    expect(lines.length).toBe(1)
  })
})

describe('slow logs of documents', () => {
  it('tell each document that took longer, with as much of its source as they shall', async () => {
    await set({ [`${INDEXING}.threshold.index.warn`]: '0ms' })
    const { json } = await rest.call('GET /i/_settings')
    const { uuid } = json.i.settings.index
    const two = '{"index":{"_id":"2","routing":"r"}}\n{ "t" :  "x" }\n{"index":{}}\n{}\n'
    await rest.call('POST /i/_bulk', two)
    expect(lines.map(({ logger, level }) => [logger, level])).toEqual([
      ['index.indexing.slowlog.index', 'WARN'],
      ['index.indexing.slowlog.index', 'WARN'],
    ])
    expect(lines[0]!.message).toMatch(
      new RegExp(`^\\[i/${uuid}\\] ${TOOK}id\\[2\\], routing\\[r\\], source\\[\\{"t":"x"\\}\\]$`),
    )
    const shown = async (settings: object): Promise<string> => {
      await set(settings)
      lines.length = 0
      await rest.call('POST /i/_bulk', '{"index":{"_id":"3"}}\n{ "t" : "abc" }\n')
      return lines[0]!.message.replace(/^.*routing/, 'routing')
    }
    expect(await shown({ [`${INDEXING}.source`]: 5 })).toBe('routing[], source[{"t":]')
    expect(await shown({ [`${INDEXING}.source`]: false })).toBe('routing[]')
    const whole = { [`${INDEXING}.source`]: true, [`${INDEXING}.reformat`]: false }
    expect(await shown(whole)).toBe('routing[], source[{ "t" : "abc" }]')
  })
})

describe('settings of slow logs', () => {
  it.each([
    [`${SEARCH}.level`, 'loud', 'No enum constant org.opensearch.index.SlowLogLevel.LOUD'],
    [`${INDEXING}.source`, 'much', 'For input string: "much"'],
  ])('%s is no %s', async (key, value, reason) => {
    const { status, json } = await rest.call('PUT /i/_settings', { [key]: value })
    expect(status).toBe(400)
    expect(JSON.stringify(json.error)).toContain(JSON.stringify(reason).slice(1, -1))
  })

  it('have no other phases', async () => {
    const key = `${SEARCH}.threshold.merge.warn`
    const { status, json } = await rest.call('PUT /i/_settings', { [key]: '1s' })
    expect([status, json.error.reason]).toEqual([400, expect.stringContaining(`[${key}]`)])
  })
})
