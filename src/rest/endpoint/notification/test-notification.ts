import { EngineError } from '../../../util/errors.ts'
import type { JsonRecord } from '../../../util/json/json-value.ts'
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'

/** `POST /_plugins/_notifications/feature/test/{config_id}`: sends a message, and says how that ended. */
export const testNotification: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_plugins/_notifications/feature/test/{config_id}'],
    ['POST', '/_plugins/_notifications/feature/test/{config_id}'],
  ],
  action: 'cluster:admin/opensearch/notifications/test_notification',
  params: {},
  body: 'none',
  async handle({ services, part, context }): Promise<Answer> {
    const { notifications } = services
    const { source, status } = await notifications.sendTest(
      part('config_id'),
      context.abortSignal(),
    )
    const code = Number(status.delivery_status.status_code)
    if (code === 200)
      return { json: { event_source: record(source), status_list: [record(status)] } }
    throw new EngineError({
      type: 'status_exception',
      reason: JSON.stringify({ event_status_list: [status] }),
      status: code,
    })
  },
})

function record(value: object): JsonRecord {
  return value as JsonRecord
}
