import { readInteger } from '../../../engine/dsl/json-scalars.ts'
import { type ActionType, callStep, defineAction } from '../action-type.ts'
import { changeSettings } from '../change-settings.ts'
import { given, readFields, require } from '../policy/read-fields.ts'

/** `replica_count`: the index has so many copies of each shard beside the primary. */
export const replicaCount: ActionType<unknown> = defineAction<number>({
  parse(node) {
    let count: number | null = null
    readFields(node, 'ReplicaCountActionConfig', {
      number_of_replicas: value => {
        count = readInteger(value)
      },
    })
    const replicas = given<number>(count, 'number_of_replicas is null')
    require(replicas >=
      0, 'ReplicaCountAction number_of_replicas value must be a non-negative number')
    return replicas
  },
  print: count => ({ number_of_replicas: count }),
  steps: [
    callStep(
      'attempt_set_replica_count',
      context =>
        changeSettings(context, context.index.name, {
          'index.number_of_replicas': String(context.config),
        }),
      ({ index: { name }, config }) => ({
        done: `Successfully set number_of_replicas to ${config} [index=${name}]`,
        failed: `Failed to set number_of_replicas to ${config} [index=${name}]`,
      }),
    ),
  ],
})
