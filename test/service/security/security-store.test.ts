import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRest } from '../../support/rest-calls.ts'
import { addUser, basicAuth, openSecured } from '../../support/secured-rest.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const PEER = { address: '127.0.0.1', port: 1 }

describe('the documents of a node', () => {
  it('outlive it, in files that only their owner reads', async () => {
    const folder = tempFolder('security-store')
    const first = await openSecured({}, folder)
    await addUser(first.rest, 'ann', { backend_roles: ['staff'] })
    const shown = await first.as('admin', 'GET /_plugins/_security/api/internalusers')
    await first.close()
    const files = join(folder, 'services', 'security')
    expect(readdirSync(files)).toHaveLength(1)
    expect(statSync(files).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(files))
      expect(statSync(join(files, name)).mode & 0o777).toBe(0o600)
    const second = await openRest({}, folder)
    // Users that were made once turn security on.
    const head = { headers: {}, peer: PEER }
    expect(await second.dispatcher.admit('GET', head)).toMatchObject({ refusal: { status: 401 } })
    const headers = { authorization: basicAuth('ann') }
    expect(await second.dispatcher.admit('GET', { headers, peer: PEER })).toMatchObject({
      principal: { name: 'ann', backendRoles: ['staff'] },
    })
    const again = await second.call('GET /_plugins/_security/api/internalusers')
    expect(again.json).toEqual(shown.json)
    await second.close()
    const third = await openRest({ 'plugins.security.disabled': 'true' }, folder)
    expect(await third.dispatcher.admit('GET', head)).toMatchObject({ principal: { name: null } })
    await third.close()
  })

  it('let nobody in while there is no user', async () => {
    const rest = await openRest({ 'plugins.security.disabled': 'false' })
    const headers = { authorization: basicAuth('admin') }
    const found = await rest.dispatcher.admit('GET', { headers, peer: PEER })
    if (!('refusal' in found)) throw new Error('was let in')
    expect(found.refusal.status).toBe(503)
    expect(Buffer.from(found.refusal.body).toString()).toBe('OpenSearch Security not initialized.')
    await rest.close()
  })
})
