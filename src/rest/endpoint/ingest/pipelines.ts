/** Ingest pipelines: put, shown, deleted. */
import { type Answer, defineEndpoint, type Endpoint, MASTER_PARAMS } from '../../endpoint.ts'
import { list } from '../../params.ts'

/** `PUT /_ingest/pipeline/{id}`. */
export const putPipeline: Endpoint = defineEndpoint({
  routes: [['PUT', '/_ingest/pipeline/{id}']],
  action: 'cluster:admin/ingest/pipeline/put',
  params: MASTER_PARAMS,
  body: 'json-required',
  async handle({ engine, part, body, context }): Promise<Answer> {
    await engine.pipelines.put(part('id'), body!, context)
    return { json: { acknowledged: true } }
  },
})

/** `GET /_ingest/pipeline[/{id}]`. */
export const getPipelines: Endpoint = defineEndpoint({
  routes: [
    ['GET', '/_ingest/pipeline'],
    ['GET', '/_ingest/pipeline/{id}'],
  ],
  action: 'cluster:admin/ingest/pipeline/get',
  params: MASTER_PARAMS,
  body: 'none',
  handle({ engine, part }): Answer {
    const ids = list(part('id'))
    const shown = engine.pipelines.show(ids)
    return {
      status: shown.length === 0 && ids.length > 0 ? 404 : 200,
      json: new Map(shown.map(({ id, definition }) => [id, definition])),
    }
  },
})

/** `DELETE /_ingest/pipeline/{id}`. */
export const deletePipeline: Endpoint = defineEndpoint({
  routes: [['DELETE', '/_ingest/pipeline/{id}']],
  action: 'cluster:admin/ingest/pipeline/delete',
  params: MASTER_PARAMS,
  body: 'none',
  async handle({ engine, part, context }): Promise<Answer> {
    await engine.pipelines.delete(part('id'), context)
    return { json: { acknowledged: true } }
  },
})
