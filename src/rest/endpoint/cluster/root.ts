import { defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { VERSION_INFO } from '../../version.ts'

/** `GET /`: who answers. */
export const root: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/'],
    ['HEAD', '/'],
  ],
  action: 'cluster:monitor/main',
  params: {},
  body: 'none',
  handle({ engine }) {
    const { nodeName, clusterName, clusterUuid } = engine.cluster.identity
    return {
      json: {
        name: nodeName,
        cluster_name: clusterName,
        cluster_uuid: clusterUuid,
        version: VERSION_INFO,
        tagline: 'The OpenSearch Project: https://opensearch.org/',
      },
    }
  },
})
