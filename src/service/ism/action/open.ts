import type { ActionType } from '../action-type.ts'
import { bareAction } from '../bare-action.ts'
import { oneIndex } from '../index-view.ts'

/** `open`: the index is opened. */
export const open: ActionType<unknown> = bareAction(
  'attempt_open',
  ['opened index', 'open index'],
  ({ engine, index, call }) =>
    engine.indices.open(
      { target: oneIndex(index.name), waitForActiveShards: null },
      call('indices:admin/open'),
    ),
)
