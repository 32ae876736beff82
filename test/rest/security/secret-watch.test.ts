import { expect, it } from 'vitest'
import { basicAuth, openSecured, passwordOf } from '../../support/secured-rest.ts'

it.each([
  ['a password', passwordOf('ann')],
  ['the credentials of a request', basicAuth('ben').slice('Basic '.length)],
])('would find %s that a node tells', async (_, secret) => {
  const secured = await openSecured()
  await secured.rest.call('PUT /told/_doc/1', { text: secret })
  await secured.rest.call('GET /told/_doc/1')
  await expect(secured.close()).rejects.toThrow('the answer to GET /told/_doc/1 tells')
})
