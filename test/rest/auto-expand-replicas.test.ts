import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRest, type Rest } from '../support/rest-calls.ts'

let rest: Rest
beforeAll(async () => {
  rest = await openRest()
})
afterAll(() => rest.close())

async function replicas(index: string): Promise<[string, string]> {
  const { json } = await rest.call(`GET /${index}/_settings?flat_settings=true`)
  const { json: health } = await rest.call(`GET /_cluster/health/${index}`)
  return [json[index].settings['index.number_of_replicas'], health.status]
}

it.each([
  ['0-1', '0', 'green'],
  ['0-all', '0', 'green'],
  ['1-all', '1', 'yellow'],
  ['2-5', '2', 'yellow'],
  ['false', '1', 'yellow'],
])('a new index of %s has the least of the range', async (range, count, status) => {
  const name = `i${range}`
  await rest.call(`PUT /${name}`, { settings: { auto_expand_replicas: range } })
  expect(await replicas(name)).toEqual([count, status])
  await rest.call(`DELETE /${name}`)
})

it('the range wins over a number, until it is taken away', async () => {
  const settings = { number_of_shards: 1, number_of_replicas: 3, auto_expand_replicas: '0-1' }
  expect((await rest.call('PUT /a', { settings })).json.acknowledged).toBe(true)
  expect(await replicas('a')).toEqual(['0', 'green'])
  await rest.call('PUT /a/_settings', { number_of_replicas: 2 })
  expect(await replicas('a')).toEqual(['0', 'green'])
  await rest.call('PUT /a/_settings', { auto_expand_replicas: '1-2' })
  expect(await replicas('a')).toEqual(['1', 'yellow'])
  await rest.call('PUT /a/_settings', { auto_expand_replicas: false, number_of_replicas: 2 })
  expect(await replicas('a')).toEqual(['2', 'yellow'])
  const { json } = await rest.call('PUT /a/_doc/1', { n: 1 })
  expect(json._shards.total).toBe(3)
})

it('a template brings the range too', async () => {
  const template = { settings: { auto_expand_replicas: '0-1' } }
  await rest.call('PUT /_index_template/t', { index_patterns: ['t-*'], template })
  await rest.call('PUT /t-1/_doc/1', { n: 1 })
  expect(await replicas('t-1')).toEqual(['0', 'green'])
})
