/**
 * Results of tasks that no request waits for: documents of the index `.tasks`, whose ids are those of the
 * tasks. A result is there before its task leaves the list of those that run.
 */
import { type CallContext, trusted } from '../../task/call-context.ts'
import type { Task } from '../../task/task.ts'
import type { StoreResult, TaskOutcome } from '../../task/task-registry.ts'
import { encodeUtf8 } from '../../util/bytes.ts'
import { EngineError } from '../../util/errors.ts'
import { parseJsonTree } from '../../util/json/json-tree.ts'
import type { JsonMap, JsonRecord } from '../../util/json/json-value.ts'
import { jsonValueOf, writeJson } from '../../util/json/json-writer.ts'
import { getDocument, indexDocument } from '../document/documents.ts'
import { createIndex } from '../index/index-life.ts'
import type { Node } from '../node/node.ts'
import { TASKS_INDEX } from '../node/tasks-index.ts'
import { taskDocument } from './task-document.ts'

const keyword = { type: 'keyword' }
const long = { type: 'long' }
const boolean = { type: 'boolean' }
const unread = { type: 'object', enabled: false }

const MAPPINGS = {
  dynamic: 'strict',
  _meta: { version: 5 },
  properties: {
    completed: boolean,
    task: {
      properties: {
        action: keyword,
        cancellable: boolean,
        cancelled: boolean,
        cancellation_time_millis: long,
        id: long,
        parent_task_id: keyword,
        node: keyword,
        running_time_in_nanos: long,
        start_time_in_millis: long,
        type: keyword,
        status: unread,
        description: { type: 'text' },
        headers: unread,
        resource_stats: unread,
      },
    },
    response: unread,
    error: unread,
  },
}

const SETTINGS = new Map([
  ['index.number_of_shards', '1'],
  ['index.number_of_replicas', '0'],
])

/** Stores the results of a node's tasks; where that fails, the failure is noted and thrown. */
export function keepResultsIn(node: Node): StoreResult {
  return async (task, outcome) => {
    try {
      await storeResult(node, task, outcome)
    } catch (error) {
      node.noteFailure(error)
      throw error
    }
  }
}

/**
 * Stores a result; it is durable when this resolves.
 * @throws {EngineError} the index cannot be made or written: the disk is full, it is blocked or damaged
 */
async function storeResult(node: Node, task: Task, outcome: TaskOutcome): Promise<void> {
  const source = writeJson(taskDocument(task, outcome))
  if (node.metadata.index(TASKS_INDEX) === null) await createTasksIndex(node)
  await indexDocument(
    node,
    {
      index: TASKS_INDEX,
      id: task.id,
      opType: 'index',
      source,
      pipeline: '_none',
      routing: null,
      refresh: 'false',
      ifSeqNo: null,
      ifPrimaryTerm: null,
      version: null,
      versionType: 'internal',
      requireAlias: false,
      waitForActiveShards: null,
      timeoutInMillis: 60_000,
    },
    inner('indices:data/write/index'),
  )
}

/** The document of a task that has ended; null: none was stored. */
export async function storedResult(
  node: Node,
  taskId: string,
): Promise<JsonMap | JsonRecord | null> {
  if (node.metadata.index(TASKS_INDEX) === null) return null
  const { source } = await getDocument(
    node,
    {
      index: TASKS_INDEX,
      id: taskId,
      routing: null,
      realtime: true,
      refresh: false,
      version: null,
      versionType: 'internal',
      source: { enabled: true, includes: [], excludes: [] },
      storedFields: null,
    },
    inner('indices:data/read/get'),
  )
  // Sources are objects.
  return source === null ? null : (jsonValueOf(parseJsonTree(source)) as JsonMap)
}

async function createTasksIndex(node: Node): Promise<void> {
  try {
    await createIndex(
      node,
      {
        name: TASKS_INDEX,
        settings: SETTINGS,
        mappings: parseJsonTree(encodeUtf8(JSON.stringify(MAPPINGS))),
        aliases: null,
        waitForActiveShards: null,
      },
      inner('indices:admin/create'),
    )
  } catch (error) {
    // Two tasks may end at once.
    const isThere =
      error instanceof EngineError && error.type === 'resource_already_exists_exception'
    if (!isThere) throw error
  }
}

/** The node's own call: whoever started a task need not be allowed to write where its result lies. */
function inner(action: Parameters<typeof trusted>[0]): CallContext {
  return trusted(action)
}
