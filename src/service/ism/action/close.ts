import type { ActionType } from '../action-type.ts'
import { bareAction } from '../bare-action.ts'
import { oneIndex } from '../index-view.ts'

/** `close`: the index is closed. */
export const close: ActionType<unknown> = bareAction(
  'attempt_close',
  ['closed index', 'close index'],
  ({ engine, index, call }) =>
    engine.indices.close(oneIndex(index.name), call('indices:admin/close')),
)
