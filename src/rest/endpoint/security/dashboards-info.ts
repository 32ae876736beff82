import { nodeSettings } from '../../../schema/setting-registry.ts'
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'

/** What the real server says of passwords where its settings say nothing. */
const USUAL_MESSAGE =
  'Password should be at least 8 characters long and contain at least one uppercase letter, one ' +
  'lowercase letter, one digit, and one special character.'
const USUAL_PATTERN = '(?=.*[A-Z])(?=.*[^a-zA-Z\\d])(?=.*[0-9])(?=.*[a-z]).{8,}'

/**
 * `GET|POST /_plugins/_security/dashboardsinfo`: what dashboards ask for ahead of a login. Indices of tenants are not
 * kept apart.
 */
export const dashboardsInfo: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_plugins/_security/dashboardsinfo'],
    ['POST', '/_plugins/_security/dashboardsinfo'],
    ['GET', '/_opendistro/_security/kibanainfo'],
    ['POST', '/_opendistro/_security/kibanainfo'],
  ],
  action: 'restapi:own/dashboardsinfo',
  params: {},
  body: 'none',
  handle({ engine, services, context }): Answer {
    const { settings } = engine.cluster.nodeInfo()
    const text = (key: string): string => nodeSettings.text(settings, `plugins.security.${key}`)
    return {
      json: {
        user_name: services.security.accountOf(context)?.user.name ?? null,
        not_fail_on_forbidden_enabled: nodeSettings.boolean(
          settings,
          'plugins.security.do_not_fail_on_forbidden',
        ),
        opensearch_dashboards_mt_enabled: false,
        opensearch_dashboards_index: '.kibana',
        opensearch_dashboards_server_user: 'kibanaserver',
        multitenancy_enabled: false,
        private_tenant_enabled: false,
        default_tenant: '',
        sign_in_options: ['BASIC'],
        password_validation_error_message:
          text('restapi.password_validation_error_message') || USUAL_MESSAGE,
        password_validation_regex: text('restapi.password_validation_regex') || USUAL_PATTERN,
        resource_sharing_enabled: false,
      },
      headers: { 'cache-control': 'no-store' },
    }
  },
})
