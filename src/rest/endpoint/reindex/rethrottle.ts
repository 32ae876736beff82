import { IllegalArgumentError } from '../../../util/errors.ts'
import { type Answer, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { printByNode } from '../task/print-task.ts'
import { rate } from './by-scroll-params.ts'

/** `POST /_reindex/{task_id}/_rethrottle`, and those of updates and deletions by query. */
export const rethrottle: Endpoint = defineEndpoint({
  routes: [
    ['POST', '/_reindex/{task_id}/_rethrottle'],
    ['POST', '/_update_by_query/{task_id}/_rethrottle'],
    ['POST', '/_delete_by_query/{task_id}/_rethrottle'],
  ],
  action: 'cluster:admin/reindex/rethrottle',
  params: { requests_per_second: rate },
  body: 'none',
  handle({ engine, services, params, part, human, httpAddress }): Answer {
    const asked = params.requests_per_second
    if (asked === undefined)
      throw new IllegalArgumentError('requests_per_second is a required parameter')
    const task = services.reindex.rethrottle(part('task_id'), asked)
    const style = { hasDescription: true, human, status: null }
    return { json: { nodes: printByNode([task], style, engine.cluster.nodeInfo(), httpAddress) } }
  },
})
