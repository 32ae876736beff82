import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'

/** `GET|POST /_render/template[/{id}]`: the body that a template makes, without a search. */
export const renderTemplate: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_render/template'],
    ['POST', '/_render/template'],
    ['GET', '/_render/template/{id}'],
    ['POST', '/_render/template/{id}'],
  ],
  action: 'indices:data/read/search/template',
  params: {},
  body: 'json-required',
  handle({ engine, part, body }): Answer {
    const rendered = engine.scripts.render({ id: part('id') || null, body: body! })
    return { json: { template_output: rendered } }
  },
})
