import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ndjson, okOf, openRest, type Rest } from '../../support/rest-calls.ts'

let rest: Rest

beforeAll(async () => {
  rest = await openRest()
  const ok = okOf(() => rest)
  const properties = { k: { type: 'keyword' }, t: { type: 'date' } }
  await ok('PUT /i', { mappings: { properties } })
  await ok('PUT /i/_doc/1?refresh', { k: 'a', t: '2026-01-01' })
  await ok('PUT /i/_doc/2?refresh', { k: 'b', t: '2026-02-01' })
})
afterAll(() => rest.close())

const OLD_INTERVAL =
  '[interval] on [date_histogram] is deprecated, use [fixed_interval] or [calendar_interval] in the future.'
const oldOrder = (key: string): string =>
  `Deprecated aggregation order key [${key}] used, replaced by [_key]`

/** The texts of a warning header. */
const texts = (header: string | undefined): string[] =>
  [...(header ?? '').matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text!)

const warnings = async (aggs: object): Promise<string[]> => {
  const { status, headers } = await rest.call('POST /i/_search', { aggs })
  expect(status).toBe(200)
  return texts(headers['warning'] as string | undefined)
}

describe('old forms of aggregations', () => {
  it('order by key under its old names, with a warning for each', async () => {
    const { headers, json } = await rest.call('POST /i/_search', {
      aggs: { x: { terms: { field: 'k', order: { _term: 'desc' } } } },
    })
    expect(json.aggregations.x.buckets.map(({ key }: { key: string }) => key)).toEqual(['b', 'a'])
    expect(texts(headers['warning'] as string)).toEqual([oldOrder('_term')])
    const histogram = { field: 't', calendar_interval: 'month', order: [{ _time: 'desc' }] }
    expect(await warnings({ x: { date_histogram: histogram } })).toEqual([oldOrder('_time')])
  })

  it('are warned of once, wherever they stand', async () => {
    const terms = { terms: { field: 'k', order: { _term: 'asc' } } }
    expect(await warnings({ x: { ...terms, aggs: { y: terms } }, z: terms })).toEqual([
      oldOrder('_term'),
    ])
  })

  it('name an interval of dates by its old key', async () => {
    const dates = { field: 't', interval: 'month' }
    expect(await warnings({ x: { date_histogram: dates } })).toEqual([OLD_INTERVAL])
    const sources = [{ t: { date_histogram: dates } }]
    expect(await warnings({ x: { composite: { sources } } })).toEqual([OLD_INTERVAL])
  })

  it('give no warning under the new names', async () => {
    expect(
      await warnings({
        x: { terms: { field: 'k', order: { _key: 'asc' } } },
        y: { date_histogram: { field: 't', calendar_interval: 'month' } },
      }),
    ).toEqual([])
  })

  it('are warned of by several searches in one call', async () => {
    const body = { aggs: { x: { terms: { field: 'k', order: { _term: 'asc' } } } } }
    const { headers } = await rest.call('POST /i/_msearch', ndjson({}, body, {}, body))
    expect(texts(headers['warning'] as string)).toEqual([oldOrder('_term')])
  })
})
