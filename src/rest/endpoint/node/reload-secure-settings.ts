import { unknownField } from '../../../engine/dsl/parse-error.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { wrongKind } from '../../declared-body.ts'
import { type Answer, defineEndpoint, type Endpoint, objectBody } from '../../endpoint.ts'
import { isNodeMeant } from '../../node-view.ts'
import { list, millis } from '../../params.ts'
import { nodesAnswer } from './nodes-answer.ts'

const PARSER = 'reload_secure_settings'
const PASSWORD = 'secure_settings_password'

/**
 * `POST /_nodes[/{node_id}]/reload_secure_settings`. No setting is kept apart under a password here, so that
 * there is nothing to read anew, and every password but the empty one is wrong.
 */
export const reloadSecureSettings: Endpoint = defineEndpoint({
  routes: [
    ['POST', '/_nodes/reload_secure_settings'],
    ['POST', '/_nodes/{node_id}/reload_secure_settings'],
  ],
  action: 'cluster:admin/nodes/reload_secure_settings',
  params: { timeout: millis },
  body: 'json',
  handle({ engine, body, part, httpAddress }): Answer {
    const hasPassword = body !== null && passwordOf(body) !== ''
    const info = engine.cluster.nodeInfo()
    if (!isNodeMeant(list(part('node_id')), info, httpAddress)) return nodesAnswer(info, null)
    const failure = {
      type: 'security_exception',
      reason: 'Provided keystore password was incorrect',
    }
    return nodesAnswer(info, {
      name: info.nodeName,
      ...(hasPassword ? { reload_exception: failure } : {}),
    })
  },
})

/** The password of the body; '' without one. */
function passwordOf(body: JsonNode): string {
  let password = ''
  for (const entry of objectBody(body).entries) {
    if (entry.key !== PASSWORD) throw unknownField(entry, PARSER, [PASSWORD])
    if (entry.value.kind !== 'string') throw wrongKind(entry, PARSER)
    password = entry.value.value
  }
  return password
}
