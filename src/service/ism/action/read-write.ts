import type { ActionType } from '../action-type.ts'
import { bareAction } from '../bare-action.ts'
import { changeSettings } from '../change-settings.ts'

/** `read_write`: the index takes writes again. */
export const readWrite: ActionType<unknown> = bareAction(
  'set_read_write',
  ['set index to read-write', 'set index to read-write'],
  context => changeSettings(context, context.index.name, { 'index.blocks.write': 'false' }),
)
