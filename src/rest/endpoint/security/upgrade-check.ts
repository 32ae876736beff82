import type { EditAnswer } from '../../../service/security/document-edits.ts'
import { defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { list } from '../../params.ts'
import { administered } from './edit-call.ts'

/** What can be asked about. */
const CONFIGS = ['roles', 'rolesmapping', 'actiongroups', 'config', 'internalusers', 'tenants']

/**
 * `GET /_plugins/_security/api/_upgrade_check`: whether the defaults of a build are newer than the kept ones. Here
 * defaults are static and never kept, so none is.
 */
export const upgradeCheck: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_plugins/_security/api/_upgrade_check'],
    ['GET', '/_opendistro/_security/api/_upgrade_check'],
  ],
  action: 'restapi:admin/upgrade_check',
  params: { configs: list, entities: list },
  body: 'none',
  handle: call =>
    administered(call, 'restapi:admin/upgrade_check', (): EditAnswer => {
      const unknown = (call.params.configs ?? []).filter(name => !CONFIGS.includes(name))
      if (unknown.length === 0)
        return { status: 200, body: { status: 'OK', upgradeAvailable: false, upgradeActions: {} } }
      const message = `Found invalid configuration option, valid options are: [${CONFIGS.join(', ')}]`
      return { status: 400, body: { status: 'BAD_REQUEST', message } }
    }),
})
