import { Client } from '@opensearch-project/opensearch'
import { expect, it } from 'vitest'
import { basicAuth, openSecured, passwordOf } from '../../support/secured-rest.ts'
import { whenOver } from '../../support/when-over.ts'

it('answers the calls of the official client', async () => {
  const secured = await openSecured()
  const clients: Client[] = []
  const as = (user: string, password = passwordOf(user)): Client => {
    const headers = { authorization: basicAuth(user, password) }
    const client = new Client({ node: `http://127.0.0.1:${secured.port}`, headers, maxRetries: 0 })
    clients.push(client)
    return client
  }
  whenOver(async () => {
    for (const client of clients) await client.close()
    await secured.close()
  })
  const { security, indices } = as('admin')
  const gone = { statusCode: 404 }

  const rules = {
    cluster_permissions: ['cluster_composite_ops_ro'],
    index_permissions: [{ index_patterns: ['books*'], allowed_actions: ['reading'] }],
  }
  const group = { allowed_actions: ['indices:data/read*'] }
  await security.createActionGroup({ action_group: 'reading', body: group })
  await security.createRole({ role: 'readers', body: rules })
  await security.createUser({
    username: 'ann',
    body: { password: passwordOf('ann'), backend_roles: ['staff'], attributes: { desk: '7' } },
  })
  await security.createRoleMapping({ role: 'readers', body: { backend_roles: ['staff'] } })
  await security.createTenant({ tenant: 'library', body: { description: 'all of it' } })

  // What was made is shown, alone and among all.
  const one = (await security.getRole({ role: 'readers' })).body
  expect(one).toMatchObject({ readers: rules })
  expect((await security.getRoles()).body).toMatchObject(one)
  expect((await security.getActionGroup({ action_group: 'reading' })).body).toMatchObject({
    reading: group,
  })
  expect((await security.getActionGroups()).body).toHaveProperty('reading')
  const ann = (await security.getUser({ username: 'ann' })).body
  expect(ann).toMatchObject({
    ann: { hash: '', backend_roles: ['staff'], attributes: { desk: '7' } },
  })
  expect((await security.getUsers()).body).toMatchObject(ann)
  expect((await security.getRoleMapping({ role: 'readers' })).body).toMatchObject({
    readers: { backend_roles: ['staff'] },
  })
  expect((await security.getRoleMappings()).body).toHaveProperty('readers')
  expect((await security.getTenant({ tenant: 'library' })).body).toMatchObject({
    library: { description: 'all of it' },
  })
  expect((await security.getTenants()).body).toHaveProperty('library')

  // It holds: she reads what the role lets her, and nothing else.
  await as('admin').index({ index: 'books', id: '1', body: { title: 'whale' }, refresh: true })
  await indices.create({ index: 'letters' })
  const reader = as('ann')
  expect((await reader.search({ index: 'books' })).body.hits.hits).toHaveLength(1)
  const refused = { statusCode: 403 }
  await expect(reader.search({ index: 'letters' })).rejects.toMatchObject(refused)
  await expect(reader.index({ index: 'books', body: {} })).rejects.toMatchObject(refused)
  await expect(reader.security.getUsers()).rejects.toMatchObject(refused)
  const told = { user_name: 'ann', backend_roles: ['staff'], roles: ['readers'] }
  expect((await reader.security.authinfo()).body).toMatchObject(told)
  expect((await reader.security.getAccountDetails()).body).toMatchObject({ user_name: 'ann' })

  // The client's types know objects alone as values.
  const patch = (path: string, op = 'add', value: unknown = 'changed') => [
    { op, path, value: value as object },
  ]

  // Changes count at once.
  const renewed = 'Other-Words-4711!'
  await reader.security.changePassword({
    body: { current_password: passwordOf('ann'), password: renewed },
  })
  await expect(reader.security.authinfo()).rejects.toMatchObject({ statusCode: 401 })
  const again = as('ann', renewed)
  expect((await again.security.authinfo()).body).toMatchObject(told)
  await security.patchRole({
    role: 'readers',
    body: patch('/index_permissions/0/index_patterns', 'replace', ['letters']),
  })
  expect((await again.search({ index: 'letters' })).body.hits.hits).toEqual([])
  await expect(again.search({ index: 'books' })).rejects.toMatchObject(refused)
  await security.patchUser({ username: 'ann', body: patch('/attributes/desk') })
  await security.patchTenant({ tenant: 'library', body: patch('/description') })
  await security.patchActionGroup({ action_group: 'reading', body: patch('/description') })
  await security.patchRoleMapping({ role: 'readers', body: patch('/users/-') })
  expect((await security.getUser({ username: 'ann' })).body).toMatchObject({
    ann: { attributes: { desk: 'changed' } },
  })
  expect((await security.flushCache()).body).toMatchObject({ status: 'OK' })
  expect((await security.configUpgradeCheck()).body).toMatchObject({ status: 'OK' })

  // Several at once, and all away again.
  const more = { password: passwordOf('ben') }
  await security.patchUsers({ body: [{ op: 'add', path: '/ben', value: more }] })
  await security.patchRoles({ body: [{ op: 'add', path: '/writers', value: rules }] })
  await security.patchTenants({
    body: [{ op: 'add', path: '/attic', value: { description: 'dust' } }],
  })
  await security.patchActionGroups({ body: [{ op: 'add', path: '/writing', value: group }] })
  await security.patchRoleMappings({
    body: [{ op: 'add', path: '/writers', value: { users: ['ben'] } }],
  })
  expect((await as('ben').security.authinfo()).body).toMatchObject({ user_name: 'ben' })
  for (const role of ['readers', 'writers']) {
    await security.deleteRoleMapping({ role })
    await security.deleteRole({ role })
    await expect(security.getRole({ role })).rejects.toMatchObject(gone)
  }
  for (const action_group of ['reading', 'writing'])
    await security.deleteActionGroup({ action_group })
  for (const tenant of ['library', 'attic']) await security.deleteTenant({ tenant })
  for (const username of ['ann', 'ben']) {
    await security.deleteUser({ username })
    await expect(security.getUser({ username })).rejects.toMatchObject(gone)
  }
  await expect(again.security.authinfo()).rejects.toMatchObject({ statusCode: 401 })
})
