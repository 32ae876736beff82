import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'

/** `GET|POST /_scripts/painless/_execute`: runs a script once, on no document or on one of the body. */
export const executeScript: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_scripts/painless/_execute'],
    ['POST', '/_scripts/painless/_execute'],
  ],
  action: 'cluster:admin/scripts/painless/execute',
  params: {},
  body: 'json-required',
  async handle({ engine, body, context }): Promise<Answer> {
    return { json: { result: await engine.scripts.execute(body!, context) } }
  },
})
