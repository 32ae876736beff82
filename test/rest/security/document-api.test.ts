import { beforeAll, describe, expect, it } from 'vitest'
import { addRole, addUser, passwordOf, securedForFile } from '../../support/secured-rest.ts'

const secured = securedForFile()
const API = '/_plugins/_security/api'

/** Status and body, asked for by the administrator. */
const call = async (line: string, body?: object | string): Promise<[number, unknown]> => {
  const [method, path] = line.split(' ')
  const { status, json } = await secured().as('admin', `${method} ${API}${path}`, body)
  return [status, json]
}
const told = (status: string, message: string): object => ({ status, message })
const fault = (reason: string, more: object = {}): object => ({ status: 'error', reason, ...more })

beforeAll(async () => {
  await addRole(secured().rest, 'plain', { cluster_permissions: ['cluster_monitor'] })
})

describe('a user', () => {
  it('is made, shown without his hash, replaced and deleted', async () => {
    const user = {
      password: passwordOf('uma'),
      backend_roles: ['staff'],
      attributes: { team: 'red' },
      description: 'of the team',
      opendistro_security_roles: ['plain'],
    }
    expect(await call('PUT /internalusers/uma', user)).toEqual([
      201,
      told('CREATED', "'uma' created."),
    ])
    const [status, shown] = await call('GET /internalusers/uma')
    expect([status, JSON.stringify(shown)]).toEqual([
      200,
      JSON.stringify({
        uma: {
          hash: '',
          reserved: false,
          hidden: false,
          backend_roles: ['staff'],
          attributes: { team: 'red' },
          description: 'of the team',
          opendistro_security_roles: ['plain'],
          static: false,
        },
      }),
    ])
    // He keeps his password where none is given.
    expect(await call('PUT /internalusers/uma', { backend_roles: [] })).toEqual([
      200,
      told('OK', "'uma' updated."),
    ])
    expect((await secured().as('uma', 'GET /_plugins/_security/authinfo')).status).toBe(200)
    expect(await call('DELETE /internalusers/uma')).toEqual([200, told('OK', "'uma' deleted.")])
    expect(await call('GET /internalusers/uma')).toEqual([
      404,
      told('NOT_FOUND', "user 'uma' not found."),
    ])
    expect(await call('DELETE /internalusers/uma')).toEqual([
      404,
      told('NOT_FOUND', "user 'uma' not found."),
    ])
  })

  it.each([
    [{}, fault('Request body required for this action.')],
    [
      { password: 'x', nonsense: 1, rubbish: 2 },
      fault('Invalid configuration', { invalid_keys: { keys: 'nonsense,rubbish' } }),
    ],
    [{ password: 7 }, fault('Wrong datatype', { password: 'String expected' })],
    [
      { backend_roles: 'a', attributes: [] },
      fault('Wrong datatype', { backend_roles: 'Array expected', attributes: 'Object expected' }),
    ],
    [
      { backend_roles: ['a', null] },
      fault('`null` or blank values are not allowed as json array elements'),
    ],
    [
      { backend_roles: [' '] },
      fault('`null` or blank values are not allowed as json array elements'),
    ],
    [{ password: 'Sh0rt!' }, fault('Password is too short')],
    [{ password: '' }, fault('Password is too short')],
    [{ password: 'a1B!'.repeat(26) }, fault('Password is too long')],
    [{ password: 'Correct\u0000Horse-9' }, fault('Password holds control characters')],
    [{ password: 'aaaaaaaaaaaa' }, fault('Weak password')],
    [{ password: 'abcdefghijkl' }, fault('Weak password')],
    [{ password: 'Valentina!7' }, fault('Password is similar to user name')],
    [
      { backend_roles: [] },
      told(
        'BAD_REQUEST',
        "Please specify either 'hash' or 'password' when creating a new internal user.",
      ),
    ],
    [
      { hash: 'plain text' },
      told('BAD_REQUEST', 'The hash is of no kind that is read here: use scrypt or bcrypt.'),
    ],
    [
      {
        hash: '$scrypt$ln=31,r=8,p=1$c2FsdHNhbHRzYWx0c2FsdA$c2FsdHNhbHRzYWx0c2FsdHNhbHRzYWx0c2FsdHNhbHQ',
      },
      told('BAD_REQUEST', 'The hash is of no kind that is read here: use scrypt or bcrypt.'),
    ],
  ])('is refused as %j', async (body, expected) => {
    const [status, answer] = await call('PUT /internalusers/valentina', body)
    expect([status, answer]).toEqual([400, expected])
  })

  it('is refused under a name with a colon, and with a role that is missing', async () => {
    const password = passwordOf('x')
    expect(await call('PUT /internalusers/a%3Ab', { password })).toEqual([
      400,
      told(
        'BAD_REQUEST',
        "A restricted character(s) was detected in the account name. Please remove: ':'",
      ),
    ])
    const body = { password, opendistro_security_roles: ['no-such'] }
    expect(await call('PUT /internalusers/ron', body)).toEqual([
      404,
      told('NOT_FOUND', "role 'no-such' not found."),
    ])
  })

  it('is refused with a body that is no JSON', async () => {
    const [status, answer] = await call('PUT /internalusers/ron', '{')
    expect([status, answer]).toMatchObject([
      400,
      { error: { reason: 'Could not parse content of request.' } },
    ])
  })

  it('is called as he likes, as long as it is a name', async () => {
    for (const name of ['__proto__', 'constructor', 'ä ö/ü', '.', '*']) {
      await addUser(secured().rest, name)
      const { json } = await secured().as('admin', `GET ${API}/internalusers`)
      expect(Object.keys(json)).toContain(name)
      expect(await call(`DELETE /internalusers/${encodeURIComponent(name)}`)).toEqual([
        200,
        told('OK', `'${name}' deleted.`),
      ])
    }
  })
})

