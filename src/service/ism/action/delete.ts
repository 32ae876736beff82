import type { ActionType } from '../action-type.ts'
import { bareAction } from '../bare-action.ts'
import { oneIndex } from '../index-view.ts'

/** `delete`: the index is deleted, and its job ends. */
export const deleteIndex: ActionType<unknown> = bareAction(
  'attempt_delete',
  ['deleted index', 'delete index'],
  ({ engine, index, call }) =>
    engine.indices.delete(oneIndex(index.name), call('indices:admin/delete')),
)
