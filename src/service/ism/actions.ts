/** The kinds of action that a state of a policy may have. */
import { IllegalArgumentError } from '../../util/errors.ts'
import { alias } from './action/alias.ts'
import { allocation } from './action/allocation.ts'
import { close } from './action/close.ts'
import { deleteIndex } from './action/delete.ts'
import { forceMerge } from './action/force-merge.ts'
import { indexPriority } from './action/index-priority.ts'
import { notification } from './action/notification.ts'
import { open } from './action/open.ts'
import { readOnly } from './action/read-only.ts'
import { readWrite } from './action/read-write.ts'
import { replicaCount } from './action/replica-count.ts'
import { rollover } from './action/rollover.ts'
import { shrink } from './action/shrink.ts'
import { snapshot } from './action/snapshot.ts'
import type { ActionType } from './action-type.ts'

/** The name of a kind of action. */
export type ActionName =
  | 'alias'
  | 'allocation'
  | 'close'
  | 'delete'
  | 'force_merge'
  | 'index_priority'
  | 'notification'
  | 'open'
  | 'read_only'
  | 'read_write'
  | 'replica_count'
  | 'rollover'
  | 'shrink'
  | 'snapshot'

/** By name. */
export const ACTION_TYPES: Readonly<Record<ActionName, ActionType<unknown>>> = {
  alias,
  allocation,
  close,
  delete: deleteIndex,
  force_merge: forceMerge,
  index_priority: indexPriority,
  notification,
  open,
  read_only: readOnly,
  read_write: readWrite,
  replica_count: replicaCount,
  rollover,
  shrink,
  snapshot,
}

/** Names that the reference server knows besides. */
const NOT_YET = [
  'convert_index_to_remote',
  'rollup',
  'search_only',
  'stop_replication',
  'transform',
  'custom',
]

/** The names of all kinds. */
export const ACTION_NAMES: readonly ActionName[] = Object.keys(
  ACTION_TYPES,
) as readonly ActionName[]

/** @throws {EngineError} `illegal_argument_exception`: there is no such kind */
export function actionNameOf(name: string): ActionName {
  const known = ACTION_NAMES.find(each => each === name)
  if (known !== undefined) return known
  throw new IllegalArgumentError(
    NOT_YET.includes(name)
      ? `[${name}] is not supported yet`
      : `Invalid field: [${name}] found in Actions.`,
  )
}
