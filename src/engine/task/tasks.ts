/** The tasks API over the node's registry. */
import type { CallContext } from '../../task/call-context.ts'
import type { Task } from '../../task/task.ts'
import { parseTaskId } from '../../task/task-id.ts'
import { EngineError, IllegalArgumentError, validationFailed } from '../../util/errors.ts'
import type { JsonValue } from '../../util/json/json-value.ts'
import { matchesWildcard } from '../../util/wildcard.ts'
import type {
  CancelTasks,
  FoundTask,
  GetTask,
  ListTasks,
  TaskFilter,
  TaskListing,
} from '../api/tasks.ts'
import type { Node } from '../node/node.ts'
import { taskDocument } from './task-document.ts'
import { storedResult } from './task-results.ts'

/** Stands for no task in the API of the real server. */
const UNSET = 'unset'
const LISTING = 'cluster:monitor/tasks/lists'
/** How long a cancellation waits for the end of the tasks that it cancelled. */
const CANCEL_WAIT_IN_MILLIS = 30_000

/** Tasks that run. */
export async function listTasks(
  node: Node,
  { filter, waitInMillis }: ListTasks,
  context: CallContext,
): Promise<TaskListing> {
  const { tasks: registry } = node
  // A listing shows itself, and its step on this node.
  const step = context.child(`${LISTING}[n]`)
  return registry.runWaiting(step, async () => {
    registry.enter(step.task)
    const tasks = registry.running().filter(passes(node, filter))
    if (waitInMillis === null) return { tasks, nodeFailures: [] }
    const others = tasks.filter(({ action }) => !action.startsWith(LISTING))
    return within(node, () => registry.completion(others, waitInMillis, context), tasks)
  })
}

/**
 * Runs a step as a task that no request waits for. A defect of ours is its result, as every error is,
 * and is noted among the failures of the node.
 * @returns the task's id
 */
export function detachTask(
  node: Node,
  from: CallContext,
  step: (context: CallContext) => Promise<JsonValue>,
): string {
  return node.tasks.detach(from, noting(node, step))
}

/** Runs a step as a task that no request waits for and whose result is dropped; defects are noted. */
export function runBeside(
  node: Node,
  from: CallContext,
  step: (context: CallContext) => Promise<unknown>,
): void {
  node.tasks.runBeside(from, noting(node, step))
}

function noting<T>(
  node: Node,
  step: (context: CallContext) => Promise<T>,
): (context: CallContext) => Promise<T> {
  return async context => {
    try {
      return await step(context)
    } catch (error) {
      if (!(error instanceof EngineError)) node.noteFailure(error)
      throw error
    }
  }
}

/** One task, that runs or has left a result. */
export async function getTask(
  node: Node,
  { taskId, waitInMillis }: GetTask,
  context: CallContext,
): Promise<FoundTask> {
  if (taskId === UNSET) throw validationFailed(['task id is required'])
  const { nodeId, number } = parseTaskId(taskId)
  const unknown = new EngineError({
    type: 'resource_not_found_exception',
    reason: `task [${taskId}] isn't running and hasn't stored its results`,
  })
  if (nodeId !== node.metadata.node.nodeId) {
    const document = await storedResult(node, taskId)
    if (document !== null) return { kind: 'document', document }
    throw new EngineError({
      type: 'resource_not_found_exception',
      reason: `task [${taskId}] belongs to the node [${nodeId}] which isn't part of the cluster and there is no record of the task`,
      causedBy: unknown.record,
    })
  }
  const { tasks: registry } = node
  const task = registry.task(number)
  if (task !== null) {
    if (waitInMillis === null) return { kind: 'task', task }
    await registry.completion([task], waitInMillis, context)
  }
  const unstored = registry.result(number)
  const document =
    unstored === null
      ? await storedResult(node, taskId)
      : taskDocument(unstored.task, unstored.outcome)
  if (document !== null) return { kind: 'document', document }
  if (task === null) throw unknown
  return { kind: 'task', task }
}

/** Cancels tasks with their children. */
export async function cancelTasks(
  node: Node,
  { taskId, filter, waitsForCompletion }: CancelTasks,
  context: CallContext,
): Promise<TaskListing> {
  const { tasks: registry } = node
  const isMeant = passes(node, filter)
  const tasks =
    taskId === null
      ? registry.running().filter(task => task.isCancellable && isMeant(task))
      : [cancellableTask(node, taskId)]
  for (const task of tasks) registry.cancel(task)
  if (!waitsForCompletion) return { tasks, nodeFailures: [] }
  return within(node, () => registry.completion(tasks, CANCEL_WAIT_IN_MILLIS, context), tasks)
}

function cancellableTask(node: Node, taskId: string): Task {
  const { nodeId, number } = parseTaskId(taskId)
  const task = nodeId === node.metadata.node.nodeId ? node.tasks.task(number) : null
  if (task === null)
    throw new EngineError({
      type: 'resource_not_found_exception',
      reason: `task [${taskId}] is not found`,
    })
  if (!task.isCancellable)
    throw new IllegalArgumentError(`task [${taskId}] doesn't support cancellation`)
  return task
}

function passes(
  node: Node,
  { actions, isNodeMeant, parentTaskId }: TaskFilter,
): (task: Task) => boolean {
  const parent = parentTaskId === null ? null : parseTaskId(parentTaskId)
  const isHere = parent === null || parent.nodeId === node.metadata.node.nodeId
  return task =>
    isNodeMeant &&
    isHere &&
    (parent === null || task.parent?.number === parent.number) &&
    (actions.length === 0 || actions.some(pattern => matchesWildcard(pattern, task.action)))
}

/** Waits; a timeout becomes a failure of the node, which then shows no tasks. */
async function within(
  node: Node,
  wait: () => Promise<void>,
  tasks: readonly Task[],
): Promise<TaskListing> {
  try {
    await wait()
    return { tasks, nodeFailures: [] }
  } catch (error) {
    if (!(error instanceof EngineError) || error.type !== 'timeout_exception') throw error
    const { nodeId } = node.metadata.node
    const failure = new EngineError({
      type: 'failed_node_exception',
      reason: `Failed node [${nodeId}]`,
      extra: { node_id: nodeId },
      causedBy: error.record,
    })
    return { tasks: [], nodeFailures: [failure] }
  }
}