describe('a role', () => {
  it('shows every key in order', async () => {
    const role = {
      cluster_permissions: ['cluster_monitor'],
      index_permissions: [{ index_patterns: ['a*'], allowed_actions: ['read'] }],
      tenant_permissions: [{ tenant_patterns: ['t'], allowed_actions: ['kibana_all_read'] }],
    }
    expect(await call('PUT /roles/r1', role)).toEqual([201, told('CREATED', "'r1' created.")])
    const [, shown] = await call('GET /roles/r1')
    expect(JSON.stringify(shown)).toBe(
      JSON.stringify({
        r1: {
          reserved: false,
          hidden: false,
          cluster_permissions: ['cluster_monitor'],
          index_permissions: [
            { index_patterns: ['a*'], fls: [], masked_fields: [], allowed_actions: ['read'] },
          ],
          tenant_permissions: [{ tenant_patterns: ['t'], allowed_actions: ['kibana_all_read'] }],
          static: false,
        },
      }),
    )
  })

  it.each([
    [{ index_permissions: {} }, fault('Wrong datatype', { index_permissions: 'Array expected' })],
    [
      { index_permissions: ['a'] },
      fault('Wrong datatype', { index_permissions: 'Objects expected' }),
    ],
    [
      { index_permissions: [{ indices: ['a'] }] },
      fault('Invalid configuration', { invalid_keys: { keys: 'indices' } }),
    ],
    [
      { cluster_permissions: [1] },
      fault('Wrong datatype', { cluster_permissions: 'Strings expected' }),
    ],
    [{ password: 'a' }, fault('Invalid configuration', { invalid_keys: { keys: 'password' } })],
    [
      { index_permissions: [{ index_patterns: ['a'], dls: 'team: red' }] },
      told('BAD_REQUEST', '[dls] must be a query in JSON, found [team: red]'),
    ],
    [
      { index_permissions: [{ index_patterns: ['a'], fls: ['~/(?=a)b/'] }] },
      told('BAD_REQUEST', 'regular expressions of roles may not look around or back: [(?=a)b]'),
    ],
    [
      { index_permissions: [{ index_patterns: ['a'], masked_fields: ['x'] }] },
      told(
        'BAD_REQUEST',
        'masks by the default hash need [plugins.security.compliance.salt] to be set',
      ),
    ],
    [{ reserved: true }, fault('Invalid configuration', { invalid_keys: { keys: 'reserved' } })],
  ])('is refused as %j', async (body, expected) => {
    expect(await call('PUT /roles/bad', body)).toEqual([400, expected])
  })

  it('is neither changed nor deleted where it is static', async () => {
    const refused = [403, told('FORBIDDEN', "Resource 'all_access' is static.")]
    const role = { cluster_permissions: [], description: 'x' }
    expect(await call('PUT /roles/all_access', role)).toEqual(refused)
    expect(await call('DELETE /roles/all_access')).toEqual(refused)
    const patch = [{ op: 'add', path: '/cluster_permissions/-', value: 'a' }]
    expect(await call('PATCH /roles/all_access', patch)).toEqual(refused)
    expect(await call('DELETE /actiongroups/read')).toEqual([
      403,
      told('FORBIDDEN', "Resource 'read' is static."),
    ])
  })
})

