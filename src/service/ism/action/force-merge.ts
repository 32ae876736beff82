import { readInteger } from '../../../engine/dsl/json-scalars.ts'
import {
  type ActionType,
  callStep,
  completed,
  defineAction,
  failed,
  notYet,
  type StepContext,
  type StepOutcome,
} from '../action-type.ts'
import { changeSettings } from '../change-settings.ts'
import { oneIndex } from '../index-view.ts'
import { given, readFields, require } from '../policy/read-fields.ts'
import { sizesOf } from '../shard-stats.ts'

/** A merge that does not come to its end is given up after so long. */
const LIMIT_IN_MILLIS = 12 * 3_600_000

/** `force_merge`: writes are blocked, and each shard is merged into so many segments. */
export const forceMerge: ActionType<unknown> = defineAction<number>({
  parse(node) {
    let count: number | null = null
    readFields(node, 'ForceMergeActionConfig', {
      max_num_segments: value => {
        count = readInteger(value)
      },
    })
    const segments = given<number>(count, 'ForceMergeActionConfig maxNumSegments is null')
    require(segments > 0, 'Force merge {max_num_segments} must be greater than 0')
    return segments
  },
  print: count => ({ max_num_segments: count }),
  steps: [
    callStep(
      'attempt_set_read_only',
      context => changeSettings(context, context.index.name, { 'index.blocks.write': 'true' }),
      ({ index: { name } }) => ({
        done: `Successfully set index to read-only [index=${name}]`,
        failed: `Failed to set index to read-only [index=${name}]`,
      }),
    ),
    { name: 'attempt_call_force_merge', run: merge },
    { name: 'wait_for_force_merge', isUnderWay: true, run: wait },
  ],
})

async function merge({ engine, index, config, call }: StepContext<number>): Promise<StepOutcome> {
  const { name } = index
  const message = `Failed to start force merge [index=${name}]`
  try {
    const { failed: failures } = await engine.indices.forceMerge(
      {
        target: oneIndex(name),
        maxSegmentCount: config,
        onlyExpungeDeletes: false,
        flush: true,
        primaryOnly: false,
      },
      call('indices:admin/forcemerge'),
    )
    if (failures > 0) return failed(message)
    return completed(`Successfully completed force merge [index=${name}]`, {
      properties: { maxNumSegments: config },
    })
  } catch (error) {
    return failed(message, error)
  }
}

async function wait(context: StepContext<number>): Promise<StepOutcome> {
  const { engine, index, config, progress, now, timeoutInMillis } = context
  const { name } = index
  const limit = progress.action?.properties?.maxNumSegments ?? config
  try {
    const { shards } = await sizesOf(engine, name)
    if (shards.every(({ segmentCount }) => segmentCount <= limit))
      return completed(`Successfully confirmed segments force merged [index=${name}]`, {
        properties: null,
      })
  } catch (error) {
    return failed(
      `Failed to check segments when waiting for force merge to complete [index=${name}]`,
      error,
    )
  }
  const waited = now - (progress.action?.startTime ?? now)
  return waited > (timeoutInMillis ?? LIMIT_IN_MILLIS)
    ? failed(`Force merge timed out [index=${name}]`)
    : notYet(`Waiting for force merge to complete [index=${name}]`)
}
