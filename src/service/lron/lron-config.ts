/** Settings of long-running operations: who is told of their end. */
import { parseTaskId } from '../../task/task-id.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import type { JsonNode, JsonObjectNode } from '../../util/json/json-tree.ts'

/** The operations that can be told of, by their actions. */
export const LRON_ACTIONS = [
  'indices:data/write/reindex',
  'indices:admin/resize',
  'indices:admin/forcemerge',
  'indices:admin/open',
] as const

/** The action of such an operation. */
export type LronAction = (typeof LRON_ACTIONS)[number]

/** A setting in wire form, keys in their documented order. */
export interface LronConfig {
  readonly lron_condition: { readonly success: boolean; readonly failure: boolean }
  readonly task_id?: string
  readonly action_name?: LronAction
  readonly channels?: readonly { readonly id: string }[]
}

const PREFIX = 'LRON:'

/** The id of a setting: it says what the setting is for. */
export function lronId({ task_id: task, action_name: action }: LronConfig): string {
  return PREFIX + (task ?? action ?? '')
}

/** The id of the setting of a task, or of all operations of an action. */
export function lronIdOf(taskOrAction: string): string {
  return PREFIX + taskOrAction
}

/**
 * Reads `{lron_config: {…}}`.
 * @param nodeId the node whose tasks there are
 * @throws {EngineError} `illegal_argument_exception`, as the contract's table says
 */
export function parseLron(body: JsonNode, nodeId: string): LronConfig {
  const outer = fieldsOf(body, 'LRONConfig', ['lron_config'])
  const node = outer.get('lron_config')
  const fields =
    node === undefined
      ? new Map<string, JsonNode>()
      : // Set by the reference server itself; what a request says of them does not count.
        fieldsOf(node, 'LRONConfig', [...KEYS, 'user', 'priority'])
  const taskId = textOf(fields, 'task_id')
  const action = textOf(fields, 'action_name')
  if (taskId === null && action === null)
    throw new IllegalArgumentError('LRONConfig must contain taskID or actionName')
  const condition = conditionOf(fields.get('lron_condition'))
  const channels = channelsOf(fields.get('channels'))
  if ((condition.success || condition.failure) && (channels ?? []).length === 0)
    throw new IllegalArgumentError('Enabled LRONConfig must contain at least one channel')
  if (taskId !== null) checkTask(taskId, nodeId)
  return {
    lron_condition: condition,
    ...(taskId === null ? {} : { task_id: taskId }),
    ...(action === null ? {} : { action_name: actionOf(action) }),
    ...(channels === null ? {} : { channels }),
  }
}

const KEYS = ['lron_condition', 'task_id', 'action_name', 'channels']

/** The fields of an object; null counts as absent. */
function fieldsOf(
  node: JsonNode,
  name: string,
  known: readonly string[],
): ReadonlyMap<string, JsonNode> {
  const fields = new Map<string, JsonNode>()
  for (const { key, value } of objectOf(node, name).entries) {
    if (!known.includes(key))
      throw new IllegalArgumentError(`Invalid field: [${key}] found in ${name}.`)
    if (value.kind !== 'null') fields.set(key, value)
  }
  return fields
}

function objectOf(node: JsonNode, name: string): JsonObjectNode {
  if (node.kind === 'object') return node
  throw new IllegalArgumentError(`${name} must be an object`)
}

function textOf(fields: ReadonlyMap<string, JsonNode>, key: string): string | null {
  const node = fields.get(key)
  if (node === undefined) return null
  if (node.kind === 'string') return node.value
  throw new IllegalArgumentError(`[${key}] must be a text`)
}

function conditionOf(node: JsonNode | undefined): LronConfig['lron_condition'] {
  const fields =
    node === undefined
      ? new Map<string, JsonNode>()
      : fieldsOf(node, 'LRONCondition', ['success', 'failure'])
  return { success: flagOf(fields, 'success'), failure: flagOf(fields, 'failure') }
}

/** True unless it says otherwise. */
function flagOf(fields: ReadonlyMap<string, JsonNode>, key: string): boolean {
  const node = fields.get(key)
  if (node === undefined) return true
  const value = node.kind === 'boolean' || node.kind === 'string' ? String(node.value) : node.kind
  if (value === 'true' || value === 'false') return value === 'true'
  throw new IllegalArgumentError(
    `Failed to parse value [${value}] as only [true] or [false] are allowed.`,
  )
}

function channelsOf(node: JsonNode | undefined): readonly { readonly id: string }[] | null {
  if (node === undefined) return null
  if (node.kind !== 'array') throw new IllegalArgumentError('[channels] must be a list')
  return node.items.map(item => {
    const id = textOf(fieldsOf(item, 'Channel', ['id']), 'id')
    if (id === null || id === '') throw new IllegalArgumentError('Channel ID is null or empty')
    return { id }
  })
}

function actionOf(name: string): LronAction {
  const action = LRON_ACTIONS.find(known => known === name)
  if (action !== undefined) return action
  throw new IllegalArgumentError(
    `Invalid action name. All supported actions: [${LRON_ACTIONS.join(', ')}]`,
  )
}

function checkTask(id: string, nodeId: string): void {
  if (parseTaskId(id).nodeId !== nodeId)
    throw new IllegalArgumentError('Illegal taskID. NodeID not exists.')
}
