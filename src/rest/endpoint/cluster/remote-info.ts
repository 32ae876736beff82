import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'

/** `GET /_remote/info`: no setting connects other clusters, so that there are none. */
export const remoteInfo: Endpoint = defineEndpoint({
  routes: [['GET', '/_remote/info']],
  action: 'cluster:monitor/remote/info',
  params: {},
  body: 'none',
  handle: (): Answer => ({ json: {} }),
})
