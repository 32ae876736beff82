import type { Endpoint } from '../../endpoint.ts'
import { pipelineEndpoints } from '../stored-pipelines.ts'

/** `PUT, DELETE /_search/pipeline/{id}`, `GET /_search/pipeline[/{id}]`. */
export const SEARCH_PIPELINE_ENDPOINTS: readonly Endpoint[] = pipelineEndpoints({
  path: '/_search/pipeline',
  actions: {
    put: 'cluster:admin/search/pipeline/put',
    get: 'cluster:admin/search/pipeline/get',
    delete: 'cluster:admin/search/pipeline/delete',
  },
  of: engine => engine.searchPipelines,
})
