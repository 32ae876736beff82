import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { failureOf, okOf, openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
const ok = okOf(() => rest)
const failure = failureOf(() => rest)
const EXPRESSION = '<logs-{2020.02||+1M{uuuu.MM|+02:00}}>'
const path = encodeURIComponent(EXPRESSION)

beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

describe('names of indices by date maths', () => {
  it('are resolved once an index is made, and kept as they were given', async () => {
    expect((await ok(`PUT /${path}`)).index).toBe('logs-2020.03')
    const { 'logs-2020.03': made } = await ok(`GET /${path}`)
    expect(made.settings.index.provided_name).toBe(EXPRESSION)
    expect((await rest.call('HEAD /logs-2020.03')).status).toBe(200)
  })

  it('stand for their index in writes, reads, lists, bulks and aliases', async () => {
    expect((await ok(`PUT /${path}/_doc/1?refresh`, { a: 1 }))._index).toBe('logs-2020.03')
    expect((await ok(`GET /${path}/_doc/1`)).found).toBe(true)
    await ok('PUT /other')
    expect((await ok(`GET /other,${path}/_count`)).count).toBe(1)
    expect(Object.keys(await ok(`GET /logs-*,-${path}/_settings`))).toEqual([])
    const lines = `${JSON.stringify({ index: { _index: EXPRESSION, _id: '2' } })}\n{}\n`
    expect((await ok('POST /_bulk?refresh', lines)).items[0].index._index).toBe('logs-2020.03')
    await ok('POST /_aliases', { actions: [{ add: { index: EXPRESSION, alias: 'a' } }] })
    expect((await ok('GET /a/_count')).count).toBe(2)
    expect(await ok(`DELETE /${path}`)).toEqual({ acknowledged: true })
  })

  it('follow the present in UTC unless they name a zone', async () => {
    const day = (): string => new Date().toISOString().slice(0, 10).replaceAll('-', '.')
    const before = day()
    const { index } = await ok(`PUT /${encodeURIComponent('<d-{now/d}>')}`)
    expect([`d-${before}`, `d-${day()}`]).toContain(index)
  })

  it.each([
    ['<a-{now/d>', '[a-{now/d]. date math placeholder is open ended'],
    ['<a-{now{yyyy}x}>', '[a-{now{yyyy}x}]. missing closing `}` for date math format'],
    ['<a-{now{}}>', '[a-{now{}}]. missing date format'],
    ['<a}b>', '[a}b]. invalid character at position [1]. `{` and `}` are reserved characters'],
    ['<>', '[<>]. nothing captured'],
  ])('are refused where they make no sense: %s', async (name, reason) => {
    const [status, type, told] = await failure(`PUT /${encodeURIComponent(name)}`)
    expect([status, type]).toEqual([400, 'parse_exception'])
    expect(told).toContain(
      name === '<>' ? 'nothing captured' : `invalid dynamic name expression ${reason}`,
    )
  })
})
