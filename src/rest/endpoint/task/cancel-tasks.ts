import { validationFailed } from '../../../util/errors.ts'
import { type Answer, type Call, defineEndpoint, type Endpoint } from '../../endpoint.ts'
import { flag } from '../../params.ts'
import { FILTER_PARAMS, filterOf } from './list-tasks.ts'
import { printByNode, printFailures } from './print-task.ts'

const PARAMS = { ...FILTER_PARAMS, wait_for_completion: flag }

/** `POST /_tasks/_cancel`. */
export const cancelTasks: Endpoint = defineEndpoint({
  routes: [['POST', '/_tasks/_cancel']],
  action: 'cluster:admin/tasks/cancel',
  params: PARAMS,
  body: 'none',
  handle: call => cancel(call, null),
})

/** `POST /_tasks/{task_id}/_cancel`. */
export const cancelTask: Endpoint = defineEndpoint({
  routes: [['POST', '/_tasks/{task_id}/_cancel']],
  action: 'cluster:admin/tasks/cancel',
  params: PARAMS,
  body: 'none',
  handle(call) {
    const { actions = [], nodes = [] } = call.params
    const complaints: string[] = []
    if (nodes.length > 0) complaints.push('task id cannot be used together with node ids')
    if (actions.length > 0) complaints.push('task id cannot be used together with actions')
    if (complaints.length > 0) throw validationFailed(complaints)
    return cancel(call, call.part('task_id'))
  },
})

async function cancel(
  { engine, params, human, httpAddress, context }: Call<typeof PARAMS>,
  taskId: string | null,
): Promise<Answer> {
  const info = engine.cluster.nodeInfo()
  const listing = await engine.tasks.cancel(
    {
      taskId,
      filter: filterOf(params, info, httpAddress),
      waitsForCompletion: params.wait_for_completion ?? false,
    },
    context,
  )
  const style = { hasDescription: true, human, status: 'cancelled' }
  return {
    json: {
      // Always there, as documented.
      node_failures: printFailures(listing),
      nodes: printByNode(listing.tasks, style, info, httpAddress),
    },
  }
}