it('keeps reserved documents from all but the program itself, and hides hidden ones', async () => {
  const { rest } = secured()
  await addRole(rest, 'kept', { cluster_permissions: [], reserved: true })
  await addRole(rest, 'unseen', { cluster_permissions: [], hidden: true })
  expect(await call('DELETE /roles/kept')).toEqual([
    403,
    told('FORBIDDEN', "Resource 'kept' is reserved."),
  ])
  for (const line of ['GET /roles/unseen', 'DELETE /roles/unseen'])
    expect(await call(line)).toEqual([
      404,
      told('NOT_FOUND', "Resource 'unseen' is not available."),
    ])
  const [, all] = await call('GET /roles')
  expect(Object.keys(all as object)).toContain('kept')
  expect(Object.keys(all as object)).not.toContain('unseen')
  expect((await rest.call(`DELETE ${API}/roles/kept`)).status).toBe(200)
})

describe('a mapping', () => {
  it('is of a role that there is, and names somebody', async () => {
    expect(await call('PUT /rolesmapping/no-such', { users: ['a'] })).toEqual([
      404,
      told('NOT_FOUND', "role 'no-such' not found."),
    ])
    expect(await call('PUT /rolesmapping/plain', { description: 'x' })).toEqual([
      400,
      fault('Invalid configuration', {
        specify_one_of: { keys: 'and_backend_roles,backend_roles,hosts,users' },
      }),
    ])
    expect(await call('PUT /rolesmapping/plain', { users: ['a'] })).toEqual([
      201,
      told('CREATED', "'plain' created."),
    ])
    expect((await call('GET /rolesmapping/plain'))[1]).toEqual({
      plain: {
        reserved: false,
        hidden: false,
        hosts: [],
        users: ['a'],
        backend_roles: [],
        and_backend_roles: [],
        static: false,
      },
    })
  })
})

describe('a group of actions', () => {
  it('is used by roles, within others too', async () => {
    await call('PUT /actiongroups/inner', { allowed_actions: ['cluster:monitor/main'] })
    expect(await call('PUT /actiongroups/outer', { allowed_actions: ['inner', 'outer2'] })).toEqual(
      [201, told('CREATED', "'outer' created.")],
    )
    await call('PUT /actiongroups/outer2', { allowed_actions: ['outer'], type: 'cluster' })
    await addRole(secured().rest, 'grouped', { cluster_permissions: ['outer2'] })
    await addUser(secured().rest, 'gus', { opendistro_security_roles: ['grouped'] })
    expect((await secured().as('gus', 'GET /')).status).toBe(200)
    await call('DELETE /actiongroups/inner')
    expect((await secured().as('gus', 'GET /')).status).toBe(403)
  })

  it.each([
    ['g', {}, fault('Request body required for this action.')],
    [
      'g',
      { type: 'index' },
      fault('Invalid configuration', { missing_mandatory_keys: { keys: 'allowed_actions' } }),
    ],
    [
      'g',
      { allowed_actions: [], type: 'odd' },
      told('BAD_REQUEST', 'Invalid action group type: odd. Supported types are: cluster, index.'),
    ],
    [
      'g',
      { allowed_actions: ['g'] },
      told('BAD_REQUEST', 'g cannot be an allowed_action of itself'),
    ],
    [
      'plain',
      { allowed_actions: [] },
      told(
        'BAD_REQUEST',
        'plain is an existing role. A action group cannot be named with an existing role name.',
      ),
    ],
  ])('is refused as %s %j', async (name, body, expected) => {
    expect(await call(`PUT /actiongroups/${name}`, body)).toEqual([400, expected])
  })
})

