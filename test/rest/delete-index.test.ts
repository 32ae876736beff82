/** Deleting an index beside other calls on it. */
import { expect, it } from 'vitest'
import { openRest } from '../support/rest-calls.ts'

it('refuses the writes that it overtakes as ones to an index that is not there', async () => {
  const rest = await openRest({ 'action.auto_create_index': 'false' })
  const refusals = new Set<string>()
  for (let round = 0; round < 20; round++) {
    await rest.call('PUT /i', { settings: { number_of_shards: 2 } })
    const calls = Array.from({ length: 60 }, async (_, i) => {
      // Every second document brings a field, which makes a write wait for a metadata change.
      const body = i % 2 === 0 ? {} : { [`f${i}`]: i }
      if (i % 5 === 0) await new Promise(resolve => setImmediate(resolve))
      if (i === 20) await rest.call('DELETE /i')
      const { status, json } = await rest.call(`PUT /i/_doc/${i}`, body)
      if (status !== 201) refusals.add(`${status} ${json.error.type}`)
    })
    await Promise.all(calls)
  }
  expect([...refusals]).toEqual(['404 index_not_found_exception'])
  await rest.close()
})
