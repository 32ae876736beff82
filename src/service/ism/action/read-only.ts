import type { ActionType } from '../action-type.ts'
import { bareAction } from '../bare-action.ts'
import { changeSettings } from '../change-settings.ts'

/** `read_only`: writes to the index are blocked. */
export const readOnly: ActionType<unknown> = bareAction(
  'set_read_only',
  ['set index to read-only', 'set index to read-only'],
  context => changeSettings(context, context.index.name, { 'index.blocks.write': 'true' }),
)