describe('a patch', () => {
  it('changes one document', async () => {
    await call('PUT /roles/p1', { cluster_permissions: ['a', 'b'], description: 'old' })
    const patch = [
      { op: 'replace', path: '/cluster_permissions/0', value: 'c' },
      { op: 'add', path: '/cluster_permissions/-', value: 'd' },
      { op: 'remove', path: '/description' },
    ]
    expect(await call('PATCH /roles/p1', patch)).toEqual([200, told('OK', "'p1' updated.")])
    const [, shown] = await call('GET /roles/p1')
    expect(shown).toMatchObject({ p1: { cluster_permissions: ['c', 'b', 'd'] } })
    expect((shown as { p1: object }).p1).not.toHaveProperty('description')
  })

  it('changes several documents, or none', async () => {
    const role = { cluster_permissions: ['x'] }
    const patch = [
      { op: 'add', path: '/p2', value: role },
      { op: 'add', path: '/a~1b', value: role },
      { op: 'remove', path: '/p1' },
    ]
    expect(await call('PATCH /roles', patch)).toEqual([200, told('OK', 'Resource updated.')])
    expect((await call('GET /roles/p1'))[0]).toBe(404)
    expect((await call('GET /roles/a%2Fb'))[0]).toBe(200)
    const half = [
      { op: 'add', path: '/p3', value: role },
      { op: 'remove', path: '/all_access' },
    ]
    expect(await call('PATCH /roles', half)).toEqual([
      403,
      told('FORBIDDEN', "Resource 'all_access' is static."),
    ])
    expect((await call('GET /roles/p3'))[0]).toBe(404)
  })

  it('gives a user another password', async () => {
    await addUser(secured().rest, 'pat')
    const password = 'Freshly-Baked-91?'
    expect(
      await call('PATCH /internalusers', [
        { op: 'add', path: '/pat/password', value: password },
        { op: 'add', path: '/pat/backend_roles/-', value: 'cook' },
      ]),
    ).toEqual([200, told('OK', 'Resource updated.')])
    const authorization = `Basic ${Buffer.from(`pat:${password}`).toString('base64')}`
    const path = 'GET /_plugins/_security/authinfo'
    const { json } = await secured().as(null, path, undefined, { authorization })
    expect(json.backend_roles).toEqual(['cook'])
  })

  it.each([
    ['PATCH /roles', {}, 'Wrong request body'],
    ['PATCH /roles', [], 'Wrong request body'],
    ['PATCH /roles', [1], 'Wrong request body'],
    [
      'PATCH /roles',
      [{ op: 'copy', path: '/a', from: '/all_access' }],
      'Unsupported patch operation: copy. Supported are: add,replace,remove',
    ],
    ['PATCH /roles', [{ op: 'remove', path: '/none' }], 'Operation [remove]: there is no [/none]'],
    [
      'PATCH /roles',
      [{ op: 'add', path: '/none/x/y', value: 1 }],
      'Operation [add]: there is no [/none/x/y]',
    ],
    ['PATCH /roles', [{ op: 'add', path: '/x' }], 'Operation [add] on [/x] needs a [value]'],
    [
      'PATCH /roles',
      [{ op: 'add', path: 'x', value: {} }],
      'Invalid path [x] of the operation [add]',
    ],
  ])('is refused as %s %j', async (line, body, message) => {
    expect(await call(line, body)).toEqual([400, told('BAD_REQUEST', message)])
  })

  it('sets no flag, and takes no wrong document', async () => {
    await call('PUT /roles/p4', { cluster_permissions: [], description: 'x' })
    expect(
      await call('PATCH /roles/p4', [{ op: 'replace', path: '/reserved', value: true }]),
    ).toEqual([400, fault('Invalid configuration', { invalid_keys: { keys: 'reserved' } })])
    expect(
      await call('PATCH /roles/p4', [{ op: 'add', path: '/cluster_permissions', value: 'a' }]),
    ).toEqual([400, fault('Wrong datatype', { cluster_permissions: 'Array expected' })])
    expect(
      await call('PATCH /roles/p4', [{ op: 'replace', path: '/description', value: 'x' }]),
    ).toEqual([200, told('OK', 'No updates required')])
    expect(await call('PATCH /roles/p5', [{ op: 'remove', path: '/description' }])).toEqual([
      404,
      told('NOT_FOUND', "role 'p5' not found."),
    ])
  })
})

