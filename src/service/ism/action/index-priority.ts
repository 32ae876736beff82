import { readInteger } from '../../../engine/dsl/json-scalars.ts'
import { type ActionType, callStep, defineAction } from '../action-type.ts'
import { changeSettings } from '../change-settings.ts'
import { given, readFields, require } from '../policy/read-fields.ts'

/** `index_priority`: the order in which indices are recovered. */
export const indexPriority: ActionType<unknown> = defineAction<number>({
  parse(node) {
    let found: number | null = null
    readFields(node, 'IndexPriorityActionConfig', {
      priority: value => {
        found = readInteger(value)
      },
    })
    const priority = given<number>(found, 'priority is null')
    require(priority >= 0, 'IndexPriorityAction index_priority value must be a non-negative number')
    return priority
  },
  print: priority => ({ priority }),
  steps: [
    callStep(
      'attempt_set_index_priority',
      context =>
        changeSettings(context, context.index.name, { 'index.priority': String(context.config) }),
      ({ index: { name }, config }) => ({
        done: `Successfully set index priority to ${config} [index=${name}]`,
        failed: `Failed to set index priority to ${config} [index=${name}]`,
      }),
    ),
  ],
})
