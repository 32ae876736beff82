import type { Endpoint } from '../../endpoint.ts'
import { pipelineEndpoints } from '../stored-pipelines.ts'

/** `PUT, DELETE /_ingest/pipeline/{id}`, `GET /_ingest/pipeline[/{id}]`. */
export const INGEST_PIPELINE_ENDPOINTS: readonly Endpoint[] = pipelineEndpoints({
  path: '/_ingest/pipeline',
  actions: {
    put: 'cluster:admin/ingest/pipeline/put',
    get: 'cluster:admin/ingest/pipeline/get',
    delete: 'cluster:admin/ingest/pipeline/delete',
  },
  of: engine => engine.pipelines,
})
