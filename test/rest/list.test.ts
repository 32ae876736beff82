import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
const NAMES = ['c', 'a', 'd', 'b', 'e']

beforeAll(async () => {
  rest = await openRest()
  for (const name of NAMES)
    await rest.call(`PUT /${name}`, {
      settings: { number_of_shards: 2, number_of_replicas: name === 'd' ? 1 : 0 },
    })
})
afterAll(() => rest.close())

/** The names on each page, asked for one after the other. */
async function pages(line: string): Promise<string[]> {
  const found: string[] = []
  let token: string | null = null
  do {
    const next: string = token === null ? '' : `&next_token=${encodeURIComponent(token)}`
    const { json } = await rest.call(`${line}&format=json${next}`)
    found.push(json.indices.map((row: { index: string }) => row.index).join())
    token = json.next_token
  } while (token !== null)
  return found
}

describe('indices in pages', () => {
  it('come from the oldest to the newest, or the other way', async () => {
    expect(await pages('GET /_list/indices?size=2')).toEqual(['c,a', 'd,b', 'e'])
    expect(await pages('GET /_list/indices?size=2&sort=desc')).toEqual(['e,b', 'd,a', 'c'])
    expect(await pages('GET /_list/indices/a,b,c?size=2')).toEqual(['c,a', 'b'])
    expect(await pages('GET /_list/indices?size=5')).toEqual(['c,a,d,b,e'])
    expect(await pages('GET /_list/indices/x*?size=5')).toEqual([''])
  })

  it('are sorted within a page, and may be fewer than its size', async () => {
    expect(await pages('GET /_list/indices?size=2&s=index:desc')).toEqual(['c,a', 'd,b', 'e'])
    expect(await pages('GET /_list/indices?size=2&s=index')).toEqual(['a,c', 'b,d', 'e'])
    expect(await pages('GET /_list/indices?size=2&health=yellow')).toEqual(['', 'd', ''])
  })

  it('go on behind an index that is gone', async () => {
    await rest.call('PUT /f')
    const { json } = await rest.call('GET /_list/indices/e,f?size=1&format=json')
    await rest.call('DELETE /e')
    const line = `GET /_list/indices?format=json&next_token=${encodeURIComponent(json.next_token)}`
    expect((await rest.call(line)).json.indices).toMatchObject([{ index: 'f' }])
    await rest.call('DELETE /f')
    await rest.call('PUT /e')
  })

  it('are text with the token in the last line', async () => {
    const { text } = await rest.call('GET /_list/indices?v&h=index,pri&size=1')
    expect(text).toMatch(/^index pri\nc {7}2\nnext_token [\w=]+\n$/)
    expect((await rest.call('GET /_list/indices/b?h=index')).text).toBe('b\nnext_token null\n')
    expect((await rest.call('GET /_list/indices?help')).text).toContain('docs.count')
    expect((await rest.call('GET /_list')).text).toContain('/_list/shards\n')
  })

  it.each([
    ['size=0', 'size must be greater than zero'],
    ['size=5001', 'size should be less than [5000]'],
    ['sort=up', 'value of sort can either be asc or desc'],
    [
      'next_token=token',
      'Parameter [next_token] has been tainted and is incorrect. Please provide a valid [next_token].',
    ],
  ])('are refused with %s', async (query, reason) => {
    const { status, json } = await rest.call(`GET /_list/indices?${query}`)
    expect([status, json.error.reason]).toEqual([400, reason])
  })
})

describe('shards in pages', () => {
  it('are those of the oldest index first', async () => {
    const { json } = await rest.call('GET /_list/shards/d,a?format=json&h=index,shard,prirep')
    expect(json.next_token).toBe(null)
    expect(json.shards.map(Object.values)).toEqual([
      ['a', '0', 'p'],
      ['a', '1', 'p'],
      ['d', '0', 'p'],
      ['d', '0', 'r'],
      ['d', '1', 'p'],
      ['d', '1', 'r'],
    ])
  })

  it('have at least 2000 on a page', async () => {
    const { status, json } = await rest.call('GET /_list/shards?size=1999')
    expect([status, json.error.reason]).toEqual([400, 'size must be at least [2000]'])
  })
})
