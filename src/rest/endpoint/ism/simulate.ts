import { parseSimulation, printSimulated } from '../../../service/ism/simulate.ts'
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'

/** `POST /_plugins/_ism/simulate`. */
export const simulatePolicy: Endpoint = defineEndpoint({
  routes: [
    ['POST', '/_plugins/_ism/simulate'],
    ['POST', '/_opendistro/_ism/simulate'],
  ],
  action: 'cluster:admin/opendistro/ism/policy/simulate',
  params: {},
  body: 'json-required',
  async handle({ services, body, context }): Promise<Answer> {
    const call = parseSimulation(body!, Date.now())
    const simulated = await services.ism.simulate(call, context)
    return { json: { simulate_results: simulated.map(printSimulated) } }
  },
})