it('keeps tenants, which roles give to read and to write', async () => {
  expect(await call('PUT /tenants/t1', { description: 'first' })).toEqual([
    201,
    told('CREATED', "'t1' created."),
  ])
  await call('PUT /tenants/t2', { description: 'second' })
  await addRole(secured().rest, 'tenanted', {
    tenant_permissions: [
      { tenant_patterns: ['t1'], allowed_actions: ['kibana_all_read'] },
      { tenant_patterns: ['t2'], allowed_actions: ['kibana_all_write'] },
    ],
  })
  await addUser(secured().rest, 'tina', { opendistro_security_roles: ['tenanted'] })
  const { json } = await secured().as('tina', `GET ${API}/account`)
  expect(json).toEqual({
    user_name: 'tina',
    is_reserved: false,
    is_hidden: false,
    is_internal_user: true,
    user_requested_tenant: null,
    backend_roles: [],
    custom_attribute_names: [],
    tenants: { tina: true, t1: false, t2: true },
    roles: ['tenanted'],
  })
})

describe('the password of an account', () => {
  const change = async (body: object): Promise<unknown[]> => {
    const { status, json } = await secured().as('olga', `PUT ${API}/account`, body)
    return [status, json]
  }

  it('is changed by its owner, who knows the old one', async () => {
    await addUser(secured().rest, 'olga')
    const current_password = passwordOf('olga')
    expect(await change({ current_password: 'wrong', password: 'Pencil-Sharp-88!' })).toEqual([
      400,
      told('BAD_REQUEST', 'Could not validate your current password.'),
    ])
    expect(await change({ current_password })).toEqual([
      400,
      told('BAD_REQUEST', 'Both provided password and hash cannot be null/empty.'),
    ])
    expect(await change({ current_password, password: 'short' })).toEqual([
      400,
      fault('Password is too short'),
    ])
    expect(await change({ password: 'Pencil-Sharp-88!' })).toEqual([
      400,
      fault('Invalid configuration', { missing_mandatory_keys: { keys: 'current_password' } }),
    ])
    expect(await change({ current_password, roles: [] })).toEqual([
      400,
      fault('Invalid configuration', { invalid_keys: { keys: 'roles' } }),
    ])
    expect(await change({ current_password, password: 'Pencil-Sharp-88!' })).toEqual([
      200,
      told('OK', "'olga' updated."),
    ])
    expect((await secured().as('olga', `GET ${API}/account`)).status).toBe(401)
  })
})

describe('anybody else than an administrator', () => {
  it('is refused by the API with a text of its own', async () => {
    await addUser(secured().rest, 'joe', { opendistro_security_roles: ['plain'] })
    const refused = told(
      'FORBIDDEN',
      'No permission to access REST API: User joe with Security roles [plain] does not have any ' +
        'role privileged for admin access',
    )
    for (const line of [
      'GET /internalusers',
      'GET /internalusers/joe',
      'PUT /internalusers/joe',
      'PATCH /internalusers',
      'DELETE /roles/plain',
      'PUT /rolesmapping/all_access',
      'DELETE /cache',
      'GET /_upgrade_check',
    ]) {
      const [method, path] = line.split(' ')
      const body = method === 'PUT' ? { users: ['joe'] } : undefined
      const { status, json } = await secured().as('joe', `${method} ${API}${path}`, body)
      expect([line, status, json]).toEqual([line, 403, refused])
    }
  })

  it('is let in permission by permission', async () => {
    await addRole(secured().rest, 'cachers', { cluster_permissions: ['restapi:admin/cache'] })
    await addUser(secured().rest, 'cat', { opendistro_security_roles: ['cachers'] })
    expect((await secured().as('cat', `DELETE ${API}/cache`)).json).toEqual(
      told('OK', 'Cache flushed successfully.'),
    )
    expect((await secured().as('cat', `DELETE ${API}/cache/user/joe`)).json).toEqual(
      told('OK', 'Cache invalidated for user: joe'),
    )
    expect((await secured().as('cat', `GET ${API}/roles`)).status).toBe(403)
  })
})

describe('the upgrade check', () => {
  it('finds nothing to do', async () => {
    expect(await call('GET /_upgrade_check')).toEqual([
      200,
      { status: 'OK', upgradeAvailable: false, upgradeActions: {} },
    ])
    expect((await call('GET /_upgrade_check?configs=roles,tenants'))[0]).toBe(200)
  })

  it('refuses what there is not', async () => {
    expect(await call('GET /_upgrade_check?configs=roles,odd')).toEqual([
      400,
      told(
        'BAD_REQUEST',
        'Found invalid configuration option, valid options are: ' +
          '[roles, rolesmapping, actiongroups, config, internalusers, tenants]',
      ),
    ])
  })
})
