/** What notifications a node can send, and where to. */
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { listEnvelope } from './list-envelope.ts'

/** Channels that are listed. */
const MAX_CHANNELS = 10_000

/** `GET /_plugins/_notifications/features`. */
export const features: Endpoint = defineEndpoint({
  routes: [['GET', '/_plugins/_notifications/features']],
  action: 'cluster:admin/opensearch/notifications/features',
  params: {},
  body: 'none',
  handle({ services }): Answer {
    return {
      json: {
        allowed_config_type_list: services.notifications.allowedTypes,
        plugin_features: { tooltip_support: 'true' },
      },
    }
  },
})

/** `GET /_plugins/_notifications/channels`. */
export const channels: Endpoint = defineEndpoint({
  routes: [['GET', '/_plugins/_notifications/channels']],
  action: 'cluster:admin/opensearch/notifications/channels/get',
  params: {},
  body: 'none',
  async handle({ services }): Promise<Answer> {
    const { total, hits } = await services.notifications.channels(MAX_CHANNELS)
    const list = hits.map(({ id, source: { config } }) => ({
      config_id: id,
      name: config.name,
      description: config.description,
      config_type: config.config_type,
      is_enabled: config.is_enabled,
    }))
    return { json: listEnvelope(0, total, 'channel_list', list) }
  },
})
