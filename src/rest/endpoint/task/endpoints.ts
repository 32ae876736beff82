/** The endpoints of tasks. */
import type { Endpoint } from '../../endpoint.ts'
import { cancelTask, cancelTasks } from './cancel-tasks.ts'
import { getTask } from './get-task.ts'
import { listTasks } from './list-tasks.ts'

/** Tasks listed, waited for and cancelled. */
export const TASK_ENDPOINTS: readonly Endpoint[] = [listTasks, getTask, cancelTasks, cancelTask]
