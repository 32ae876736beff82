import { expect, it } from 'vitest'
import { openRest } from '../../support/rest-calls.ts'
import { addUser, securedForFile } from '../../support/secured-rest.ts'

const secured = securedForFile()
const PATH = '/_plugins/_security/dashboardsinfo'

it('tells dashboards who the caller is, and that tenants are not kept apart', async () => {
  await addUser(secured().rest, 'dora')
  const { status, json, headers } = await secured().as('dora', `GET ${PATH}`)
  expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
  const { password_validation_error_message, password_validation_regex, ...others } = json
  expect(password_validation_error_message).toContain('at least 8 characters')
  expect([
    new RegExp(`^${password_validation_regex}$`).test('Long-enough1'),
    new RegExp(`^${password_validation_regex}$`).test('short'),
  ]).toEqual([true, false])
  expect(others).toEqual({
    user_name: 'dora',
    not_fail_on_forbidden_enabled: false,
    opensearch_dashboards_mt_enabled: false,
    opensearch_dashboards_index: '.kibana',
    opensearch_dashboards_server_user: 'kibanaserver',
    multitenancy_enabled: false,
    private_tenant_enabled: false,
    default_tenant: '',
    sign_in_options: ['BASIC'],
    resource_sharing_enabled: false,
  })
  const older = await secured().as('dora', 'POST /_opendistro/_security/kibanainfo')
  expect(older.json).toEqual(json)
})

it('tells the settings of the node, and nobody where none is asked who he is', async () => {
  const rest = await openRest({
    'plugins.security.do_not_fail_on_forbidden': 'true',
    'plugins.security.restapi.password_validation_regex': '.{20,}',
    'plugins.security.restapi.password_validation_error_message': 'longer, please',
  })
  try {
    expect((await rest.call(`POST ${PATH}`)).json).toMatchObject({
      user_name: null,
      not_fail_on_forbidden_enabled: true,
      password_validation_regex: '.{20,}',
      password_validation_error_message: 'longer, please',
    })
    expect((await rest.call(`GET ${PATH}?what=1`)).status).toBe(400)
  } finally {
    await rest.close()
  }
})
