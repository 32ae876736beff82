import { describe, expect, it } from 'vitest'
import { Breakers } from '../../../src/engine/node/breakers.ts'
import { Settings } from '../../../src/schema/settings.ts'
import { ndjson, openRest } from '../../support/rest-calls.ts'

const IN_FLIGHT = 'network.breaker.inflight_requests'

function breakersOf(budget: number, ...settings: [string, string][]): Breakers {
  const given = new Settings(settings)
  return new Breakers(budget, () => given)
}

describe('a breaker', () => {
  it('refuses what does not fit beside what is held, before it is held', () => {
    const breakers = breakersOf(
      10_000,
      [`${IN_FLIGHT}.limit`, '1000b'],
      [`${IN_FLIGHT}.overhead`, '1'],
    )
    const first = breakers.open('in_flight_requests', '<http_request>')
    first.add(600)
    first.add(100)
    const second = breakers.open('in_flight_requests', '<http_request>')
    second.add(300)
    expect(() => second.add(1)).toThrow(
      '[in_flight_requests] Data too large, data for [<http_request>] would be [1001/1001b], ' +
        'which is larger than the limit of [1000/1000b]',
    )
    first.release()
    second.add(700)
    expect(() => second.add(1)).toThrow('Data too large')
    expect(breakers.views().find(({ name }) => name === 'in_flight_requests')).toMatchObject({
      usedInBytes: 1000,
      limitInBytes: 1000,
      tripped: 2,
    })
  })

  it('gets back what a request held, once', () => {
    const breakers = breakersOf(1000, ['indices.breaker.request.limit', '10b'])
    const gone = breakers.open('request', '<search>')
    gone.add(10)
    gone.release()
    gone.release()
    gone.add(5)
    gone.release()
    breakers.open('request', '<search>').add(10)
    expect(() => breakers.open('request', '<search>').add(1)).toThrow('[request] Data too large')
  })

  it('is a share of the budget, and all together have a limit of their own', () => {
    const breakers = breakersOf(1000, [`${IN_FLIGHT}.overhead`, '1'])
    expect(() => breakers.open('request', '<search>').add(601)).toThrow('limit of [600/600b]')
    breakers.open('request', '<search>').add(600)
    breakers.open('in_flight_requests', '<http_request>').add(350)
    expect(() => breakers.open('in_flight_requests', '<http_request>').add(1)).toThrow(
      '[parent] Data too large, data for [<http_request>] would be [951/951b]',
    )
  })
})

describe('a node under more than it can hold', () => {
  it('answers searches whose hits do not fit with 429, and goes on', async () => {
    const rest = await openRest({ 'memory.limit': '64mb' })
    const long = 'x'.repeat(20_000)
    await rest.call('PUT /a', { settings: { 'index.max_result_window': 2_000_000_000 } })
    const lines = Array.from({ length: 100 }, (_, i) => [{ index: { _id: `${i}` } }, { long, i }])
    await rest.call('POST /a/_bulk?refresh=true', ndjson(...lines.flat()))
    const all = { query: { match_all: {} }, size: 1_999_999_999 }
    const full = await rest.call('POST /a/_search', all)
    expect(full.json.hits?.hits, full.text.slice(0, 300)).toHaveLength(100)
    await rest.call('PUT /_cluster/settings', {
      transient: { 'indices.breaker.request.limit': '1mb' },
    })
    const refused = await rest.call('POST /a/_search', all)
    expect(refused.status).toBe(429)
    expect(refused.json.error.root_cause[0]).toMatchObject({
      type: 'circuit_breaking_exception',
      bytes_limit: 2 ** 20,
      durability: 'TRANSIENT',
    })
    expect((await rest.call('POST /a/_search', { ...all, size: 3 })).status).toBe(200)
    expect(rest.engine.memory.breakers().every(({ usedInBytes }) => usedInBytes === 0)).toBe(true)
    await rest.close()
  })

  it('refuses writes over the limit of what may be under way with 429', async () => {
    const rest = await openRest({ 'indexing_pressure.memory.limit': '10kb' })
    const text = 'word '.repeat(1000)
    const calls = Array.from({ length: 6 }, (_, i) => rest.call(`PUT /b/_doc/${i}`, { text }))
    const answers = await Promise.all(calls)
    const statuses = answers.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([201, 429]))
    const refused = answers.find(({ status }) => status === 429)!
    expect(refused.json.error).toMatchObject({
      type: 'rejected_execution_exception',
      reason: expect.stringContaining('max_coordinating_and_primary_bytes=10240]'),
    })
    const bulk = ndjson({ index: { _index: 'b' } }, { text: text.repeat(3) })
    expect((await rest.call('POST /_bulk', bulk)).status).toBe(429)
    expect((await rest.call('PUT /b/_doc/again', { text })).status).toBe(201)
    const kept = statuses.filter(status => status === 201).length + 1
    await rest.call('POST /b/_refresh')
    expect((await rest.call('GET /b/_count')).json.count).toBe(kept)
    await rest.close()
  })
})
