import { durationText } from '../../../util/units.ts'
import { type Answer, defineEndpoint, type Endpoint, TURN_PARAMS } from '../../endpoint.ts'
import { flag } from '../../params.ts'

/** `GET /_cluster/pending_tasks`: changes of metadata that wait or run, in execution order. */
export const pendingTasks: Endpoint = defineEndpoint({
  routes: [['GET', '/_cluster/pending_tasks']],
  action: 'cluster:monitor/task',
  params: { ...TURN_PARAMS, local: flag },
  body: 'none',
  handle: ({ engine }): Answer => ({
    json: {
      tasks: engine.cluster.pendingChanges().map(change => ({
        insert_order: change.insertOrder,
        priority: change.priority,
        source: change.source,
        executing: change.executing,
        time_in_queue_millis: change.timeInQueueMillis,
        time_in_queue: durationText(change.timeInQueueMillis * 1e6),
      })),
    },
  }),
})
